// What the UI knows about other nodes: who is connected, how far a sync is, who is not spoken with and why.
import { z } from 'zod'
import { call, event } from '../base/wire/define'
import { countSchema, decimalSchema, done, hashSchema, timeSchema } from './shapes'

/** Public key of a node, 128 hex digits: names it in every call here. */
export const nodeIdSchema = z.string().regex(/^[0-9a-f]{128}$/)
/** `enode://ID@HOST:PORT[?discport=PORT]` */
export const enodeSchema = z.string().min(1).max(512)

export const peerSchema = z.object({
  id: nodeIdSchema,
  /** Of an inbound peer with the port that it dialled from, which nobody listens on. */
  enode: enodeSchema,
  /** IP address, IPv6 without brackets. */
  host: z.string(),
  port: countSchema,
  /** As it names itself; empty when it does not. */
  client: z.string(),
  /** Who dialled whom: `outbound` = we did. */
  direction: z.enum(['inbound', 'outbound']),
  /** Ignores the limits. */
  isTrusted: z.boolean(),
  /** Dialled again whenever the connection is lost. */
  isStatic: z.boolean(),
  /** `name/version`, what both speak. */
  capabilities: z.array(z.string()),
  /** The best block that it said or showed to have. */
  head: z.object({ hash: hashSchema, number: countSchema.nullable(), totalDifficulty: decimalSchema }),
  /** Round trip of the last ping. */
  latencyMs: z.number().nonnegative().nullable(),
  /** On the wire since it connected. */
  bytesIn: countSchema,
  bytesOut: countSchema,
  connectedAt: timeSchema,
})

export const banSchema = z.object({
  id: nodeIdSchema,
  reason: z.string(),
  endsAt: timeSchema,
})

export const peersSchema = z.object({
  /** How others dial us; null without a network layer. */
  self: z.object({ id: nodeIdSchema, enode: enodeSchema, enr: z.string() }).nullable(),
  /** Most peers that are let in; trusted and static ones may be more. */
  maxPeers: countSchema,
  /** In the order in which they connected. */
  peers: z.array(peerSchema),
  bans: z.array(banSchema),
  takenAt: timeSchema,
})

/** Our head against blocks of peers whose proof of work was checked, and how many networks we hear from. */
export const headHealthSchema = z.object({
  /** Height of the best such block; null when none is heavier than ours. */
  aheadNumber: countSchema.nullable(),
  /** Seconds that a peer has been ahead. */
  behindSeconds: countSchema,
  /** A peer has been ahead for 30 s: no work is given out, unless `--p2p.minebehind` says otherwise. */
  isBehind: z.boolean(),
  /** Independent networks (/16, /32 of IPv6) that we have peers in; all private ones count as one. */
  groups: countSchema,
  /** For 40 minutes there was no peer, or only peers of one network. */
  mayBeCutOff: z.boolean(),
  /** Peers of two networks follow a chain that parts from ours deeper than blocks can be taken back. */
  split: z.object({ height: countSchema.nullable(), peers: countSchema }).nullable(),
})

export const syncSchema = z.object({
  /**
   * `off`: no network layer; `idle`: no peer has more than we; `finding-ancestor`: where the chains part; `headers`: the first
   * ones are fetched and checked; `bodies`: the next block is not here yet; `importing`: blocks are being executed. Headers and
   * bodies go on being fetched in the last two.
   */
  phase: z.enum(['off', 'idle', 'finding-ancestor', 'headers', 'bodies', 'importing']),
  /** Height of the last block in common; after a run the figures of that run stay, all 0 before the first. */
  startingBlock: countSchema,
  /** Height of the last executed block of the run. */
  currentBlock: countSchema,
  /** Height of the peer's head. */
  highestBlock: countSchema,
  /** Headers of this run that are here and passed every check. */
  headersDone: countSchema,
  /** Bodies of this run that are here or were not needed. */
  bodiesDone: countSchema,
  /** Of the last minute. */
  blocksPerSecond: z.number().nonnegative().nullable(),
  /** Of the same blocks. */
  gasPerSecond: z.number().nonnegative().nullable(),
  /** Seconds until the peer's head, from the work of the last 10 minutes; null while two estimates, a minute apart, disagree. */
  remaining: z.object({ least: z.number().nonnegative(), most: z.number().nonnegative() }).nullable(),
  /** Peers that gave headers or bodies. */
  peersUsed: countSchema,
  /** Whose chain it is; null while no sync runs. */
  peer: nodeIdSchema.nullable(),
  /** Absent without a network layer. */
  health: headHealthSchema.optional(),
  takenAt: timeSchema,
})

export const networkCalls = {
  /** Connects now, and again whenever the connection is lost; fails with P2P_ENODE for what names no node. */
  'node.addPeer': call(z.object({ enode: enodeSchema }), done, 'control'),
  /** Ends the connection and dials no more by itself. */
  'node.removePeer': call(z.object({ id: nodeIdSchema }), done, 'control'),
  /** Whether the limits hold for it. */
  'node.trustPeer': call(z.object({ id: nodeIdSchema, isTrusted: z.boolean() }), done, 'control'),
  /** Ends the connection and speaks with it no more for 24 hours, trusted or not. */
  'node.banPeer': call(z.object({ id: nodeIdSchema }), done, 'control'),
  'node.liftBan': call(z.object({ id: nodeIdSchema }), done, 'control'),
}

export const networkEvents = {
  'node.peers': event(peersSchema, 1),
  'node.sync': event(syncSchema, 1),
}

export type PeerView = z.infer<typeof peerSchema>
export type BanView = z.infer<typeof banSchema>
export type PeersView = z.infer<typeof peersSchema>
export type SyncView = z.infer<typeof syncSchema>
