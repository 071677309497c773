// Compares a value with a vector's expectation: `{"$re"}` is a pattern, `{"$any"}` a type, `{"$bind"}` adds nothing
// here.

/** Null if it matches, otherwise the path of the first difference. */
export function mismatch(expected: unknown, actual: unknown, path = 'answer'): string | null {
  if (isRecord(expected)) {
    if (typeof expected.$re === 'string') {
      return typeof actual === 'string' && new RegExp(expected.$re).test(actual) ? null : `${path}: ${String(actual)}`
    }
    if (typeof expected.$any === 'string') return typeof actual === expected.$any ? null : `${path}: ${typeof actual}`
    if (!isRecord(actual)) return `${path}: ${JSON.stringify(actual)}`
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)])
    return firstOf([...names].map((name) => mismatch(expected[name], actual[name], `${path}.${name}`)))
  }
  if (Array.isArray(expected)) {
    if (!Array.isArray(actual) || actual.length !== expected.length) return `${path}: ${JSON.stringify(actual)}`
    return firstOf(expected.map((item, index) => mismatch(item, actual[index], `${path}[${index}]`)))
  }
  return Object.is(expected, actual) ? null : `${path}: ${JSON.stringify(actual)}, want ${JSON.stringify(expected)}`
}

function firstOf(found: readonly (string | null)[]): string | null {
  return found.find((item) => item !== null) ?? null
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
