// One device's row. Draws again only when its own device changed.
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { hrefOf } from '../../app/router'
import { ControlMessage } from '../../components/PauseButton'
import { Sparkline } from '../../components/Sparkline'
import { Value } from '../../components/Value'
import { useFormat, useText } from '../../i18n/text'
import { useDevice, useMiner } from '../../state/environment'
import { selectLargestHashrate } from '../../state/miner-store'
import { Shares } from '../Overview/MinerCards'
import type { ColumnName, ColumnShown } from './columns'
import { DevicePause } from './DevicePause'
import { DeviceState } from './DeviceState'
import { efficiencyOf, hottestOf, subtitle, temperaturePlaces } from './figures'
import styles from './Gpus.module.css'

export interface DeviceRowProps {
  readonly index: number
  readonly isSelected: boolean
  readonly onSelect: (index: number) => void
}

export const DeviceRow = memo(function DeviceRow({ index, isSelected, onSelect }: DeviceRowProps) {
  const device = useDevice(index)
  const t = useText()
  if (device === undefined) return null
  return (
    <tr
      data-testid={`gpu-row-${index}`}
      data-state={device.state}
      aria-current={isSelected || undefined}
      tabIndex={isSelected ? 0 : -1}
      onClick={(event) => !isOnControl(event) && onSelect(index)}
      onKeyDown={(event) => onRowKey(event, () => onSelect(index))}
    >
      <td className={styles.index}>{index}</td>
      <th scope="row" className={styles.name}>
        <a href={hrefOf(`/gpus/${index}`)}>{device.name}</a>
        <span className={styles.sub}>{subtitle(device, t)}</span>
      </th>
      <td className={styles.state}>
        <DeviceState device={device} isNamed />
        <ControlMessage target={index} />
      </td>
      <HashrateCells device={device} />
      <Cell label={t('ui.gpus.efficiency')} column="efficiency" shown="roomy">
        <Value kind="efficiency" value={efficiencyOf(device)} />
      </Cell>
      <Cell label={t('ui.gpus.shares')} column="shares">
        <Shares {...device.shares} />
      </Cell>
      <TemperatureCells device={device} />
      <Cell label={t('ui.gpus.fan')} column="fan" shown="roomy">
        <Value kind="fan" value={device.fanPercent} takenAt={device.takenAt} />
      </Cell>
      <PowerCells device={device} />
      <td className={styles.spark} data-column="history">
        <Sparkline device={index} label={t('ui.gpus.sparkline', { name: device.name })} />
      </td>
      <td className={styles.action}>
        <DevicePause device={device} testId={`gpu-pause-${index}`} />
      </td>
    </tr>
  )
})

/** True for a press on a link or a button of the row, which does its own work. */
function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('a, button') !== null
}

/** Enter and Space choose the row, arrows, Home and End move between rows; keys of what is inside are left alone. */
function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, select: () => void): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    select()
    return
  }
  const row = event.currentTarget
  const next: Readonly<Record<string, Element | null | undefined>> = {
    ArrowDown: row.nextElementSibling,
    ArrowUp: row.previousElementSibling,
    Home: row.parentElement?.firstElementChild,
    End: row.parentElement?.lastElementChild,
  }
  const other = next[event.key]
  if (!(other instanceof HTMLElement)) return
  event.preventDefault()
  other.focus()
}

function HashrateCells({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const format = useFormat()
  const largest = useMiner(selectLargestHashrate)
  const unit = format.hashrateUnit(largest)
  const { now, s60, m15 } = device.hashrate
  return (
    <>
      <Cell label={`${t('ui.gpus.now')} ${unit}`} shown="now">
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
      <Cell label={`${t('ui.gpus.m15')} ${unit}`} column="m15" shown="widest">
        <Value kind="hashrate" value={m15} text={format.hashrateIn(m15, largest)} />
      </Cell>
    </>
  )
}

/** The hottest place, or all three where there is room. */
function TemperatureCells({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const hottest = hottestOf(device)
  const { takenAt, index, temperature } = device
  return (
    <>
      <Cell label={t('ui.gpus.hottest')} column="temperatures" shown="narrow">
        <span title={hottest === null ? undefined : t(`ui.gpus.${hottest.place}`)}>
          {hottest !== null && <span className="visually-hidden">{t(`ui.gpus.${hottest.place}`)} </span>}
          <Value kind="celsius" value={hottest?.celsius} takenAt={takenAt} />
        </span>
      </Cell>
      <Cell label={t('ui.gpus.temperatures')} column="temperatures" shown="wide">
        <span className={styles.temperatures}>
          {temperaturePlaces.map((place) => (
            <span key={place} title={t(`ui.gpus.${place}`)}>
              <span className="visually-hidden">{t(`ui.gpus.${place}`)} </span>
              <Value
                kind="celsius"
                value={temperature[place]}
                takenAt={takenAt}
                testId={`gpu-temp-${place}-${index}`}
              />
            </span>
          ))}
        </span>
      </Cell>
    </>
  )
}

function PowerCells({ device }: { readonly device: DeviceView }) {
  const t = useText()
  const { powerWatts, powerLimitWatts, clockMhz, takenAt, index } = device
  return (
    <>
      <Cell label={t('ui.gpus.power')} column="power">
        <Value kind="watts" value={powerWatts} takenAt={takenAt} testId={`gpu-power-${index}`} />
        {powerLimitWatts !== null && (
          <span className={`${styles.limit} ${styles.wide}`}>
            {' / '}
            <Value kind="watts" value={powerLimitWatts} />
          </span>
        )}
      </Cell>
      <Cell label={t('ui.gpus.clocks')} column="clocks" shown="widest">
        <Value kind="megahertz" value={clockMhz.core} takenAt={takenAt} />
        {clockMhz.memory !== null && (
          <span className={styles.limit}>
            {' / '}
            <Value kind="megahertz" value={clockMhz.memory} />
          </span>
        )}
      </Cell>
    </>
  )
}

interface CellProps {
  readonly label: string
  /** For the chooser of columns. */
  readonly column?: ColumnName
  readonly shown?: ColumnShown
  readonly children: ReactNode
}

/** A numeric cell; `label` is its heading where the table becomes cards. */
function Cell({ label, column, shown = 'always', children }: CellProps) {
  return (
    <td
      className={shown === 'always' ? styles.number : `${styles.number} ${styles[shown]}`}
      data-label={label}
      data-column={column}
    >
      {children}
    </td>
  )
}
