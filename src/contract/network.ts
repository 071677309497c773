// What the UI knows about other nodes: who is connected, how far a sync is, who is banned and why.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, decimalSchema, done, hashSchema, timeSchema } from './shapes'

/** Public key of a node, 128 hex digits: identifies it in every call here. */
const nodeIdSchema = z.string().regex(/^[0-9a-f]{128}$/)
/** `enode://ID@HOST:PORT[?discport=PORT]` */
const enodeSchema = z.string().min(1).max(512)

const peerSchema = z.object({
  id: nodeIdSchema,
  /** For an inbound peer with its source port, on which nothing listens. */
  enode: enodeSchema,
  /** IP address, IPv6 without brackets. */
  host: z.string(),
  port: countSchema,
  /** As it reports itself; empty when it doesn't. */
  client: z.string(),
  /** Who dialed whom: `outbound` = we did. */
  direction: z.enum(['inbound', 'outbound']),
  /** Exempt from the peer limits. */
  isTrusted: z.boolean(),
  /** Redialed whenever the connection is lost. */
  isStatic: z.boolean(),
  /** `name/version`, shared by both sides. */
  capabilities: z.array(z.string()),
  /** The best block it announced or proved to have. */
  head: z.object({ hash: hashSchema, number: countSchema.nullable(), totalDifficulty: decimalSchema }),
  /** Round trip of the last ping. */
  latencyMs: z.number().nonnegative().nullable(),
  /** On the wire since it connected. */
  bytesIn: countSchema,
  bytesOut: countSchema,
  connectedAt: timeSchema,
})

const banSchema = z.object({
  id: nodeIdSchema,
  reason: z.string(),
  endsAt: timeSchema,
})

const peersSchema = z.object({
  /** How others dial us; null without a network layer. */
  self: z.object({ id: nodeIdSchema, enode: enodeSchema, enr: z.string() }).nullable(),
  /** Maximum number of peers admitted; trusted and static ones may exceed it. */
  maxPeers: countSchema,
  /** In connection order. */
  peers: z.array(peerSchema),
  bans: z.array(banSchema),
  takenAt: timeSchema,
})

/** Our head compared with peers' blocks whose proof of work was verified, and how many networks we have peers in. */
const headHealthSchema = z.object({
  /** Height of the best such block; null when none is heavier than ours. */
  aheadNumber: countSchema.nullable(),
  /** How long a peer has been ahead, seconds. */
  behindSeconds: countSchema,
  /** A peer has been ahead for 30 s: no work is given out, unless `--p2p.minebehind` allows it. */
  isBehind: z.boolean(),
  /** Independent networks (/16, /32 for IPv6) in which we have peers; all private ones count as one. */
  groups: countSchema,
  /** For 40 minutes there were no peers, or only peers of one network. */
  mayBeCutOff: z.boolean(),
  /** Peers of two networks follow a chain that forks from ours deeper than we can reorganize. */
  split: z.object({ height: countSchema.nullable(), peers: countSchema }).nullable(),
  /** What our chain has at the height of a required block, if that is another one. */
  wrongBlock: z.object({ height: countSchema, here: hashSchema, required: hashSchema }).nullable(),
})

const syncSchema = z.object({
  /**
   * `off`: no network layer; `idle`: no peer has more than we do; `finding-ancestor`: finding where the chains fork;
   * `headers`: fetching and checking the first ones; `bodies`: the next block isn't here yet; `importing`: executing
   * blocks. Headers and bodies keep arriving in the last two.
   */
  phase: z.enum(['off', 'idle', 'finding-ancestor', 'headers', 'bodies', 'importing']),
  /** Height of the last common block; these figures stay after a run and are all 0 before the first. */
  startingBlock: countSchema,
  /** Height of the run's last executed block. */
  currentBlock: countSchema,
  /** Height of the peer's head. */
  highestBlock: countSchema,
  /** Headers of this run that arrived and passed every check. */
  headersDone: countSchema,
  /** Bodies of this run that arrived or weren't needed. */
  bodiesDone: countSchema,
  /** Over the last minute. */
  blocksPerSecond: z.number().nonnegative().nullable(),
  /** Over the same blocks. */
  gasPerSecond: z.number().nonnegative().nullable(),
  /** Seconds until the peer's head, from the last 10 minutes; null while two estimates a minute apart disagree. */
  remaining: z.object({ least: z.number().nonnegative(), most: z.number().nonnegative() }).nullable(),
  /** Peers that delivered headers or bodies. */
  peersUsed: countSchema,
  /** The peer whose chain is being synced; null while no sync runs. */
  peer: nodeIdSchema.nullable(),
  /** Absent without a network layer. */
  health: headHealthSchema.optional(),
  takenAt: timeSchema,
})

export const networkCalls = {
  /** Connects now, and again whenever the connection is lost; fails with P2P_ENODE when it isn't a valid enode. */
  'node.addPeer': call(z.object({ enode: enodeSchema }), done, 'control'),
  /** Disconnects and stops dialing it. */
  'node.removePeer': call(z.object({ id: nodeIdSchema }), done, 'control'),
  /** Whether the peer limits apply to it. */
  'node.trustPeer': call(z.object({ id: nodeIdSchema, isTrusted: z.boolean() }), done, 'control'),
  /** Disconnects and bans it for 24 hours, trusted or not. */
  'node.banPeer': call(z.object({ id: nodeIdSchema }), done, 'control'),
  'node.liftBan': call(z.object({ id: nodeIdSchema }), done, 'control'),
}

export const networkEvents = {
  'node.peers': event(peersSchema, 1),
  'node.sync': event(syncSchema, 1),
}

export type PeerView = z.infer<typeof peerSchema>
export type PeersView = z.infer<typeof peersSchema>
export type SyncView = z.infer<typeof syncSchema>
