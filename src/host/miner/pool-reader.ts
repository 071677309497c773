// Pool addresses as configured.
import type { Logger } from '../../base/logger'
import type { ResolvedConfig } from '../../config/resolved-config'
import { hostPort, loginSeen, type PoolUrl, type PoolUrlOutcome, parsePoolUrl } from '../../config/values/pool-url'

/** Parses pool addresses as configured: with the login for all pools, and possibly without certificate checks. */
export function poolReader({ pool, pools }: Pick<ResolvedConfig, 'pool' | 'pools'>): (text: string) => PoolUrlOutcome {
  return (text) => {
    const outcome = parsePoolUrl(pools.withDefaults(text))
    return 'url' in outcome && pool.noVerify ? { url: { ...outcome.url, verify: false } } : outcome
  }
}

/** What each pool will see, before the first connection: a typing error here pays someone else. */
export function logLogin(log: Logger, url: PoolUrl): void {
  log.info('logs in at the pool', { pool: hostPort(url), ...loginSeen(url) })
  for (const reason of url.warnings) log.warn("check the pool's login", { pool: hostPort(url), reason })
}
