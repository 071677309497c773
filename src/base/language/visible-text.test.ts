import { describe, expect, it } from 'vitest'
import { cellText, FROM_RIGHT_ROW, forTerminal, visibleText } from './visible-text'

const NOTHING_ODD = /^[ -~]*$/

describe('lines for a terminal', () => {
  it.each([
    ...['\u009b2J', '\u001b[2J', 'a\rb', '\u0007', '\u202egnp', '\u2066a', '\u200f', '\u2028'],
    ...['\u200b', '\u3164', '\u115f', '\u034f', '\ufe0f', '\u2800', '\u{e0061}', '\ud800', '\ue000', '\u00ad'],
    ...['שלום', 'مرحبا ١٢', 'ހެލޯ', '𞤀𞤁', '𐤀', 'ﷺ', '\u{10fff}'],
  ])('shows %j as an escape, with which JSON means the same', (text) => {
    expect(forTerminal(`pool ${text} 5`)).toMatch(NOTHING_ODD)
    const json = forTerminal(JSON.stringify({ [text]: [text] }))
    expect(json).toMatch(NOTHING_ODD)
    expect(JSON.parse(json)).toEqual({ [text]: [text] })
  })

  it('leaves what is as it looks', () => {
    const line = 'müller\t你好 e\u0301 🙂\nsecond line "5" \\ {}'

    expect(forTerminal(line)).toBe(line)
  })

  it('leaves a letter four marks, and escapes those that would cover other lines', () => {
    expect(forTerminal(`e${'\u0301'.repeat(6)}`)).toBe(`e${'\u0301'.repeat(4)}\\u0301\\u0301`)
  })

  it('leaves letters written right to left on rows of their own, and nothing else there', () => {
    const row = `${FROM_RIGHT_ROW}שלום עולם`

    expect(forTerminal(`to\n${row}\n  | 5`)).toBe(`to\n${row}\n  | 5`)
    for (const odd of [`${row} 5`, `${row}(`, `a${row}`, `${row}\u202e`, row.replace('right', 'left')])
      expect(forTerminal(odd)).toMatch(NOTHING_ODD)
    expect(forTerminal(`${row}\u061c\ufeff`)).toBe(`${row}\\u061c\\ufeff`)
  })

  it('has cells of a table as wide as they are drawn', () => {
    expect(cellText('rig א\n')).toBe('rig \\u05d0[U+000A]')
    expect(forTerminal(cellText('rig א\n'))).toBe(cellText('rig א\n'))
    expect(visibleText('rig א\n')).toBe('rig א[U+000A]')
  })
})
