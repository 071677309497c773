// How this device is used: keys, holding, motion. The time to decide belongs to the program and is further down.
import { Card } from '../../../components/layout/Card'
import { useText } from '../../../i18n/text'
import { useEnvironment, usePreference } from '../../../state/environment'
import styles from '../Settings.module.css'
import { Switch } from '../Switch'

export function Accessibility() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const letterKeys = usePreference((state) => state.letterKeys)
  const noTimedHolds = usePreference((state) => state.noTimedHolds)
  const lessMotion = usePreference((state) => state.lessMotion)
  return (
    <>
      <Card title={t('ui.settings.thisDevice')}>
        <Switch
          label={t('ui.settings.letterKeys')}
          isOn={letterKeys}
          onChange={(isOn) => preferences.setState({ letterKeys: isOn })}
        />
        <Switch
          label={t('ui.settings.noTimedHolds')}
          isOn={noTimedHolds}
          onChange={(isOn) => preferences.setState({ noTimedHolds: isOn })}
        />
        <Switch
          label={t('ui.settings.lessMotion')}
          isOn={lessMotion}
          onChange={(isOn) => preferences.setState({ lessMotion: isOn })}
        />
      </Card>
      <p className={styles.reason}>{t('ui.settings.tenMinutes')}</p>
    </>
  )
}
