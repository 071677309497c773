// The languages that Headframe speaks, and which of them a reader gets.

/** BCP 47 tags, English first: it is what everyone else gets. */
export const languageTags = ['en', 'de', 'es', 'pt-BR', 'ru', 'zh-CN'] as const
export type LanguageTag = (typeof languageTags)[number]

/** A tag with its script, which most tags leave out; null for what isn't a tag. */
export function wholeTag(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return null // a system's own name for a language, such as `C`
  }
}

/** Whether a reader of one reads the other: the region makes no difference, the script does (`zh-TW` and `zh-CN`). */
export function isSameLanguage(one: string, other: string): boolean {
  const [first, second] = [wholeTag(one), wholeTag(other)]
  return first !== null && first.language === second?.language && first.script === second.script
}

/** @param wanted tags of the system, best first, such as `de-AT` */
export function languageFor(wanted: readonly string[]): LanguageTag {
  for (const tag of wanted) {
    const known = languageTags.find((name) => isSameLanguage(name, tag))
    if (known !== undefined) return known
  }
  return 'en'
}
