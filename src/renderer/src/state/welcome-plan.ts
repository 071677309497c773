// The choices made at a first start, and their meaning for the config file and on a command line.
import { z } from 'zod'

/** Stored on this device, so that it survives a restart; nothing in it is secret. */
export const planSchema = z.object({
  network: z.enum(['practice', 'main', 'test']).catch('practice'),
  /** Who receives rewards; empty = the existing or created account, otherwise nobody. */
  coinbase: z.string().max(42).catch(''),
  work: z.enum(['solo', 'pool']).catch('solo'),
  sharing: z.enum(['local', 'home']).catch('local'),
})

export type Plan = z.infer<typeof planSchema>

/** What may contain a password: only in memory, so that leaving the page clears it. */
export interface Secrets {
  readonly poolUrl: string
  /** For the control port on the home network; created when that was chosen. */
  readonly token: string
}

export interface Change {
  readonly key: string
  readonly flag: string
  readonly value: string
  readonly shown?: string
}

export const HOME_BIND = '0.0.0.0:3333'
const MASK = '***'

/** A pool's address with its passwords masked: the rest of it has to be recognized. */
function withoutPassword(url: string): string {
  const own = url.replace(/^((?:[a-z0-9+]+:\/\/)?[^:@/]*):[^/]*@/i, `$1:${MASK}@`)
  // A proxy's login stands in the address, too, in whatever spelling.
  return own.replace(/([?&#][^=&]*=)[^&]*(?:@|%40)[^&]*/gi, `$1${MASK}`)
}

/** What has to be written; nothing for a practice start with defaults. */
export function changesOf(plan: Plan, { poolUrl, token }: Secrets): readonly Change[] {
  const isReal = plan.network !== 'practice'
  const isPool = plan.work === 'pool' && poolUrl !== ''
  return [
    ...(isReal ? [{ key: 'app.network', flag: 'network', value: plan.network }] : []),
    ...(plan.coinbase === '' ? [] : [{ key: 'node.coinbase', flag: 'miner.coinbase', value: plan.coinbase }]),
    // On a real network, mining without an account to pay makes no sense.
    ...(isReal && !isPool && plan.coinbase !== '' ? [{ key: 'node.mine', flag: 'mine', value: 'true' }] : []),
    ...(isPool ? [{ key: 'pool.urls', flag: 'pool', value: poolUrl, shown: withoutPassword(poolUrl) }] : []),
    ...(plan.sharing === 'local'
      ? []
      : [
          { key: 'api.token', flag: 'api-token', value: token, shown: MASK },
          { key: 'api.bind', flag: 'api-bind', value: HOME_BIND },
        ]),
  ]
}

/** The same as a typed command line, secrets masked. */
export function commandLineOf(changes: readonly Change[]): string {
  const words = changes.map(({ flag, value, shown = value }) => (value === 'true' ? `--${flag}` : `--${flag} ${shown}`))
  return ['headframe', ...words].join(' ')
}

/** 128 random bits as hex. */
export function newToken(random: Pick<Crypto, 'getRandomValues'>): string {
  const bytes = random.getRandomValues(new Uint8Array(16))
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('')
}
