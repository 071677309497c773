// No option of the config file is without its words, in any language.
import { describe, expect, it } from 'vitest'
import { ENTRIES } from '../../../config/catalog'
import { germanExpected, germanOptions } from './de/options/german-options'
import { englishOptionLabels } from './en/option-labels'

const shown = ENTRIES.filter(({ option }) => option.notInFile !== true)
const keys = shown.map(({ key }) => key).sort()

describe('the words of the options', () => {
  it('name each option once in English', () => {
    expect(Object.keys(englishOptionLabels).sort()).toEqual(keys)
  })

  it('name and explain each option in German', () => {
    expect(Object.keys(germanOptions).sort()).toEqual(keys)
    const empty = Object.entries(germanOptions).filter(([, { label, help }]) => label === '' || !help.endsWith('.'))
    expect(empty).toEqual([])
  })

  it('warn in German wherever the option warns, and nowhere else', () => {
    const dangerous = shown.filter(({ option }) => option.danger !== undefined).map(({ key }) => key)
    const warned = Object.keys(germanOptions).filter((key) => germanOptions[key]?.danger !== undefined)
    expect(warned.sort()).toEqual(dangerous.sort())
  })

  it('say in German what each option accepts', () => {
    const expected = [...new Set(shown.map(({ option }) => option.type.expected))]
    expect(expected.filter((text) => germanExpected(text) === null)).toEqual([])
  })
})
