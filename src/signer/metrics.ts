// The signer's metrics.
import type { Counter, MetricsRegistry } from '../base/metrics'

export interface SignerMetrics {
  /** Requests that reached their end, by kind and last state. */
  readonly settled: Counter
  /** Calls rejected without asking the user, by reason: `queue` or `checks`. */
  readonly refused: Counter
}

/** @param waiting read on each scrape */
export function signerMetrics(registry: MetricsRegistry, waiting: () => number): SignerMetrics {
  registry.collect({ name: 'signer_requests_waiting', help: 'Requests waiting for the user.', type: 'gauge' }, () => [
    { labels: {}, value: waiting() },
  ])
  return {
    settled: registry.counter({
      name: 'signer_requests_total',
      help: 'Finished requests, by kind and final state.',
      labels: ['kind', 'state'],
    }),
    refused: registry.counter({
      name: 'signer_refused_total',
      help: 'Calls rejected before the user was asked, by reason.',
      labels: ['reason'],
    }),
  }
}
