// Event loop delay and memory of the host process; the target is p99 under 50 ms.
import { type IntervalHistogram, monitorEventLoopDelay } from 'node:perf_hooks'
import type { Service } from '../../base/lifecycle'
import type { MetricsRegistry, Sample } from '../../base/metrics'

/** Each step wakes an idle program. A delay as long as the target is always seen with steps as long as that. */
const RESOLUTION_MS = 50
const NANOSECONDS = 1e9
const QUANTILES = [
  ['0.5', 50],
  ['0.99', 99],
  ['1', 100],
] as const

/** Families `host_event_loop_delay_seconds{quantile}` and `host_memory_bytes`. */
export class EventLoopMonitor implements Service {
  readonly name = 'event-loop-monitor'
  #histogram: IntervalHistogram | null = null

  constructor(metrics: MetricsRegistry) {
    metrics.collect(
      {
        name: 'host_event_loop_delay_seconds',
        help: 'Delay of the host event loop since startup, beyond the sampling step',
        labels: ['quantile'],
        type: 'gauge',
      },
      () => this.delays(),
    )
    metrics.collect({ name: 'host_memory_bytes', help: 'Resident memory of the process', type: 'gauge' }, () => [
      { labels: {}, value: process.memoryUsage.rss() },
    ])
  }

  async start(): Promise<void> {
    this.#histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
    this.#histogram.enable()
  }

  async stop(): Promise<void> {
    this.#histogram?.disable()
    this.#histogram = null
  }

  /** Seconds by quantile; empty while stopped. The histogram's own resolution is subtracted: an idle loop shows 0. */
  delays(): readonly Sample[] {
    const histogram = this.#histogram
    if (histogram === null) return []
    return QUANTILES.map(([quantile, percent]) => ({
      labels: { quantile },
      value: Math.max(0, histogram.percentile(percent) / NANOSECONDS - RESOLUTION_MS / 1_000),
    }))
  }
}
