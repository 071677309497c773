// Read-only links to this program: their form, how long they may last, and what their holders may call.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { countSchema, done, nothing, timeSchema } from './shapes'

/** ms by the name used in the form. */
export const LINK_LIFETIMES = { hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 } as const
const linkLifetimeSchema = z.enum(['hour', 'day', 'month'])

export const viewLinkSchema = z.object({
  id: z.string(),
  label: z.string(),
  /** Addresses, pool users and rig names are removed from every answer. */
  hides: z.boolean(),
  createdAt: timeSchema,
  expiresAt: timeSchema,
})

export const viewLinkCalls = {
  'app.viewLinks': call(
    nothing,
    z.object({
      /** Why none can be made: no port is open, or it is readable without a token, so a link would hide nothing. */
      obstacle: z.enum(['', 'off', 'open']),
      /** `host:port` is reachable from this computer only. */
      isLocalOnly: z.boolean(),
      links: z.array(viewLinkSchema),
      /** Open connections by link id. */
      watching: z.array(z.object({ id: z.string(), count: countSchema })),
    }),
    'control',
  ),
  /** `token` is returned this once; only its hash is kept. Fails with HOST_LINK_REFUSED. */
  'app.viewLinkCreate': call(
    z.object({ label: z.string().trim().max(40), lifetime: linkLifetimeSchema, hides: z.boolean() }),
    z.object({ link: viewLinkSchema, token: z.string() }),
    'control',
  ),
  /** Its open connections are closed immediately. */
  'app.viewLinkRevoke': call(z.object({ id: z.string().max(64) }), done, 'control'),
}

/** For a hiding link: balances, enodes or call data would identify the owner. A call in no list is refused. */
export const HIDING_VIEW_CALLS: readonly string[] = [
  'app.info',
  'app.now',
  'miner.history',
  'miner.timeline',
  'miner.inventory',
  'miner.solutions',
  'miner.earnings',
  'node.blocks',
  'node.block',
  'node.poolReport',
]

/** Events such a link receives: no requests, no records, no log lines. */
export const HIDING_VIEW_EVENTS: readonly string[] = [
  'app.status',
  'miner.devices',
  'miner.status',
  'miner.pools',
  'miner.poolHead',
  'miner.rigs',
  'node.head',
  'node.sync',
]

/** Calls and events that a link which hides nothing gets in addition. */
export const VIEW_CALLS: readonly string[] = [
  ...HIDING_VIEW_CALLS,
  'miner.money',
  'miner.incidentHistory',
  'miner.incidentRules',
  'node.transaction',
  'node.receipt',
  'node.address',
  'node.poolPage',
  'node.reorgs',
  'node.addressHistory',
]

export const VIEW_EVENTS: readonly string[] = [
  ...HIDING_VIEW_EVENTS,
  'miner.incidents',
  'node.peers',
  'node.balances',
  'signer.accounts',
]

export type ViewLink = z.infer<typeof viewLinkSchema>
export type LinkLifetime = z.infer<typeof linkLifetimeSchema>
