import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementTexts, endOfString, endOfValue, memberTexts } from './json-text'

describe('cutting JSON text', () => {
  it('finds the same parts as the parser', () => {
    fc.assert(
      fc.property(fc.json(), fc.json(), (first, second) => {
        const array = `[ ${first} ,\n${second}]`
        const object = `{"a" :${first}, "b": ${second} }`

        expect(endOfValue(`${array}rest`, 0)).toBe(array.length)
        expect(elementTexts(array).map((text) => JSON.parse(text))).toEqual(JSON.parse(array))
        expect([...memberTexts(object)].map(([, text]) => JSON.parse(text))).toEqual(Object.values(JSON.parse(object)))
      }),
      { numRuns: 500 },
    )
  })

  it('ends a string at its own quote, whatever precedes it', () => {
    const inner = fc.string({ unit: fc.constantFrom('"', '\\', 'a', '/', '\n', '\u00e9') })
    fc.assert(
      fc.property(inner, fc.string(), (value, behind) => {
        const printed = JSON.stringify(value)

        expect(endOfString(`[${printed}${behind}`, 1)).toBe(1 + printed.length)
        expect(endOfString(printed.slice(0, -1), 0)).toBe(-1)
      }),
      { numRuns: 500, seed: 3 },
    )
  })
})
