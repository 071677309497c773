// Light, dark, or the system's setting.

import { Choice } from '../../components/forms/Choice'
import { useText } from '../../i18n/text'
import { useEnvironment, usePreference } from '../../state/environment'
import type { ThemeChoice } from '../../state/preferences'

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
