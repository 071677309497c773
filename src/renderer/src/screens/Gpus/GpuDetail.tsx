// The page of one device.
import { Cpu } from 'lucide-react'
import { useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { useDevice, useMiner } from '../../state/environment'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { BackLink } from '../BackLink'
import { Screen } from '../Screen'
import { DeviceCharts, WindowChoice } from './DeviceCharts'
import { DevicePauseFor } from './DevicePauseFor'
import styles from './Gpus.module.css'
import { SimulatedFaults } from './Simulated'

export function GpuDetail({ index }: { readonly index: number }) {
  const t = useText()
  const device = useDevice(index)
  const isKnown = useMiner((state) => state.devices !== null)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const back = <BackLink route="/gpus">{t('ui.gpus.title')}</BackLink>
  if (!isKnown) return <Skeleton lines={6} />
  if (device === undefined) {
    return (
      <Screen title={t('ui.gpus.title')}>
        <EmptyState icon={Cpu} title={t('ui.gpus.noSuch', { index })} action={back} />
      </Screen>
    )
  }
  return (
    <>
      {back}
      <Screen
        title={
          <>
            <span className={styles.index}>{index}</span> <ForeignText text={device.name} />
          </>
        }
        actions={
          <>
            <WindowChoice value={shown} onChange={setShown} />
            <DevicePauseFor device={device} testId={`gpu-pause-${index}`} />
          </>
        }
      >
        <ControlMessage target={index} />
        <DeviceCharts device={device} window={shown} isAlone />
        <SimulatedFaults index={index} />
      </Screen>
    </>
  )
}
