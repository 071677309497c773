// One device's row. Draws again only when its own device changed.
import { memo, type ReactNode } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { hrefOf } from '../../app/router'
import { ControlMessage, PauseButton } from '../../components/PauseButton'
import { Sparkline } from '../../components/Sparkline'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectDevice, selectLargestHashrate } from '../../state/miner-store'
import { Shares } from '../Overview/MinerCards'
import { DeviceState } from './DeviceState'
import styles from './Gpus.module.css'

export const DeviceRow = memo(function DeviceRow({ index }: { readonly index: number }) {
  const device = useMiner(selectDevice(index))
  const t = useText()
  if (device === undefined) return null
  const { takenAt } = device
  return (
    <tr data-testid={`gpu-row-${index}`} data-state={device.state}>
      <td className={styles.index}>{index}</td>
      <th scope="row" className={styles.name}>
        <a href={hrefOf(`/gpus/${index}`)}>{device.name}</a>
        <span className={styles.sub}>{subtitle(device, t)}</span>
      </th>
      <td className={styles.state}>
        <DeviceState device={device} />
        <ControlMessage target={index} />
      </td>
      <HashrateCells device={device} />
      <Cell label={t('ui.gpus.efficiency')}>
        <Value kind="efficiency" value={efficiencyOf(device)} />
      </Cell>
      <Cell label={t('ui.gpus.shares')}>
        <Shares {...device.shares} />
      </Cell>
      <Cell label={t('ui.gpus.temperatures')}>
        <Temperatures device={device} />
      </Cell>
      <Cell label={t('ui.gpus.fan')}>
        <Value kind="fan" value={device.fanPercent} takenAt={takenAt} />
      </Cell>
      <Cell label={t('ui.gpus.power')}>
        <Value kind="watts" value={device.powerWatts} takenAt={takenAt} testId={`gpu-power-${index}`} />
        {device.powerLimitWatts !== null && (
          <span className={`${styles.limit} ${styles.rare}`}>
            {' / '}
            <Value kind="watts" value={device.powerLimitWatts} />
          </span>
        )}
      </Cell>
      <td className={styles.spark}>
        <Sparkline device={index} label={t('ui.gpus.sparkline', { name: device.name })} />
      </td>
      <td className={styles.action}>
        <DevicePause device={device} />
      </td>
    </tr>
  )
})

/** The one pause button of a device, with its reason and accessible name. */
export function DevicePause({ device }: { readonly device: DeviceView }) {
  const t = useText()
  return (
    <PauseButton
      target={device.index}
      testId={`gpu-pause-${device.index}`}
      name={t('ui.gpus.targetName', { index: device.index, name: device.name })}
      isPaused={device.paused}
      canResume={device.canResume}
      reason={device.pauseReasons.join('; ')}
    />
  )
}

function HashrateCells({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const format = useFormat()
  const largest = useMiner(selectLargestHashrate)
  const unit = format.hashrateUnit(largest)
  const { now, s60, m15 } = device.hashrate
  return (
    <>
      <Cell label={`${t('ui.gpus.now')} ${unit}`}>
        <Value
          kind="hashrate"
          value={now}
          takenAt={device.takenAt}
          text={format.hashrateIn(now, largest)}
          testId={`gpu-hashrate-${device.index}`}
        />
      </Cell>
      <Cell label={`${t('ui.gpus.s60')} ${unit}`}>
        <Value kind="hashrate" value={s60} text={format.hashrateIn(s60, largest)} />
      </Cell>
      <Cell label={`${t('ui.gpus.m15')} ${unit}`} isRare>
        <Value kind="hashrate" value={m15} text={format.hashrateIn(m15, largest)} />
      </Cell>
    </>
  )
}

/** Core, hotspot, memory. */
function Temperatures({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const { core, hotspot, memory } = device.temperature
  const places = [
    ['core', core],
    ['hotspot', hotspot],
    ['memory', memory],
  ] as const
  return (
    <span className={styles.temperatures}>
      {places.map(([place, value]) => (
        <span key={place} title={t(`ui.gpus.${place}`)}>
          <span className="visually-hidden">{t(`ui.gpus.${place}`)} </span>
          <Value kind="celsius" value={value} takenAt={device.takenAt} testId={`gpu-temp-${place}-${device.index}`} />
        </span>
      ))}
    </span>
  )
}

interface CellProps {
  readonly label: string
  /** Gives way first where there is no room. */
  readonly isRare?: boolean
  readonly children: ReactNode
}

/** A numeric cell; `label` is its heading where the table becomes cards. */
function Cell({ label, isRare = false, children }: CellProps) {
  return (
    <td className={isRare ? `${styles.number} ${styles.rare}` : styles.number} data-label={label}>
      {children}
    </td>
  )
}

export function efficiencyOf(device: DeviceView): number | null {
  const { s60 } = device.hashrate
  return s60 === null || device.powerWatts === null || device.powerWatts <= 0 ? null : s60 / device.powerWatts
}

export function subtitle(device: DeviceView, t: ReturnType<typeof useText>): string {
  const threads = device.threads === null ? '' : t('ui.gpus.threads', { count: device.threads })
  return [t(`ui.backend.${device.backend}`), device.pci, threads].filter((part) => part !== '').join(' · ')
}
