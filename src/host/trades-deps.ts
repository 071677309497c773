// What every trade is built from.
import type { Clock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import type { LogService } from './log/log-service'
import type { TextMetrics } from './system/metrics-text'
import type { Platform } from './system/platform'

export interface TradesDeps {
  readonly config: ResolvedConfig
  readonly platform: Platform
  readonly clock: Clock
  readonly logs: LogService
  readonly metrics: TextMetrics
  /** The chain worker ended by itself. */
  readonly onChainLost: (reason: string) => void
  /** The miner ends the program: its pool list reached `exit` (null), or a device failed under --exit (the reason). */
  readonly onExitAsked: (failure: Error | null) => void
}
