// Every option of the config file has its texts, in every language.
import { describe, expect, it } from 'vitest'
import { languageTags } from '../../../base/language/languages'
import { ENTRIES } from '../../../config/catalog'
import { loadOptionWords } from './languages'
import { expectedIn } from './option-expected'
import englishLabels from './options/en.json'

const shown = ENTRIES.filter(({ option }) => option.notInFile !== true)
const keys = shown.map(({ key }) => key).sort()
/** Ends of a sentence, in any script. */
const STOP = /[.。)）]$/

it('name each option once in English', () => {
  expect(Object.keys(englishLabels).sort()).toEqual(keys)
})

describe.each(languageTags.filter((tag) => tag !== 'en'))('the words of the options in %s', (tag) => {
  const words = async () => {
    const loaded = await loadOptionWords(tag)
    if (loaded === null) throw new Error(`no words of the options in ${tag}`)
    return loaded
  }

  it('name and explain each option', async () => {
    const { texts } = await words()

    expect(Object.keys(texts).sort()).toEqual(keys)
    expect(Object.entries(texts).filter(([, { label, help }]) => label === '' || !STOP.test(help))).toEqual([])
  })

  it('warn wherever the option warns, and nowhere else', async () => {
    const { texts } = await words()
    const dangerous = shown.filter(({ option }) => option.danger !== undefined).map(({ key }) => key)
    const warned = Object.keys(texts).filter((key) => texts[key]?.danger !== undefined)

    expect(warned.sort()).toEqual(dangerous.sort())
  })

  it('say what each option accepts', async () => {
    const { expected } = await words()
    const accepted = [...new Set(shown.map(({ option }) => option.type.expected))]

    expect(accepted.filter((text) => expectedIn(expected, text) === null)).toEqual([])
    // What an option accepts, such as a range, is translated into every language.
    expect(expectedIn(expected, 'in 1..9')).toContain('1..9')
    expect(expectedIn(expected, 'no option says this')).toBeNull()
  })
})
