// The languages, each under its own name.
import { useEffect } from 'react'
import { languageTags } from '../../../../base/language/languages'
import { Choice } from '../../components/forms/Choice'
import { type LanguageChoice, languageNames, nameChineseFaces } from '../../i18n/languages'
import { useText } from '../../i18n/text'
import { useEnvironment, usePreference } from '../../state/environment'

export function LanguageChoices() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const language = usePreference((state) => state.language)
  useEffect(nameChineseFaces, [])
  const options: readonly { readonly value: LanguageChoice; readonly label: string }[] = [
    { value: 'system', label: t('ui.settings.language.system') },
    ...languageTags.map((value) => ({ value, label: languageNames[value] })),
  ]
  return (
    <Choice
      label={t('ui.settings.language')}
      value={language}
      options={options}
      onChange={(value) => preferences.setState({ language: value })}
    />
  )
}
