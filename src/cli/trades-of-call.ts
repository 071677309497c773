// The trades of a command that needs one of them for a moment, without the rest of the backend around it.
import type { LogLevel } from '../base/logger'
import { systemClock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import { LogService } from '../host/log/log-service'
import { TextMetrics } from '../host/system/metrics-text'
import type { Platform } from '../host/system/platform'
import { buildTrades, type Trades } from '../host/trades'
import type { TradesDeps } from '../host/trades-deps'

/** What hashes. */
export type Engine = NonNullable<Trades['engine']>

/** Nothing is started and no file is touched. @param defaultLevel as for `depsOf` */
export function tradesOf(config: ResolvedConfig, platform: Platform, defaultLevel: LogLevel = 'warn'): Trades {
  return buildTrades(depsOf(config, platform, defaultLevel))
}

/**
 * What trades and their parts are built from; the log has its lines on standard error only.
 * @param defaultLevel where no level was asked for; what is merely information would stand between a command and its
 * output
 */
export function depsOf(config: ResolvedConfig, platform: Platform, defaultLevel: LogLevel): TradesDeps {
  const clock = systemClock()
  const logs = new LogService(
    {
      minLevel: config.sources['app.logLevel']?.kind === 'default' ? defaultLevel : config.app.logLevel,
      json: config.app.logJson,
      dir: config.app.dataDir,
    },
    { clock, standardError: platform.standardError },
  )
  return { config, platform, clock, logs, metrics: new TextMetrics(), onChainLost: noEvent, onExitAsked: noEvent }
}

/** Nothing is started, so nothing happens. */
function noEvent(): void {}
