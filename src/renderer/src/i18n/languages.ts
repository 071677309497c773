// The window's languages. English is always there; the others are loaded on demand.
import chineseFaces from '@fontsource-variable/noto-sans-sc/wght.css?url'
import { isSameLanguage, type LanguageTag, languageFor, wholeTag } from '../../../base/language/languages'
import { type Catalogue, english } from './english'
import type { ExpectedWords } from './option-expected'

/** The texts of an option in a language other than English. */
interface OptionText {
  readonly label: string
  readonly help: string
  /** For options that have a danger. */
  readonly danger?: string
}

/** All texts of a language about options: of each by its key, such as `node.httpPort`, and of what options accept. */
export interface OptionLanguage {
  readonly texts: Readonly<Record<string, OptionText>>
  readonly expected: ExpectedWords
}

export type LanguageChoice = LanguageTag | 'system'

/** Each language's own name: readers looking for theirs may not read any other. */
export const languageNames: Readonly<Record<LanguageTag, string>> = {
  en: 'English',
  de: 'Deutsch',
  es: 'Español',
  'pt-BR': 'Português (Brasil)',
  ru: 'Русский',
  'zh-CN': '简体中文',
}

const load: Readonly<Record<LanguageTag, () => Promise<Catalogue>>> = {
  en: async () => english, // grows as more of it is loaded
  de: async () => (await import('./texts/de.json')).default,
  es: async () => (await import('./texts/es.json')).default,
  'pt-BR': async () => (await import('./texts/pt.json')).default,
  ru: async () => (await import('./texts/ru.json')).default,
  'zh-CN': async () => {
    nameChineseFaces()
    return (await import('./texts/zh.json')).default
  },
}

/** Names the faces of Chinese once; the browser reads only those whose letters are in sight. */
function nameChineseFaces(): HTMLLinkElement {
  const known = document.querySelector<HTMLLinkElement>(`link[href="${chineseFaces}"]`)
  if (known !== null) return known
  const link = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: chineseFaces })
  document.head.append(link)
  return link
}

/** Resolves when the page's own faces can draw the Chinese name. @throws when the program's files are gone */
export async function loadChineseName(): Promise<void> {
  const link = nameChineseFaces()
  if (link.sheet === null)
    await new Promise((resolve, reject) => {
      link.addEventListener('load', resolve, { once: true })
      link.addEventListener('error', reject, { once: true })
    })
  await document.fonts.load('1em "Noto Sans SC Variable"', languageNames['zh-CN'])
}

/** English is the options' own language. */
const loadOptions: Readonly<Record<LanguageTag, () => Promise<OptionLanguage | null>>> = {
  en: async () => null,
  de: async () => (await import('./options/de.json')).default,
  es: async () => (await import('./options/es.json')).default,
  'pt-BR': async () => (await import('./options/pt.json')).default,
  ru: async () => (await import('./options/ru.json')).default,
  'zh-CN': async () => (await import('./options/zh.json')).default,
}

/** Scripts written from right to left. */
const RIGHT_TO_LEFT: ReadonlySet<string | undefined> = new Set(['Arab', 'Hebr', 'Thaa', 'Syrc', 'Nkoo', 'Adlm', 'Rohg'])

/** @param wanted the system's language tags, best first, such as `de-AT` */
export function languageOf(choice: LanguageChoice, wanted: readonly string[]): LanguageTag {
  return choice === 'system' ? languageFor(wanted) : choice
}

/** For numbers and sentences: the system's own variant of the language if it has one, so `en-GB` keeps its marks. */
export function localeOf(tag: LanguageTag, wanted: readonly string[]): string {
  return wanted.find((name) => isSameLanguage(tag, name)) ?? tag
}

/** Text direction. @param locale BCP 47 tag */
export function directionOf(locale: string): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.has(wholeTag(locale)?.script) ? 'rtl' : 'ltr'
}

/** @throws when the program's files are gone */
export function loadCatalogue(tag: LanguageTag): Promise<Catalogue> {
  return load[tag]()
}

/** @returns null for English. @throws when the program's files are gone */
export function loadOptionWords(tag: LanguageTag): Promise<OptionLanguage | null> {
  return loadOptions[tag]()
}
