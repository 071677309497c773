// Texts by key. The English ones are complete and give the type of all keys; messages are ICU.
import { createContext, type ReactNode, useContext, useMemo } from 'react'
import { createFormatter, type Formatter } from '../format/formatter'
import { type Catalogue, english, type TextKey } from './english'
import { type Message, messageReader } from './messages'

export type { TextKey } from './english'
export type TextValues = Readonly<Record<string, string | number | boolean>>
export type Text = (key: TextKey, values?: TextValues) => string

interface Language {
  readonly t: Text
  readonly format: Formatter
}

/** Texts and numbers of one language. Messages are parsed once, at first use. @param locale BCP 47 tag */
export function createLanguage(
  locale: string,
  catalogue: Catalogue = english,
  degrees: 'celsius' | 'fahrenheit' = 'celsius',
): Language {
  const read = messageReader(locale)
  const parsed = new Map<TextKey, Message>()
  const t: Text = (key, values) => {
    const known = parsed.get(key)
    if (known !== undefined) return known(values)
    const source = catalogue[key] ?? english[key]
    const message = read(source ?? key)
    // Doesn't keep a missing text: it is loaded later with the rest.
    if (source !== undefined) parsed.set(key, message)
    return message(values)
  }
  const words = {
    now: t('ui.common.now'),
    ago: (duration: string) => t('ui.common.ago', { duration }),
  }
  return { t, format: createFormatter({ locale, words, degrees }) }
}

const LanguageContext = createContext<Language | null>(null)

interface LanguageProviderProps {
  /** BCP 47 tag. */
  readonly locale: string
  /** Defaults to English. */
  readonly catalogue?: Catalogue
  /** For temperatures; defaults to °C. */
  readonly degrees?: 'celsius' | 'fahrenheit'
  readonly children: ReactNode
}

export function LanguageProvider(props: LanguageProviderProps) {
  const { locale, catalogue = english, degrees = 'celsius', children } = props
  const language = useMemo(() => createLanguage(locale, catalogue, degrees), [locale, catalogue, degrees])
  return <LanguageContext.Provider value={language}>{children}</LanguageContext.Provider>
}

export function useText(): Text {
  return useLanguage().t
}

export function useFormat(): Formatter {
  return useLanguage().format
}

/** The texts, and the one formatter for numbers, amounts and ages. */
export function useLanguage(): Language {
  const language = useContext(LanguageContext)
  if (language === null) throw new Error('no LanguageProvider above this component')
  return language
}
