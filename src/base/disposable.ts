// The handle of anything that must be released; in its own file so that time and lifecycle can both import it.

/** Something to release. `dispose` is idempotent. */
export interface Disposable {
  dispose(): void
}
