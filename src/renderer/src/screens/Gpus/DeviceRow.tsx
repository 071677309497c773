// One device's row. Draws again only when its own device changed.
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useDevice, useEnvironment, useMiner } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { selectLargestHashrate } from '../../state/stores/miner-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { useAge, Value } from '../../widgets/facts/Value'
import { Shares, type SharesProps } from '../Overview/MinerCards'
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

/** What changes with each reading is a separate cell, so that the rest of the row isn't rendered again. */
export const DeviceRow = memo(function DeviceRow({ index, isSelected, onSelect }: DeviceRowProps) {
  const device = useDevice(index)
  const age = useAge(device?.takenAt)
  const t = useText()
  const { controls } = useEnvironment().stores
  const canControl = useApp((state) => selectCanControl(state) && selectIsOpen(state))
  if (device === undefined) return null
  const isPressable = canControl && (!device.paused || device.canResume)
  const toggle = (): void => void (isPressable && controls.press(index, !device.paused))
  const { name, temperature, clockMhz, powerWatts, powerLimitWatts } = device
  return (
    <tr
      data-testid={`gpu-row-${index}`}
      data-state={device.state}
      aria-current={isSelected || undefined}
      tabIndex={isSelected ? 0 : -1}
      onClick={(event) => !isOnControl(event) && onSelect(index)}
      onKeyDown={(event) => onRowKey(event, { select: () => onSelect(index), toggle })}
    >
      <NameCells index={index} name={name} sub={subtitle(device, t)} />
      <td className={styles.state}>
        <DeviceState device={device} isNamed />
        <ControlMessage target={index} />
      </td>
      <HashrateCells index={index} {...device.hashrate} age={age} />
      <ValueCell name="efficiency" kind="efficiency" value={efficiencyOf(device)} age={null} />
      <SharesCell {...device.shares} />
      <TemperatureCells index={index} {...temperature} age={age} />
      <ValueCell name="fan" kind="fan" value={device.fanPercent} age={age} />
      <PowerCells index={index} watts={powerWatts} limit={powerLimitWatts} {...clockMhz} age={age} />
      <HistoryCell index={index} name={name} />
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

interface RowActions {
  readonly select: () => void
  /** Pauses or resumes. */
  readonly toggle: () => void
}

/** Enter chooses the row, Space pauses or resumes it, arrows, Home and End move; keys of what is inside are left alone. */
function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, { select, toggle }: RowActions): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    if (event.key === 'Enter') select()
    else if (!event.repeat) toggle()
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

interface NameCellsProps {
  readonly index: number
  readonly name: string
  readonly sub: string
}

const NameCells = memo(function NameCells({ index, name, sub }: NameCellsProps) {
  return (
    <>
      <td className={styles.index}>{index}</td>
      <th scope="row" className={styles.name}>
        <span className={styles.cardIndex} aria-hidden="true">
          {index}{' '}
        </span>
        <a href={hrefOf(`/gpus/${index}`)}>
          <ForeignText text={name} />
        </a>
        <span className={styles.sub}>{sub}</span>
      </th>
    </>
  )
})

/** Every value is known or null; `age` is that of the reading once it is stale. */
interface ReadingProps {
  readonly index: number
  readonly age: string | null
}

const HashrateCells = memo(function HashrateCells(props: ReadingProps & DeviceView['hashrate']) {
  const { index, now, s60, m15, age } = props
  const t = useText()
  const format = useFormat()
  const largest = useMiner(selectLargestHashrate)
  const unit = format.hashrateUnit(largest)
  const text = (value: number | null): string => format.hashrateIn(value, largest)
  return (
    <>
      <Cell label={`${t('ui.gpus.now')} ${unit}`} shown="now">
        <Value kind="hashrate" value={now} age={age} text={text(now)} testId={`gpu-hashrate-${index}`} />
      </Cell>
      <Cell label={`${t('ui.gpus.s60')} ${unit}`}>
        <Value kind="hashrate" value={s60} text={text(s60)} />
      </Cell>
      <Cell label={`${t('ui.gpus.m15')} ${unit}`} column="m15" shown="widest">
        <Value kind="hashrate" value={m15} text={text(m15)} />
      </Cell>
    </>
  )
})

/** The hottest place, or all three where there is room. */
const TemperatureCells = memo(function TemperatureCells(props: ReadingProps & DeviceView['temperature']) {
  const { index, age } = props
  const t = useText()
  const hottest = hottestOf({ temperature: props })
  return (
    <>
      <Cell label={t('ui.gpus.hottest')} column="temperatures" shown="narrow">
        <span title={hottest === null ? undefined : t(`ui.gpus.${hottest.place}`)}>
          {hottest !== null && <span className="visually-hidden">{t(`ui.gpus.${hottest.place}`)} </span>}
          <Value kind="celsius" value={hottest?.celsius} age={age} />
        </span>
      </Cell>
      <Cell label={t('ui.gpus.temperatures')} column="temperatures" shown="wide">
        <span className={styles.temperatures}>
          {temperaturePlaces.map((place) => (
            <span key={place} title={t(`ui.gpus.${place}`)}>
              <span className="visually-hidden">{t(`ui.gpus.${place}`)} </span>
              <Value kind="celsius" value={props[place]} age={age} testId={`gpu-temp-${place}-${index}`} />
            </span>
          ))}
        </span>
      </Cell>
    </>
  )
})

interface ValueCellProps {
  readonly name: 'efficiency' | 'fan'
  readonly kind: NumberKind
  readonly value: number | null
  readonly age: string | null
}

const ValueCell = memo(function ValueCell({ name, kind, value, age }: ValueCellProps) {
  const t = useText()
  return (
    <Cell label={t(`ui.gpus.${name}`)} column={name} shown="roomy">
      <Value kind={kind} value={value} age={age} />
    </Cell>
  )
})

const SharesCell = memo(function SharesCell(shares: SharesProps) {
  const t = useText()
  return (
    <Cell label={t('ui.gpus.shares')} column="shares">
      <Shares {...shares} />
    </Cell>
  )
})

const HistoryCell = memo(function HistoryCell({ index, name }: { readonly index: number; readonly name: string }) {
  const t = useText()
  return (
    <td className={styles.spark} data-column="history">
      <Sparkline device={index} label={t('ui.gpus.sparkline', { name })} />
    </td>
  )
})

interface PowerCellsProps extends ReadingProps {
  readonly watts: number | null
  readonly limit: number | null
  /** MHz. */
  readonly core: number | null
  /** MHz. */
  readonly memory: number | null
}

const PowerCells = memo(function PowerCells({ index, watts, limit, core, memory, age }: PowerCellsProps) {
  const t = useText()
  return (
    <>
      <Cell label={t('ui.gpus.power')} column="power">
        <Value kind="watts" value={watts} age={age} testId={`gpu-power-${index}`} />
        {limit !== null && (
          <span className={`${styles.limit} ${styles.wide}`}>
            {' / '}
            <Value kind="watts" value={limit} />
          </span>
        )}
      </Cell>
      <Cell label={t('ui.gpus.clocks')} column="clocks" shown="widest">
        <Value kind="megahertz" value={core} age={age} />
        {memory !== null && (
          <span className={styles.limit}>
            {' / '}
            <Value kind="megahertz" value={memory} />
          </span>
        )}
      </Cell>
    </>
  )
})

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
