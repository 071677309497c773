// The shell's texts in the reader's language: menus, tray, notifications, dialogs and the crash page. The window's own
// texts are in the renderer's catalog, which this process doesn't load.
import { type LanguageTag, languageFor } from '../../../base/language/languages'
import german from './de.json'
import english from './en.json'
import spanish from './es.json'
import portuguese from './pt.json'
import russian from './ru.json'
import chinese from './zh.json'

/** Texts with values: `{0}` is the first one, by which a text with several forms chooses its plural. */
const spoken = [
  'pauseDevice',
  'resumeDevice',
  'approvals',
  'hottest',
  'about',
  'noticeHeat',
  'noticeFault',
  'noticePool',
  'noticeRig',
  'noticeMore',
  'noticeSideBlock',
  'noticeSwitched',
  'noticeWarning',
  'noticeNode',
  'noticeDisk',
  'quitPause',
  'quitRequests',
  'settingText',
  'crashReason',
  'failedText',
] as const
type Spoken = (typeof spoken)[number]
type Plain = Omit<typeof english, Spoken>
type Spoke<T> = Readonly<Record<Spoken, T>>
type Template = string | (Readonly<Partial<Record<Intl.LDMLPluralRule, string>>> & { readonly other: string })
type Speak = (...values: readonly (string | number)[]) => string

export type ShellWords = Plain & Spoke<Speak>

const inLanguage: Readonly<Record<LanguageTag, Plain & Spoke<Template>>> = {
  en: english,
  de: german,
  es: spanish,
  'pt-BR': portuguese,
  ru: russian,
  'zh-CN': chinese,
}

/** @param locale of the system, such as `de-AT`; English for an unsupported language */
export function shellWords(locale: string): ShellWords {
  const tag = languageFor([locale])
  const texts = inLanguage[tag]
  const plurals = new Intl.PluralRules(tag)
  const digits = new Intl.NumberFormat(tag, { useGrouping: false })
  const speaker =
    (template: Template): Speak =>
    (...values) => {
      const text =
        typeof template === 'string' ? template : (template[plurals.select(Number(values[0]))] ?? template.other)
      return text.replace(/\{(\d)\}/g, (_, place: string) => {
        const value = values[Number(place)]
        return typeof value === 'number' ? digits.format(value) : (value ?? '')
      })
    }
  const told = Object.fromEntries(spoken.map((name) => [name, speaker(texts[name])])) as Record<Spoken, Speak>
  return { ...texts, ...told }
}
