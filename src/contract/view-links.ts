// Links to look at this program and no more: what one may be, how long it may last, and what those who follow it may ask.
import { z } from 'zod'
import { call } from '../base/wire/define'
import { countSchema, done, nothing, timeSchema } from './shapes'

/** ms by the name that the form has for it. */
export const LINK_LIFETIMES = { hour: 3_600_000, day: 86_400_000, month: 30 * 86_400_000 } as const
export const linkLifetimeSchema = z.enum(['hour', 'day', 'month'])

export const viewLinkSchema = z.object({
  id: z.string(),
  label: z.string(),
  /** Addresses, pool users and names of rigs are left out of every answer. */
  hides: z.boolean(),
  createdAt: timeSchema,
  expiresAt: timeSchema,
})

export const viewLinkCalls = {
  'app.viewLinks': call(
    nothing,
    z.object({
      /** Why none can be made: no port is open, or it can be read without a token, so that a link would hide nothing. */
      obstacle: z.enum(['', 'off', 'open']),
      /** `host:port` is of this computer only. */
      isLocalOnly: z.boolean(),
      links: z.array(viewLinkSchema),
      /** Connections that are open by a link, by its id. */
      watching: z.array(z.object({ id: z.string(), count: countSchema })),
    }),
    'control',
  ),
  /** `token` is told this once; it is kept as a hash only. Fails with HOST_LINK_REFUSED. */
  'app.viewLinkCreate': call(
    z.object({ label: z.string().trim().max(40), lifetime: linkLifetimeSchema, hides: z.boolean() }),
    z.object({ link: viewLinkSchema, token: z.string() }),
    'control',
  ),
  /** Whoever looks by it loses contact at once. */
  'app.viewLinkRevoke': call(z.object({ id: z.string().max(64) }), done, 'control'),
}

/**
 * What a link may ask that hides: an exact balance, an enode or a call's data would tell whose they are. A call that is in no
 * list is refused, so a new one has to be let in on purpose.
 */
export const HIDING_VIEW_CALLS: readonly string[] = [
  'app.info',
  'miner.history',
  'miner.timeline',
  'miner.losses',
  'miner.inventory',
  'miner.solutions',
  'miner.earnings',
  'node.blocks',
  'node.block',
  'node.poolReport',
]

/** What it is told: no requests, no records, no log lines. */
export const HIDING_VIEW_EVENTS: readonly string[] = [
  'app.status',
  'miner.devices',
  'miner.status',
  'miner.pools',
  'miner.tip',
  'miner.rigs',
  'node.head',
  'node.sync',
]

/** A link that hides nothing may ask, and is told, this besides. */
export const VIEW_CALLS: readonly string[] = [
  ...HIDING_VIEW_CALLS,
  'node.transaction',
  'node.pending',
  'node.receipt',
  'node.address',
  'node.poolPage',
  'node.reorgs',
  'node.addressHistory',
]

export const VIEW_EVENTS: readonly string[] = [...HIDING_VIEW_EVENTS, 'node.peers', 'node.balances', 'signer.accounts']

export type ViewLink = z.infer<typeof viewLinkSchema>
export type LinkLifetime = z.infer<typeof linkLifetimeSchema>
