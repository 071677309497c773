// The chosen language, or the system's: loaded before any of its texts is shown, named on the page for screen readers.
import { type ReactNode, useEffect, useState } from 'react'
import { type Catalogue, english } from '../i18n/english'
import { directionOf, type LanguageChoice, languageOf, loadCatalogue, localeOf } from '../i18n/languages'
import { LanguageProvider } from '../i18n/text'
import { usePreference } from '../state/environment'

interface Shown {
  readonly locale: string
  readonly catalogue: Catalogue
}

interface ChosenLanguageProps {
  /** The system's language tags, best first. */
  readonly wanted: readonly string[]
  /** What `loadShown` already loaded: the page then begins with it. */
  readonly first?: Shown
  readonly children: ReactNode
}

/** English if the files of the language are gone: a page that outlived its program's files still has that. */
export async function loadShown(choice: LanguageChoice, wanted: readonly string[]): Promise<Shown> {
  const tag = languageOf(choice, wanted)
  try {
    return { catalogue: await loadCatalogue(tag), locale: localeOf(tag, wanted) }
  } catch {
    return { catalogue: english, locale: 'en' }
  }
}

export function ChosenLanguage({ wanted, first, children }: ChosenLanguageProps) {
  const choice = usePreference((preferences) => preferences.language)
  const degrees = usePreference((preferences) => preferences.degrees)
  const [shown, setShown] = useState<Shown | null>(first ?? null)
  useEffect(() => {
    let isCurrent = true
    void loadShown(choice, wanted).then((loaded) => {
      if (!isCurrent) return
      document.documentElement.lang = loaded.locale
      document.documentElement.dir = directionOf(loaded.locale)
      // Setting the same texts again would render the whole page again.
      setShown((old) => (old?.locale === loaded.locale && old.catalogue === loaded.catalogue ? old : loaded))
    })
    return () => {
      isCurrent = false
    }
  }, [choice, wanted])
  if (shown === null) return null
  return (
    <LanguageProvider {...shown} degrees={degrees}>
      {children}
    </LanguageProvider>
  )
}
