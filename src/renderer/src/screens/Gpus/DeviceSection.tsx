// Below the table, the selected device: its charts, figures and pause button.
import { Maximize2 } from 'lucide-react'
import { useId, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useDevice } from '../../state/environment'
import { DeviceCharts, WindowChoice } from './DeviceCharts'
import { DevicePauseFor } from './DevicePauseFor'
import styles from './Gpus.module.css'

export function DeviceSection({ index }: { readonly index: number }) {
  const t = useText()
  const titleId = useId()
  const device = useDevice(index)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  if (device === undefined) return null
  return (
    <section className={styles.section} aria-labelledby={titleId} data-testid={`gpu-detail-${index}`}>
      <div className={styles.sectionHead}>
        <h2 id={titleId}>
          <span className={styles.index}>{index}</span> <ForeignText text={device.name} />
        </h2>
        <div className={styles.sectionTools}>
          <WindowChoice value={shown} onChange={setShown} />
          <DevicePauseFor device={device} testId={`gpu-detail-pause-${index}`} />
          <a
            className={styles.open}
            href={hrefOf(`/gpus/${index}`)}
            aria-label={t('ui.gpus.openPage', { name: device.name })}
            title={t('ui.gpus.openPage', { name: device.name })}
          >
            <Maximize2 aria-hidden="true" />
          </a>
        </div>
      </div>
      <DeviceCharts device={device} window={shown} isAlone={false} />
    </section>
  )
}
