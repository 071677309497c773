// The words of the options in the language that is shown; German ones are loaded when they are wanted.
import { useEffect, useState } from 'react'
import type { OptionView } from '../../../contract/options'
import { englishOptionLabels } from './en/option-labels'
import { useFormat } from './text'

export interface OptionWords {
  /** Empty where it has none. */
  readonly label: string
  readonly help: string
  readonly danger: string | null
  readonly expected: string
}

export type TellOption = (option: OptionView) => OptionWords

const inEnglish: TellOption = ({ key, help, danger, expected }) => ({
  label: englishOptionLabels[key] ?? '',
  help,
  danger,
  expected,
})

async function loadGerman(): Promise<TellOption> {
  const { germanOptions, germanExpected } = await import('./de/options/german-options')
  return (option) => {
    const { label = '', help = option.help, danger = option.danger } = germanOptions[option.key] ?? {}
    return { label, help, danger, expected: germanExpected(option.expected) ?? option.expected }
  }
}

/** Null while they are loaded. */
export function useOptionWords(): TellOption | null {
  const { locale } = useFormat()
  const isGerman = locale.toLowerCase().split('-')[0] === 'de'
  const [german, setGerman] = useState<TellOption | null>(null)
  useEffect(() => {
    if (!isGerman) return
    let isCurrent = true
    loadGerman().then(
      (tell) => isCurrent && setGerman(() => tell),
      () => isCurrent && setGerman(() => inEnglish), // a page that outlived its program's files
    )
    return () => {
      isCurrent = false
    }
  }, [isGerman])
  return isGerman ? german : inEnglish
}
