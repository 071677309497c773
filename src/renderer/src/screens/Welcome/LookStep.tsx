// Language and theme, effective immediately on this device.

import { useText } from '../../i18n/text'
import { LanguageChoices } from '../../widgets/controls/LanguageChoices'
import { ThemeChoices } from '../../widgets/controls/ThemeChoices'
import styles from './Welcome.module.css'

export function LookStep() {
  const t = useText()
  return (
    <>
      <p>{t('ui.welcome.lookText')}</p>
      <div className={styles.row}>
        <span>{t('ui.settings.language')}</span>
        <LanguageChoices />
      </div>
      <div className={styles.row}>
        <span>{t('ui.settings.theme')}</span>
        <ThemeChoices />
      </div>
    </>
  )
}
