// A build step of the host side: modules that a library tries to load and works without. They would be built in, with all that they
// need, only because they happen to be installed.

const ABSENT = '\0absent:'

/**
 * Gives whoever loads one of these modules an empty one.
 * @param {readonly string[]} names as they are loaded
 */
export function absentModules(names) {
  return {
    name: 'absent-modules',
    enforce: 'pre',
    resolveId: (id) => (names.includes(id) ? `${ABSENT}${id}` : null),
    load: (id) => (id.startsWith(ABSENT) ? 'export default null' : null),
  }
}
