// What every module logs to. The message is a fixed sentence, variables are fields; sinks live in the host.

/** Severity, least severe first. */
export type LogLevel = 'trace' | 'debug' | 'info' | 'warn' | 'error'
export const LOG_LEVELS = ['trace', 'debug', 'info', 'warn', 'error'] as const satisfies readonly LogLevel[]

/** Plain JSON-like values. Secrets are wrapped in `Secret`, which prints as `***`. */
export type LogFields = Readonly<Record<string, unknown>>

/** One log entry as a sink receives it. */
export interface LogRecord {
  /** UTC ms */
  readonly time: number
  readonly level: LogLevel
  readonly module: string
  readonly message: string
  readonly fields: LogFields
}

/** Structured logging: one method per level, each with a fixed message and fields. */
export interface Logger {
  trace(message: string, fields?: LogFields): void
  debug(message: string, fields?: LogFields): void
  info(message: string, fields?: LogFields): void
  warn(message: string, fields?: LogFields): void
  error(message: string, fields?: LogFields): void
  /** A logger for a part; `module` names nest with dots. */
  child(part: { readonly module: string }): Logger
}

/** Takes records of `minLevel` and above. */
export interface LogSink {
  write(record: LogRecord): void
}

/** A minimum level that may change while loggers use it. */
export interface LevelSource {
  readonly level: LogLevel
}

interface LoggerOptions {
  /** A `LevelSource` is read for each record. */
  readonly minLevel: LogLevel | LevelSource
  readonly now: () => number
  readonly sink: LogSink
}

/** A logger that writes to one sink. */
export function createLogger(module: string, options: LoggerOptions): Logger {
  const { minLevel } = options
  const isWritten = (level: LogLevel): boolean =>
    LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(typeof minLevel === 'string' ? minLevel : minLevel.level)
  const at =
    (level: LogLevel) =>
    (message: string, fields: LogFields = {}) => {
      if (!isWritten(level)) return
      options.sink.write({ time: options.now(), level, module, message, fields })
    }
  return {
    trace: at('trace'),
    debug: at('debug'),
    info: at('info'),
    warn: at('warn'),
    error: at('error'),
    child: (part) => createLogger(module === '' ? part.module : `${module}.${part.module}`, options),
  }
}

/** Drops everything; for tests. */
export const silentLogger: Logger = createLogger('', {
  minLevel: 'error',
  now: () => 0,
  sink: { write: () => undefined },
})
