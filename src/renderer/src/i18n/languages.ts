// The languages that the window speaks. English is always there; the others are loaded when they are wanted.
import type { Catalogue } from './en/all'
import { english } from './en/english'

export const languageTags = ['en', 'de'] as const
export type LanguageTag = (typeof languageTags)[number]
export type LanguageChoice = LanguageTag | 'system'

/** Each language's name for itself: a reader looking for it may not read any other. */
export const languageNames: Readonly<Record<LanguageTag, string>> = { en: 'English', de: 'Deutsch' }

const load: Readonly<Record<LanguageTag, () => Promise<Catalogue>>> = {
  en: async () => english, // grows when more of it is loaded
  de: async () => (await import('./de/german')).german,
}

/** @param wanted tags of the system, best first, such as `de-AT` */
export function languageOf(choice: LanguageChoice, wanted: readonly string[]): LanguageTag {
  if (choice !== 'system') return choice
  for (const tag of wanted) {
    const known = languageTags.find((name) => name === tag.toLowerCase().split('-')[0])
    if (known !== undefined) return known
  }
  return 'en'
}

/**
 * The locale for numbers and sentences: the system's own form of the language where it has one, so that `en-GB` keeps its
 * marks.
 */
export function localeOf(tag: LanguageTag, wanted: readonly string[]): string {
  return wanted.find((name) => name.toLowerCase().split('-')[0] === tag) ?? tag
}

export function loadCatalogue(tag: LanguageTag): Promise<Catalogue> {
  return load[tag]()
}
