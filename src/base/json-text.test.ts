import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elementTexts, endOfValue, memberTexts } from './json-text'

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
})
