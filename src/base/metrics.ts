// Metrics as a dependency: a trade declares families beside what they measure; the host exposes the registry.

/** Label values by label name. */
export type Labels = Readonly<Record<string, string>>

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
  counter(spec: MetricSpec): Counter
  /** A family whose samples are read on each scrape. */
  collect(spec: MetricSpec & { readonly type: 'gauge' | 'counter' }, read: () => readonly Sample[]): void
}
