// Metrics as a dependency: each trade declares families beside the code they measure and is handed a registry; the host
// exposes them.

/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>

/** A value that can go up and down. */
export interface Gauge {
  set(value: number, labels?: Labels): void
}

/** A value that only grows. */
export interface Counter {
  inc(by?: number, labels?: Labels): void
}

/** Declares one family of metrics. */
export interface MetricSpec {
  /** Family name with base unit as suffix (`_seconds`, `_bytes`, `_total`). */
  readonly name: string
  readonly help: string
  /** In print order. No label takes unbounded values. */
  readonly labels?: readonly string[]
}

/** One reading: a value and its labels. */
export interface Sample {
  readonly labels: Labels
  readonly value: number
}

/** Creates metric families; the host's implementation prints them. */
export interface MetricsRegistry {
  gauge(spec: MetricSpec): Gauge
  counter(spec: MetricSpec): Counter
  /** A family whose samples are read on each scrape. */
  collect(spec: MetricSpec & { readonly type: 'gauge' | 'counter' }, read: () => readonly Sample[]): void
}
