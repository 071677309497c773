// Every language has everything that English has, with the same values, and is chosen by the system's preference.
import { type MessageFormatElement, type PluralElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import { describe, expect, it } from 'vitest'
import { languageTags } from '../../../base/language/languages'
import { english as loaded, type TextKey } from './english'
import { directionOf, languageOf, loadCatalogue, localeOf } from './languages'
import { createLanguage } from './text'

const english = loaded as Readonly<Record<TextKey, string>>

/** Names of the values that a message takes, including those inside plurals and choices. */
function valuesOf(elements: readonly MessageFormatElement[]): readonly string[] {
  return elements.flatMap((element) => {
    if (element.type === TYPE.literal || element.type === TYPE.pound) return []
    if (element.type === TYPE.plural || element.type === TYPE.select)
      return [element.value, ...Object.values(element.options).flatMap((option) => valuesOf(option.value))]
    return element.type === TYPE.tag ? valuesOf(element.children) : [element.value]
  })
}
/** The plurals of a message, including nested ones. */
function pluralsOf(elements: readonly MessageFormatElement[]): readonly PluralElement[] {
  return elements.flatMap((element) => {
    if (element.type !== TYPE.plural && element.type !== TYPE.select) return []
    const inner = Object.values(element.options).flatMap((option) => pluralsOf(option.value))
    return element.type === TYPE.plural ? [element, ...inner] : inner
  })
}
/** A message's own text, without its choices. */
const wordsOf = (elements: readonly MessageFormatElement[]): string =>
  elements.map((element) => (element.type === TYPE.literal ? element.value : '')).join('')
const namesIn = (message: string) => [...new Set(valuesOf(parse(message, { ignoreTag: true })))].sort()

describe.each(languageTags)('the texts in %s', (tag) => {
  it("are complete, and take the English texts' values", async () => {
    const catalogue = await loadCatalogue(tag)

    expect(Object.keys(catalogue).sort()).toEqual(Object.keys(english).sort())
    const values = (texts: Readonly<Record<string, string>>) =>
      Object.fromEntries(Object.entries(texts).map(([key, message]) => [key, namesIn(message)]))
    expect(values(catalogue as Record<TextKey, string>)).toEqual(values(english))
  })

  it('have a form for each number that the language distinguishes, and no others', async () => {
    const rules = new Intl.PluralRules(tag)
    const numbers = Array.from({ length: 201 }, (_, number) => number)
    const known = new Set<string>(rules.resolvedOptions().pluralCategories)

    // A value that English counts with: others only distinguish nothing from something.
    const counted = (key: string) =>
      new Set(
        pluralsOf(parse(english[key as TextKey], { ignoreTag: true })).flatMap(({ value, options }) =>
          'one' in options ? [value] : [],
        ),
      )
    const faults = Object.entries(await loadCatalogue(tag)).flatMap(([key, message]) =>
      pluralsOf(parse(message, { ignoreTag: true })).flatMap(({ value, options }) => [
        ...numbers
          .filter(
            (number) => counted(key).has(value) && !(`=${number}` in options) && !(rules.select(number) in options),
          )
          .map((number) => `${key}: no form for ${number}`),
        ...Object.keys(options)
          .filter((form) => !form.startsWith('=') && !known.has(form))
          .map((form) => `${key}: ${form} is never used`),
      ]),
    )

    expect(faults).toEqual([])
  })

  it.runIf(tag !== 'en')('leave no sentence in English', async () => {
    const left = Object.entries(await loadCatalogue(tag)).filter(
      ([key, text]) =>
        text === english[key as TextKey] &&
        (wordsOf(parse(text, { ignoreTag: true })).match(/\p{L}{2,}/gu) ?? []).length > 3,
    )

    expect(left).toEqual([])
  })
})

describe('a language', () => {
  it.each([
    ['system', ['de-AT', 'en'], 'de'],
    ['system', ['fr', 'DE'], 'de'],
    ['system', ['fr', 'it'], 'en'],
    ['system', [], 'en'],
    ['en', ['de'], 'en'],
    ['de', ['en-GB'], 'de'],
    ['system', ['es-MX'], 'es'],
    ['system', ['pt'], 'pt-BR'],
    ['system', ['zh-SG'], 'zh-CN'],
    ['system', ['zh-TW', 'zh-Hant', 'ru'], 'ru'],
    ['system', ['pt-PT'], 'pt-BR'],
    ['system', ['C', 'not a tag', 'es'], 'es'],
  ] as const)('chosen as %s on a system of %j is %s', (choice, wanted, tag) => {
    expect(languageOf(choice, wanted)).toBe(tag)
  })

  it("takes the region's marks and dates if the system names one", () => {
    expect(localeOf('de', ['en-US', 'de-CH'])).toBe('de-CH')
    expect(localeOf('de', ['en-US'])).toBe('de')
  })

  it("runs in its script's direction", () => {
    expect(languageTags.map(directionOf)).toEqual(languageTags.map(() => 'ltr'))
    expect(['ar', 'he-IL', 'fa', 'ur', 'de-Arab', 'ks-Deva', 'not a tag'].map(directionOf)).toEqual([
      ...['rtl', 'rtl', 'rtl', 'rtl', 'rtl', 'ltr', 'ltr'],
    ])
  })

  it('counts and writes numbers in its own way', async () => {
    const { t, format } = createLanguage('de', await loadCatalogue('de'))

    expect(t('ui.health.approval-waiting', { count: 1 })).toBe('1 Anfrage wartet')
    expect(t('ui.health.approval-waiting', { count: 1234 })).toBe('1.234 Anfragen warten')
    expect(format.text('hashrate', 62_345_678)).toBe('62,35\u00a0MH/s')
    const russian = createLanguage('ru', await loadCatalogue('ru')).t
    expect([1, 3, 5, 21].map((count) => russian('ui.health.approval-waiting', { count }))).toEqual([
      ...['1 запрос ждёт', '3 запроса ждут', '5 запросов ждут', '21 запрос ждёт'],
    ])
    expect(t('ui.check.lookalike', { address: '0x12' })).toBe('Das Ziel ähnelt Ihrem Konto 0x12, ist aber ein anderes.')
  })

  it('says in English what it has no words for', () => {
    expect(createLanguage('en', {}).t('ui.common.close')).toBe('Close')
  })
})
