// Watches one rig on a clock of its own: the last summary is kept, failures are asked about more rarely.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { RigLabels } from '../../config/values/rig-address'
import type { ForeignSummary, OtherRig } from '../api/rigs'
import type { PollOutcome } from './rig-client'

/** Share of the interval by which polls are spread, so that many rigs do not answer at once. */
const JITTER = 0.1
/** After failures the interval doubles up to this many times itself. */
const LONGEST_INTERVALS = 4
/** Digits that a summary's numbers may grow by. */
const SPARE_BYTES = 64

export interface RigPollerOptions {
  readonly name: string
  /** `host:port` as shown */
  readonly host: string
  readonly labels: RigLabels
  readonly intervalMs: number
}

export interface RigPollerDeps {
  readonly poll: () => Promise<PollOutcome>
  readonly clock: Clock
  /** 0 <= x < 1 */
  readonly random: () => number
  readonly onChange: () => void
}

export class RigPoller {
  /** as JSON in UTF-8, which takes a tenth of the memory, at the beginning of the buffer; null before the first */
  #summary: Buffer | null = null
  #summaryBytes = 0
  #summaryAt = 0
  #error = 'not polled yet'
  #failures = 0
  #timer: Disposable | null = null
  #running = false
  #isAsking = false
  #isHurried = false
  #begun = 0
  #kept = 0

  constructor(
    private readonly options: RigPollerOptions,
    private readonly deps: RigPollerDeps,
  ) {}

  /** @param afterMs of the first poll */
  start(afterMs = 0): void {
    if (this.#running) return
    this.#running = true
    // One that is under way since before a stop goes on by itself.
    if (this.#isAsking) return
    if (afterMs === 0) void this.#pollOnce()
    else this.#timer = this.deps.clock.setTimeout(() => void this.#pollOnce(), afterMs)
  }

  stop(): void {
    this.#running = false
    this.#timer?.dispose()
    this.#timer = null
  }

  /** Number of the latest look that began, from 1; what it finds is later than everything before it. */
  begun(): number {
    return this.#begun
  }

  /** Number of the look that brought the kept summary; 0 before the first. */
  kept(): number {
    return this.#kept
  }

  /** Looks at once; where a look is under way, again right after it, since that one may be of before. */
  hurry(): void {
    if (!this.#running) return
    this.#isHurried = this.#isAsking
    if (this.#isAsking) return
    this.#timer?.dispose()
    void this.#pollOnce()
  }

  view(): OtherRig {
    const { name, host, labels } = this.options
    const told = Object.keys(labels).length === 0 ? {} : { labels }
    const base = { name, host, ...told, online: this.#error === '', error: this.#error }
    if (this.#summary === null) return { ...base, age: -1 }
    const age = Math.floor((this.deps.clock.monotonic() - this.#summaryAt) / 1_000)
    const kept = (): string => this.#summary?.toString('utf8', 0, this.#summaryBytes) ?? '{}'
    return {
      ...base,
      age,
      /** of the moment at which it is read */
      get summary(): ForeignSummary {
        return z.record(z.string(), z.unknown()).parse(JSON.parse(kept()))
      },
    }
  }

  async #pollOnce(): Promise<void> {
    const startedAt = this.deps.clock.monotonic()
    this.#begun += 1
    const number = this.#begun
    this.#isAsking = true
    const outcome = await this.deps.poll()
    this.#isAsking = false
    if (!this.#running) return
    const now = this.deps.clock.monotonic()
    if ('summary' in outcome) {
      this.#keep(JSON.stringify(outcome.summary))
      this.#summaryAt = now
      this.#kept = number
      this.#error = ''
      this.#failures = 0
    } else {
      this.#error = outcome.error
      this.#failures += 1
    }
    const delayMs = this.#isHurried ? 0 : Math.max(0, this.#delayMs() - (now - startedAt))
    this.#isHurried = false
    this.#timer = this.deps.clock.setTimeout(() => void this.#pollOnce(), delayMs)
    this.deps.onChange()
  }

  /** In the memory of the one before where it suits, so that a large fleet leaves nothing behind at each round. */
  #keep(text: string): void {
    const bytes = Buffer.byteLength(text)
    const room = this.#summary?.length ?? 0
    // Outside of Node's pool, whose pieces would be held by a single one of the summaries in it.
    if (room < bytes || room > 2 * bytes) this.#summary = Buffer.allocUnsafeSlow(bytes + SPARE_BYTES)
    this.#summaryBytes = this.#summary?.write(text) ?? 0
  }

  /** From the beginning of one poll to that of the next. */
  #delayMs(): number {
    const factor = Math.min(LONGEST_INTERVALS, 2 ** Math.max(0, this.#failures - 1))
    const spread = 1 - JITTER + 2 * JITTER * this.deps.random()
    return Math.round(this.options.intervalMs * factor * spread)
  }
}
