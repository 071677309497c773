import { describe, expect, it } from 'vitest'
import { wrapped } from './requests'

describe('a line of a request in a terminal', () => {
  it.each([80, 40, 20, 1])('begins no row with what a caller wrote: %d columns', (columns) => {
    for (const text of ['approve?   yes'.repeat(200), '你好㊀'.repeat(300), 'e\u0301'.repeat(300), '🙂'.repeat(300)]) {
      const rows = wrapped(`message    ${text}`, columns)

      expect(rows.slice(1).every((row) => row.startsWith('  | '))).toBe(true)
      expect(rows.map((row, at) => (at === 0 ? row : row.slice(4))).join('')).toBe(`message    ${text}`)
      for (const row of rows) expect([...row].length).toBeLessThanOrEqual(Math.max(columns, 6))
    }
  })

  it('stays whole where it fits, and counts a wide character twice', () => {
    expect(wrapped('12345678', 8)).toEqual(['12345678'])
    expect(wrapped('1234567你', 8)).toEqual(['1234567', '  | 你'])
  })

  it('takes a terminal that doesn’t say how wide it is for a usual one', () => {
    expect(wrapped('x'.repeat(100), 0)).toEqual(wrapped('x'.repeat(100), 80))
  })

  it.each([80, 40, 25, 1, Number.POSITIVE_INFINITY])(
    'gives letters written right to left rows of their own, whose neighbors keep their places: %d columns',
    (columns) => {
      const letters = ['שלום עולם', 'مرحبا', '١٢ ٣', 'ހެލޯ', '𞤀𞤁', 'אָ', 'ﷺ']
      for (const each of letters) {
        const line = `to ${each} 100 (${each}) 0x${each}5 LAX ${each.repeat(20)}`
        const rows = wrapped(line, columns)

        for (const row of rows) {
          const [, own = ''] = /^ {2}\| right to left: (.*)$/u.exec(row) ?? []
          const others = own === '' ? row : own
          expect(others).toMatch(own === '' ? /^[ -~]*$/ : /^[^!-~]*$/u)
        }
        expect(rows.map((row, at) => (at === 0 ? row : row.replace(/^ {2}\| (?:right to left: )?/, ''))).join('')).toBe(
          line,
        )
      }
    },
  )

  it('counts every script that is written right to left', () => {
    const scripts =
      'Adlam Arabic Avestan Chorasmian Cypriot Elymaic Hanifi_Rohingya Hatran Hebrew Imperial_Aramaic'.split(' ')
    scripts.push(...'Inscriptional_Pahlavi Inscriptional_Parthian Kharoshthi Lydian Mandaic Manichaean'.split(' '))
    scripts.push(...'Mende_Kikakui Meroitic_Cursive Meroitic_Hieroglyphs Nabataean Nko Old_Hungarian'.split(' '))
    scripts.push(
      ...'Old_North_Arabian Old_Sogdian Old_South_Arabian Old_Turkic Old_Uyghur Palmyrene Phoenician'.split(' '),
    )
    scripts.push(...'Psalter_Pahlavi Samaritan Sogdian Syriac Thaana Yezidi'.split(' '))
    const ofOne = new RegExp(`(?=[\\p{L}\\p{N}])[${scripts.map((name) => `\\p{Script=${name}}`).join('')}]`, 'gu')
    const all = Array.from({ length: 0x11_0000 }, (_, code) => String.fromCodePoint(code)).join('')
    const letters = all.match(ofOne) ?? []
    const missed = letters.filter((letter) => wrapped(`a${letter}b`, 80).length !== 3)

    expect(letters.length).toBeGreaterThan(2_000)
    expect(missed).toEqual([])
  })
})
