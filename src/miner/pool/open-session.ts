// From a pool's address to sessions with it: the dialect that it names, or each one that it may mean in turn.

import type { DialectName, PoolUrl } from '../../config/pool-url'
import type { Dialect, DialectLink } from './dialects/dialect'
import { EthProxyDialect } from './dialects/eth-proxy'
import { NicehashDialect } from './dialects/nicehash'
import { StratumDialect } from './dialects/stratum'
import { Stratum2Dialect } from './dialects/stratum2'
import { GetworkSession } from './getwork-session'
import type { PoolSession, SessionDeps } from './session'
import type { DifficultyUnit } from './share-target'
import { StratumSession } from './stratum-session'

/** Tried in this order where the address does not say (miner.md B3 Detection). */
export const DETECTION_ORDER: readonly DialectName[] = ['stratum2', 'nicehash', 'eth-proxy', 'stratum']

export interface SessionRequest {
  readonly url: PoolUrl
  readonly dialect: DialectName
  readonly detecting: boolean
  /** how a NiceHash pool counts difficulty, once that was found out; null: by the rule */
  readonly difficultyUnit: DifficultyUnit | null
}

/** Not yet started. */
export function openSession(request: SessionRequest, deps: SessionDeps): PoolSession {
  const { url, dialect, detecting } = request
  if (dialect === 'getwork') return new GetworkSession(url, deps)
  return new StratumSession({ url, detecting }, (link) => makeDialect(dialect, link, request), deps)
}

function makeDialect(name: Exclude<DialectName, 'getwork'>, link: DialectLink, request: SessionRequest): Dialect {
  switch (name) {
    case 'stratum':
      return new StratumDialect(link)
    case 'eth-proxy':
      return new EthProxyDialect(link)
    case 'nicehash':
      return new NicehashDialect(link, request.url.difficultyUnit ?? request.difficultyUnit)
    case 'stratum2':
      return new Stratum2Dialect(link)
  }
}
