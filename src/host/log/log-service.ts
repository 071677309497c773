// The program's log: standard error at once, the file when the data directory is locked, and the UI's ring.
import { Disposables, type Service } from '../../base/lifecycle'
import { createLogger, type Logger, type LogLevel, type LogSink } from '../../base/logger'
import type { Clock } from '../../base/time'
import { ActivityRing } from './activity-ring'
import { CrashFile } from './crash-file'
import { humanLine, jsonLine } from './log-format'
import { LogRing } from './log-ring'
import { CountingSink, FileSink } from './log-sinks'
import { SharedLevel } from './shared-level'

interface LogServiceOptions {
  readonly minLevel: LogLevel
  /** One JSON object per line on standard error; the file is for people either way. */
  readonly json: boolean
  readonly dir: string
  /** Of the file; missing: as `FileSink` does. */
  readonly limitBytes?: number
  readonly keep?: number
}

interface LogServiceDeps {
  readonly clock: Clock
  readonly standardError: (line: string) => void
}

const FLUSH_MS = 1_000

export class LogService implements Service {
  readonly name = 'logs'
  readonly activity = new ActivityRing()
  readonly lines = new LogRing()
  readonly crashes: CrashFile
  readonly logger: Logger
  /** For every logger here and in the workers; changes apply immediately. */
  readonly level = new SharedLevel()
  /** For records that other threads made. */
  readonly sink: LogSink
  readonly #clock: Clock
  readonly #file: FileSink
  readonly #counting: CountingSink
  readonly #held = new Disposables()

  constructor(options: LogServiceOptions, { clock, standardError }: LogServiceDeps) {
    this.#clock = clock
    const { minLevel: _level, json: _json, ...file } = options
    this.#file = new FileSink({ ...file, format: humanLine })
    this.crashes = new CrashFile({ dir: options.dir, format: humanLine })
    const lineOf = options.json ? jsonLine : humanLine
    const sinks = [this.#file, this.crashes, this.activity, this.lines]
    this.#counting = new CountingSink({
      write: (record) => {
        standardError(lineOf(record))
        for (const sink of sinks) sink.write(record)
      },
    })
    this.sink = this.#counting
    this.level.set(options.minLevel)
    this.logger = createLogger('', { minLevel: this.level, now: clock.now, sink: this.sink })
  }

  async start(): Promise<void> {
    this.#file.open()
    this.#held.defer(() => this.#file.close())
    this.crashes.open()
    this.#held.defer(() => this.crashes.close())
    this.#held.add(this.#clock.setInterval(() => this.#counting.flush(this.#clock.now()), FLUSH_MS))
  }

  async stop(): Promise<void> {
    this.#held.dispose()
  }
}
