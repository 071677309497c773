// Polls one rig on its own schedule: keeps the last summary, and backs off after failures.
import { z } from 'zod'
import type { Disposable } from '../../base/disposable'
import type { Clock } from '../../base/time'
import type { RigLabels } from '../../config/values/rig-address'
import type { ForeignSummary, OtherRig } from '../api/rigs'
import type { PollOutcome } from './rig-client'

const JITTER = 0.1
/** After failures the interval doubles, up to this multiple. */
const LONGEST_INTERVALS = 4
/** Room for a summary's numbers to grow. */
const SPARE_BYTES = 64

interface RigPollerOptions {
  readonly name: string
  /** `host:port` for display */
  readonly host: string
  readonly labels: RigLabels
  readonly intervalMs: number
}

interface RigPollerDeps {
  readonly poll: () => Promise<PollOutcome>
  readonly clock: Clock
  /** 0 <= x < 1 */
  readonly random: () => number
  readonly onChange: () => void
}

/** The poller of one rig. */
export class RigPoller {
  /** UTF-8 JSON, which takes a tenth of the memory, at the start of the buffer; null before the first */
  #summary: Buffer | null = null
  #summaryBytes = 0
  #summaryAt = 0
  #error = 'not polled yet'
  #failures = 0
  #timer: Disposable | null = null
  #running = false
  #isAsking = false
  #isHurried = false
  /** Number of the last poll begun, from 1; its findings are newer than everything before. */
  begun = 0
  /** Number of the poll that brought the last summary; 0 before the first. */
  kept = 0

  constructor(
    private readonly options: RigPollerOptions,
    private readonly deps: RigPollerDeps,
  ) {}

  /** @param afterMs delay of the first poll */
  start(afterMs = 0): void {
    if (this.#running) return
    this.#running = true
    // One that was running since before a stop continues by itself.
    if (this.#isAsking) return
    if (afterMs === 0) void this.#pollOnce()
    else this.#timer = this.deps.clock.setTimeout(() => void this.#pollOnce(), afterMs)
  }

  stop(): void {
    this.#running = false
    this.#timer?.dispose()
    this.#timer = null
  }

  /** Polls immediately; when a poll is running, again right after it, since that one may be outdated. */
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
      /** Parsed on each read. */
      get summary(): ForeignSummary {
        return z.record(z.string(), z.unknown()).parse(JSON.parse(kept()))
      },
    }
  }

  async #pollOnce(): Promise<void> {
    const startedAt = this.deps.clock.monotonic()
    this.begun += 1
    const number = this.begun
    this.#isAsking = true
    const outcome = await this.deps.poll()
    this.#isAsking = false
    if (!this.#running) return
    const now = this.deps.clock.monotonic()
    if ('summary' in outcome) {
      this.#keep(JSON.stringify(outcome.summary))
      this.#summaryAt = now
      this.kept = number
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

  /** Reuses the previous summary's memory if it fits, so that many rigs produce no garbage per round. */
  #keep(text: string): void {
    const bytes = Buffer.byteLength(text)
    const room = this.#summary?.length ?? 0
    // Outside Node's buffer pool, whose chunks would be kept alive by a single summary in them.
    if (room < bytes || room > 2 * bytes) this.#summary = Buffer.allocUnsafeSlow(bytes + SPARE_BYTES)
    this.#summaryBytes = this.#summary?.write(text) ?? 0
  }

  /** Start-to-start interval of polls. */
  #delayMs(): number {
    const factor = Math.min(LONGEST_INTERVALS, 2 ** Math.max(0, this.#failures - 1))
    const spread = 1 - JITTER + 2 * JITTER * this.deps.random()
    return Math.round(this.options.intervalMs * factor * spread)
  }
}
