// What every trade is built from.
import type { Clock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import type { LogService } from './log-service'
import type { TextMetrics } from './metrics-text'
import type { Platform } from './platform'

export interface TradesDeps {
  readonly config: ResolvedConfig
  readonly platform: Platform
  readonly clock: Clock
  readonly logs: LogService
  readonly metrics: TextMetrics
  /** The chain worker ended by itself. */
  readonly onChainLost: (reason: string) => void
  /** The miner's list of pools came to its `exit`: the program is to end. */
  readonly onExitAsked: () => void
}
