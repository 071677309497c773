// Builds single trades for commands that need one briefly, without the rest of the backend.
import type { LogLevel } from '../base/logger'
import { systemClock } from '../base/time'
import type { ResolvedConfig } from '../config/resolved-config'
import { LogService } from '../host/log/log-service'
import { TextMetrics } from '../host/system/metrics-text'
import type { Platform } from '../host/system/platform'
import { buildEngine, needsEngine } from '../host/trades'
import type { TradesDeps } from '../host/trades-deps'

export type Engine = ReturnType<typeof buildEngine>

/** Of a run with this configuration; null if it needs none. Starts nothing and touches no file. @param defaultLevel as for `depsOf` */
export function engineOf(config: ResolvedConfig, platform: Platform, defaultLevel: LogLevel = 'warn'): Engine | null {
  return needsEngine(config) ? buildEngine(depsOf(config, platform, defaultLevel)) : null
}

/** For trades; logs go to standard error only. @param defaultLevel info would get between a command's lines */
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

/** Nothing is started, so there are no events. */
function noEvent(): void {}
