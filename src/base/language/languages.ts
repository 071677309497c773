// The languages Headframe is translated into, and how one is chosen for a reader.

/** BCP 47 tags. English comes first: it is the fallback. */
export const languageTags = ['en', 'de', 'es', 'pt-BR', 'ru', 'zh-CN'] as const
/** One of `languageTags`. */
export type LanguageTag = (typeof languageTags)[number]

/** A tag with its script, which most tags omit; null when it isn't a tag. */
export function wholeTag(tag: string): Intl.Locale | null {
  try {
    return new Intl.Locale(tag).maximize()
  } catch {
    return null // a system's own locale name, such as `C`
  }
}

/** Whether a reader of one can read the other: the region doesn't matter, the script does (`zh-TW` and `zh-CN`). */
export function isSameLanguage(one: string, other: string): boolean {
  const [first, second] = [wholeTag(one), wholeTag(other)]
  return first !== null && first.language === second?.language && first.script === second.script
}

/** @param wanted the system's tags, preferred first, such as `de-AT` */
export function languageFor(wanted: readonly string[]): LanguageTag {
  for (const tag of wanted) {
    const known = languageTags.find((name) => isSameLanguage(name, tag))
    if (known !== undefined) return known
  }
  return 'en'
}
