// This device's appearance: theme, language, units.

import { Choice } from '../../../components/forms/Choice'
import { Card } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useEnvironment, usePreference } from '../../../state/environment'
import { LanguageChoices } from '../../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../../widgets/controls/ThemeChoices'
import { Setting } from '../Setting'

const degrees = ['celsius', 'fahrenheit'] as const

export function Appearance() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const chosen = usePreference((state) => state.degrees)
  return (
    <Card title={t('ui.settings.appearance')}>
      <Setting label={t('ui.settings.theme')} text={t('ui.settings.themeText')}>
        <ThemeChoices />
      </Setting>
      <Setting label={t('ui.settings.language')} text={t('ui.settings.languageText')}>
        <LanguageChoices />
      </Setting>
      <Setting label={t('ui.settings.degrees')} text={t('ui.settings.degreesText')}>
        <Choice
          label={t('ui.settings.degrees')}
          value={chosen}
          options={degrees.map((value) => ({ value, label: t(`ui.settings.degrees.${value}`) }))}
          onChange={(value) => preferences.setState({ degrees: value })}
        />
      </Setting>
    </Card>
  )
}
