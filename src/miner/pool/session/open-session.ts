// From a pool's address to sessions with it: the dialect that it names, or those that it may mean.

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
 * Tried in this order where the address does not say. The first one's login is the one request that common pool software
 * answers without counting it as malformed; the others go from the one with most to say about itself to the one with least.
 */
export const DETECTION_ORDER: readonly LineDialect[] = ['eth-proxy', 'stratum2', 'nicehash', 'stratum']

export interface SessionRequest {
  readonly url: PoolUrl
  /** asked for in this order on one connection while the pool refuses them; several only where the dialect is a guess */
  readonly dialects: readonly [LineDialect, ...LineDialect[]] | readonly ['getwork']
  readonly detecting: boolean
  /** how a NiceHash pool counts difficulty, once that was found out; null: by the rule */
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
