// The languages, each under its own name.
import { useEffect, useState } from 'react'
import { languageTags } from '../../../../base/language/languages'
import { Choice } from '../../components/forms/Choice'
import { type LanguageChoice, languageNames, loadChineseName } from '../../i18n/languages'
import { useText } from '../../i18n/text'
import { useEnvironment, usePreference } from '../../state/environment'
import type { ThemeChoice } from '../../state/preferences'

export function LanguageChoices() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const language = usePreference((state) => state.language)
  // Until then a system without such letters would show empty boxes.
  const [chinese, setChinese] = useState('Chinese')
  useEffect(() => {
    loadChineseName().then(
      () => setChinese(languageNames['zh-CN']),
      () => undefined, // it keeps the name that can be read
    )
  }, [])
  const options: readonly { readonly value: LanguageChoice; readonly label: string }[] = [
    { value: 'system', label: t('ui.settings.language.system') },
    ...languageTags.map((value) => ({ value, label: value === 'zh-CN' ? chinese : languageNames[value] })),
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

const themes: readonly ThemeChoice[] = ['system', 'light', 'dark']

export function ThemeChoices() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const theme = usePreference((state) => state.theme)
  return (
    <Choice
      label={t('ui.settings.theme')}
      value={theme}
      options={themes.map((value) => ({ value, label: t(`ui.settings.theme.${value}`) }))}
      onChange={(value) => preferences.setState({ theme: value })}
    />
  )
}
