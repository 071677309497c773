// How far a test goes. `npm test` runs as many cases as it takes to notice that a rule is broken; `npm run test:deep` runs the files
// that ask here with all of theirs, which is minutes for each.

/** Set by `npm run test:deep` and `npm run conformance`. */
export const IS_DEEP = process.env.TEST_DEPTH === 'deep'

/** For the names of tests that `npm test` leaves out. */
export const DEEP_ONLY = IS_DEEP ? '' : ' (in npm run test:deep)'

/** @returns `usual` in `npm test`, `deep` where time does not count */
export function byDepth<T>(usual: T, deep: T): T {
  return IS_DEEP ? deep : usual
}
