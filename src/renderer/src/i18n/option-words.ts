// The texts of the options in the current language; those other than English are loaded on demand.
import { useEffect, useState } from 'react'
import type { LanguageTag } from '../../../base/language/languages'
import type { OptionView } from '../../../contract/options'
import { languageOf, loadOptionWords } from './languages'
import { expectedIn } from './option-expected'
import englishLabels from './options/en.json'
import { useFormat } from './text'

export interface OptionWords {
  /** Empty if it has none. */
  readonly label: string
  readonly help: string
  readonly danger: string | null
  readonly expected: string
}

export type TellOption = (option: OptionView) => OptionWords

const labels: Readonly<Record<string, string>> = englishLabels

const inEnglish: TellOption = ({ key, help, danger, expected }) => ({
  label: labels[key] ?? '',
  help,
  danger,
  expected,
})

async function loadWords(tag: LanguageTag): Promise<TellOption> {
  const words = await loadOptionWords(tag)
  if (words === null) return inEnglish
  return (option) => {
    const { label = '', help = option.help, danger = option.danger } = words.texts[option.key] ?? {}
    return { label, help, danger, expected: expectedIn(words.expected, option.expected) ?? option.expected }
  }
}

/** Null while they load. */
export function useOptionWords(): TellOption | null {
  const { locale } = useFormat()
  const tag = languageOf('system', [locale])
  const [loaded, setLoaded] = useState<{ readonly tag: LanguageTag; readonly tell: TellOption } | null>(null)
  useEffect(() => {
    if (tag === 'en') return
    let isCurrent = true
    const show = (tell: TellOption): void => {
      if (isCurrent) setLoaded({ tag, tell })
    }
    loadWords(tag).then(show, () => show(inEnglish)) // for pages that outlived their program's files
    return () => {
      isCurrent = false
    }
  }, [tag])
  if (tag === 'en') return inEnglish
  return loaded?.tag === tag ? loaded.tell : null
}
