// Values in clef's notation, whose errors print them in Go's format. For strict mode only.

const MAX_LENGTH = 200

/** How clef prints a JSON value (%v); long ones are truncated. */
export function referenceText(value: unknown): string {
  return textOf(value, 0).slice(0, MAX_LENGTH)
}

/** Its name for the type of a JSON value that is neither number nor string. */
export function referenceType(value: unknown): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'boolean') return 'bool'
  return Array.isArray(value) ? '[]interface {}' : 'map[string]interface {}'
}

/** More would be truncated anyway. */
const MAX_ITEMS = 100
const MAX_DEPTH = 20

function textOf(value: unknown, depth: number): string {
  if (value === null || value === undefined) return '<nil>'
  if (typeof value === 'number') return numberText(value)
  if (typeof value !== 'object') return String(value).slice(0, MAX_LENGTH)
  if (depth > MAX_DEPTH) return ''
  if (Array.isArray(value)) {
    return `[${value
      .slice(0, MAX_ITEMS)
      .map((item: unknown) => textOf(item, depth + 1))
      .join(' ')}]`
  }
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : Number(a > b)))
  return `map[${members
    .slice(0, MAX_ITEMS)
    .map(([name, item]) => `${name}:${textOf(item, depth + 1)}`)
    .join(' ')}]`
}

/** From a million on, and below 0.0001, with an exponent of at least two digits. */
function numberText(value: number): string {
  const size = Math.abs(value)
  if (size === 0 || (size >= 1e-4 && size < 1e6)) return Object.is(value, -0) ? '-0' : String(value)
  return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
}
