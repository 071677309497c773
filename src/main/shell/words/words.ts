// The shell's texts in the reader's language.
import { type LanguageTag, languageFor } from '../../../base/language/languages'
import { chinese } from './chinese'
import { english, type ShellWords } from './english'
import { german } from './german'
import { portuguese } from './portuguese'
import { russian } from './russian'
import { spanish } from './spanish'

const inLanguage: Readonly<Record<LanguageTag, ShellWords>> = {
  en: english,
  de: german,
  es: spanish,
  'pt-BR': portuguese,
  ru: russian,
  'zh-CN': chinese,
}

/** @param locale of the system, such as `de-AT`; English for an unsupported language */
export function shellWords(locale: string): ShellWords {
  return inLanguage[languageFor([locale])]
}
