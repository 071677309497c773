// Where chain, keys and logs are stored, and how much space is left there.
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { useFormat, useText } from '../../../i18n/text'
import { usePlace } from '../../../state/answers/use-place'
import { useApp } from '../../../state/environment'
import { FolderChooser } from '../../../widgets/data-folder/FolderChooser'
import styles from '../Settings.module.css'

export function DataFolder() {
  const t = useText()
  const format = useFormat()
  const dataDir = useApp((state) => state.info?.dataDir ?? '')
  const place = usePlace()
  return (
    <Card title={t('ui.settings.dataDir')} testId="data-folder">
      <Facts>
        <Fact label={t('ui.settings.folder')}>
          <code>{dataDir}</code>
        </Fact>
        <Fact label={t('ui.settings.freeRoom')}>{format.text('bytes', place?.freeBytes ?? null)}</Fact>
      </Facts>
      {place?.isNetworkDrive === true && <p className={styles.danger}>{t('ui.settings.networkDrive')}</p>}
      <FolderChooser />
    </Card>
  )
}
