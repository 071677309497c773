// This device's appearance: theme, language, units.

import { Choice } from '../../../components/forms/Choice'
import { Card } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useEnvironment, usePreference } from '../../../state/environment'
import { LanguageChoices } from '../../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../../widgets/controls/ThemeChoices'
import styles from '../Settings.module.css'

const degrees = ['celsius', 'fahrenheit'] as const

export function Appearance() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const chosen = usePreference((state) => state.degrees)
  return (
    <Card title={t('ui.settings.appearance')}>
      <div className={styles.row}>
        <div>
          <h3 className={styles.name}>{t('ui.settings.theme')}</h3>
          <p className={styles.reason}>{t('ui.settings.themeText')}</p>
        </div>
        <ThemeChoices />
      </div>
      <div className={styles.row}>
        <div>
          <h3 className={styles.name}>{t('ui.settings.language')}</h3>
          <p className={styles.reason}>{t('ui.settings.languageText')}</p>
        </div>
        <LanguageChoices />
      </div>
      <div className={styles.row}>
        <div>
          <h3 className={styles.name}>{t('ui.settings.degrees')}</h3>
          <p className={styles.reason}>{t('ui.settings.degreesText')}</p>
        </div>
        <Choice
          label={t('ui.settings.degrees')}
          value={chosen}
          options={degrees.map((value) => ({ value, label: t(`ui.settings.degrees.${value}`) }))}
          onChange={(value) => preferences.setState({ degrees: value })}
        />
      </div>
    </Card>
  )
}
