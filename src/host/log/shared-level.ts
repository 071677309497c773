// The minimum log level of this process and its worker threads, which can change while they run.
import { type LevelSource, LOG_LEVELS, type LogLevel } from '../../base/logger'

/** One number in memory that every thread reads. */
export class SharedLevel implements LevelSource {
  readonly #cell: Int32Array

  /** @param buffer 4 bytes from another thread; default: a new one */
  constructor(readonly buffer = new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) {
    this.#cell = new Int32Array(buffer)
  }

  get level(): LogLevel {
    return LOG_LEVELS[Atomics.load(this.#cell, 0)] ?? 'trace'
  }

  set(level: LogLevel): void {
    Atomics.store(this.#cell, 0, LOG_LEVELS.indexOf(level))
  }
}
