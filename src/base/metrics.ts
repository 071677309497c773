// Metrics as a dependency: trades declare families beside the code they measure and get a registry handed in; the host prints them.

export type Labels = Readonly<Record<string, string>>

export interface Gauge {
  set(value: number, labels?: Labels): void
}

export interface Counter {
  inc(by?: number, labels?: Labels): void
}

export interface MetricSpec {
  /** Family name with base unit as suffix (`_seconds`, `_bytes`, `_total`). */
  readonly name: string
  readonly help: string
  /** In the order they are printed. No label takes unbounded values. */
  readonly labels?: readonly string[]
}

export interface Sample {
  readonly labels: Labels
  readonly value: number
}

export interface MetricsRegistry {
  gauge(spec: MetricSpec): Gauge
  counter(spec: MetricSpec): Counter
  /** A family whose samples are read when the page is asked for. */
  collect(spec: MetricSpec & { readonly type: 'gauge' | 'counter' }, read: () => readonly Sample[]): void
}
