// Counts that a test reports about its cases, for `npm run conformance` (tools/conformance/results.mjs).
import 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases the test has run; without it the test counts as one. */
    cases?: number
    /** What was skipped on purpose, each with the reason. */
    leftOut?: readonly string[]
  }
}
