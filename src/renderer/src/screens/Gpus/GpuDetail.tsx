// The page of one device: its charts first, its settings and levels, and what it is.
import { Cpu } from 'lucide-react'
import { type CSSProperties, memo, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { Tabs } from '../../components/layout/Tabs'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { type DeviceTab, deviceTabs } from '../../navigation/routes'
import { useDevice, useMiner } from '../../state/environment'
import type { SteadyDevice } from '../../state/in-sight'
import { deviceKey } from '../../state/incidents'
import { selectDeviceIndexes } from '../../state/stores/miner-store'
import { useTimeline } from '../../state/timeline/use-timeline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { PauseFor } from '../../widgets/controls/PauseFor'
import { deviceColor, deviceLabel, shortName } from '../../widgets/devices/device-names'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { BackLink } from '../BackLink'
import { Screen } from '../Screen'
import { DeviceCharts, reportedOf, WindowChoice } from './DeviceCharts'
import { DevicePause, type DevicePauseProps } from './DevicePause'
import { DeviceState } from './DeviceState'
import { DeviceFacts } from './facts/DeviceFacts'
import { FactsCard } from './facts/FactsCard'
import styles from './Gpus.module.css'
import { LevelsCard } from './LevelsCard'
import { SimulatedFaults } from './Simulated'
import { TuningCard } from './TuningCard'

interface GpuDetailProps {
  readonly index: number
  readonly tab: DeviceTab
}

export function GpuDetail({ index, tab }: GpuDetailProps) {
  const t = useText()
  const device = useDevice(index)
  const isKnown = useMiner((state) => state.devices !== null)
  const [shown, setShown] = useState<HistoryWindow>('10m')
  const place = useMiner((state) => selectDeviceIndexes(state).indexOf(index))
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
    <Screen
      back={back}
      title={
        <span className={styles.deviceTitle} style={{ '--c': deviceColor(device, place) } as CSSProperties}>
          {deviceLabel(device, t)}
        </span>
      }
      sub={
        <span className={styles.deviceSub}>
          <ForeignText text={shortName(device.name)} />
          <DeviceState device={device} isNamed />
        </span>
      }
      actions={<DevicePauseFor device={device} testId={`gpu-pause-${index}`} />}
    >
      <ControlMessage target={index} />
      <div className={styles.tabRow}>
        <Tabs
          label={deviceLabel(device, t)}
          active={tab}
          tabs={deviceTabs.map((name) => ({
            name,
            href: hrefOf(name === 'charts' ? `/gpus/${index}` : `/gpus/${index}/${name}`),
            title: t(`ui.gpus.tab.${name}`),
            testId: `gpu-tab-${name}`,
          }))}
        />
        {tab === 'charts' && <WindowChoice value={shown} onChange={setShown} />}
      </div>
      {tab === 'charts' && <DeviceCharts device={device} window={shown} />}
      {tab === 'tuning' && <Tuning device={device} />}
      {tab === 'about' && <About device={device} />}
      <SimulatedFaults index={index} />
    </Screen>
  )
}

function Tuning({ device }: { readonly device: SteadyDevice }) {
  const key = deviceKey(device)
  return (
    <>
      <TuningCard key={`tuning ${key}`} index={device.index} />
      <LevelsCard key={key} index={device.index} device={key} reported={reportedOf(device)} />
    </>
  )
}

function About({ device }: { readonly device: SteadyDevice }) {
  const timeline = useTimeline(device, '10m')
  return (
    <div className={styles.two}>
      <FactsCard device={device} spans={timeline.spans} />
      <DeviceFacts index={device.index} />
    </div>
  )
}

/** A new reading of the device changes nothing in it. */
const DurationMenu = memo(PauseFor)

function DevicePauseFor({ device, testId }: DevicePauseProps) {
  const t = useText()
  const { index, name, paused } = device
  return (
    <span className={styles.pause}>
      <DevicePause device={device} testId={testId} />
      {!paused && (
        <DurationMenu target={index} name={t('ui.gpus.targetName', { index, name })} testId={`${testId}-for`} />
      )}
    </span>
  )
}
