// Prometheus text for the families declared by trades, on our own registry (prom-client's global one is never used).
import { Counter as PromCounter, Gauge as PromGauge, Registry } from 'prom-client'
import type { Counter, Labels, MetricSpec, MetricsRegistry, Sample } from '../../base/metrics'

type Read = () => readonly Sample[]

export class TextMetrics implements MetricsRegistry {
  readonly contentType = 'text/plain; version=0.0.4; charset=utf-8'
  readonly #registry = new Registry()
  readonly #counters = new Map<string, PromCounter>()
  readonly #readers = new Map<string, Read>()

  /** A family that was already declared is returned again. */
  counter(spec: MetricSpec): Counter {
    const counter = this.#counters.get(spec.name) ?? new PromCounter(this.#config(spec))
    this.#counters.set(spec.name, counter)
    return { inc: (by = 1, labels = {}) => counter.inc(inOrder(spec, labels), by) }
  }

  /** Declared again after a restart of its service, the family keeps its position and gets the new reader. */
  collect(spec: MetricSpec & { readonly type: 'gauge' | 'counter' }, read: Read): void {
    const known = this.#readers.has(spec.name)
    this.#readers.set(spec.name, read)
    if (known) return
    const samples: Read = () => this.#readers.get(spec.name)?.() ?? []
    // A reset gives a family without labels the value 0, which is no sample of its reader.
    const isBare = (spec.labels ?? []).length === 0
    const collect = function (this: PromGauge | PromCounter): void {
      this.reset()
      if (isBare) this.remove()
      for (const { labels, value } of samples()) this.inc(inOrder(spec, labels), value)
    }
    const config = { ...this.#config(spec), collect }
    if (spec.type === 'gauge') new PromGauge(config)
    else new PromCounter(config)
  }

  /** The page of GET /metrics: families in declaration order, every line ends with LF. */
  async text(): Promise<string> {
    const names = this.#registry.getMetricsAsArray().map(({ name }) => name)
    const families = await Promise.all(names.map((name) => this.#registry.getSingleMetricAsString(name)))
    return families.map((family) => `${family}\n`).join('')
  }

  #config({ name, help, labels = [] }: MetricSpec) {
    return { name, help, labelNames: [...labels], registers: [this.#registry] }
  }
}

/** prom-client prints labels in the order of the given object. */
function inOrder({ labels: names = [] }: MetricSpec, labels: Labels): Record<string, string> {
  const ordered: Record<string, string> = {}
  for (const name of names) {
    const value = labels[name]
    if (value !== undefined) ordered[name] = value
  }
  return ordered
}
