// How deep a test goes. `npm test` runs as many cases as it takes to notice a broken rule; `npm run test:deep` runs the
// files that use this with all of their cases, which takes minutes for each.

/** Set by `npm run test:deep` and `npm run conformance`. */
export const IS_DEEP = process.env.TEST_DEPTH === 'deep'

/** For the names of tests that `npm test` skips. */
export const DEEP_ONLY = IS_DEEP ? '' : ' (in npm run test:deep)'

/** @returns `usual` in `npm test`, `deep` if time doesn't matter */
export function byDepth<T>(usual: T, deep: T): T {
  return IS_DEEP ? deep : usual
}
