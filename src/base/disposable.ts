// The handle of anything that must be released; on its own so that time and lifecycle can both stand on it.

/** Something to release. `dispose` is idempotent. */
export interface Disposable {
  dispose(): void
}
