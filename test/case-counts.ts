// What a test says of the cases in it: `npm run conformance` counts them (tools/conformance/results.mjs).
import 'vitest'

declare module 'vitest' {
  interface TaskMeta {
    /** How many cases the test has run; without it the test is one. */
    cases?: number
    /** What was left out on purpose, each with the reason. */
    leftOut?: readonly string[]
  }
}
