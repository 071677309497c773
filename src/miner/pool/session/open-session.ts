// From a pool's address to a session: with the dialect in the address, or with the possible ones.

import type { PoolUrl } from '../../../config/values/pool-url'
import type { Dialect, DialectLink } from '../dialects/dialect'
import { EthProxyDialect } from '../dialects/eth-proxy'
import { NicehashDialect } from '../dialects/nicehash'
import { StratumDialect } from '../dialects/stratum'
import { Stratum2Dialect } from '../dialects/stratum2'
import { GetworkSession } from './getwork-session'
import type { LineDialect, PoolSession, SessionDeps } from './session'
import type { DifficultyUnit } from './share-target'
import { StratumSession } from './stratum-session'

/**
 * Order of detection when the address doesn't say. The first one's login is the one request that common pool software
 * answers without counting it as malformed; then from the dialect with the most distinctive answer to the least.
 */
export const DETECTION_ORDER: readonly LineDialect[] = ['eth-proxy', 'stratum2', 'nicehash', 'stratum']

/** What a session is opened with. */
export interface SessionRequest {
  readonly url: PoolUrl
  /** tried in this order on one connection while the pool rejects them; several only during detection */
  readonly dialects: readonly [LineDialect, ...LineDialect[]] | readonly ['getwork']
  readonly detecting: boolean
  /** a NiceHash pool's difficulty unit, once determined; null: by the rule */
  readonly difficultyUnit: DifficultyUnit | null
}

/** Not yet started. */
export function openSession(request: SessionRequest, deps: SessionDeps): PoolSession {
  const { url, dialects, detecting } = request
  if (dialects[0] === 'getwork') return new GetworkSession(url, deps)
  return new StratumSession({ url, detecting, dialects }, (name, link) => makeDialect(name, link, request), deps)
}

function makeDialect(name: LineDialect, link: DialectLink, request: SessionRequest): Dialect {
  switch (name) {
    case 'stratum':
      return new StratumDialect(link, request.detecting)
    case 'eth-proxy':
      return new EthProxyDialect(link)
    case 'nicehash':
      return new NicehashDialect(link, request.url.difficultyUnit ?? request.difficultyUnit)
    case 'stratum2':
      return new Stratum2Dialect(link)
  }
}
