// The language that was chosen, or the system's: loaded before anything of it is shown, named on the page for screen readers.
import { type ReactNode, useEffect, useState } from 'react'
import type { Catalogue } from '../i18n/en/all'
import { english } from '../i18n/en/english'
import { directionOf, languageOf, loadCatalogue, localeOf } from '../i18n/languages'
import { LanguageProvider } from '../i18n/text'
import { usePreference } from '../state/environment'

interface Shown {
  readonly locale: string
  readonly catalogue: Catalogue
}

export interface ChosenLanguageProps {
  /** Tags of the system, best first. */
  readonly wanted: readonly string[]
  readonly children: ReactNode
}

export function ChosenLanguage({ wanted, children }: ChosenLanguageProps) {
  const tag = languageOf(
    usePreference((preferences) => preferences.language),
    wanted,
  )
  const degrees = usePreference((preferences) => preferences.degrees)
  const [shown, setShown] = useState<Shown | null>(null)
  useEffect(() => {
    let isCurrent = true
    const show = (catalogue: Catalogue, locale: string): void => {
      if (!isCurrent) return
      document.documentElement.lang = locale
      document.documentElement.dir = directionOf(locale)
      setShown({ locale, catalogue })
    }
    loadCatalogue(tag).then(
      (catalogue) => show(catalogue, localeOf(tag, wanted)),
      () => show(english, 'en'), // a page that outlived its program's files still has English
    )
    return () => {
      isCurrent = false
    }
  }, [tag, wanted])
  if (shown === null) return null
  return (
    <LanguageProvider {...shown} degrees={degrees}>
      {children}
    </LanguageProvider>
  )
}
