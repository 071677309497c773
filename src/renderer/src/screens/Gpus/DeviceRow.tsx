// One device's row. Draws again only when its own device changed.
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useDevice, useEnvironment, useMiner } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { efficiencyOf, selectLargestHashrate } from '../../state/stores/miner-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { useAge, Value, type ValueProps } from '../../widgets/facts/Value'
import { Shares, type SharesProps } from '../Overview/MinerCards'
import type { ColumnName, ColumnShown } from './columns'
import { DevicePause } from './DevicePause'
import { DeviceState } from './DeviceState'
import { hottestOf, subtitle, temperaturePlaces } from './figures'
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
  const roomy = (column: 'efficiency' | 'fan') => ({ label: t(`ui.gpus.${column}`), column, shown: 'roomy' }) as const
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
      <ValueCell {...roomy('efficiency')} kind="efficiency" value={efficiencyOf(device)} />
      <SharesCell {...device.shares} />
      <TemperatureCells index={index} {...temperature} age={age} />
      <ValueCell {...roomy('fan')} kind="fan" value={device.fanPercent} age={age} />
      <PairCell
        label={t('ui.gpus.power')}
        column="power"
        kind="watts"
        value={powerWatts}
        age={age}
        testId={`gpu-power-${index}`}
        beside={powerLimitWatts}
        isBesideWide
      />
      <PairCell
        label={t('ui.gpus.clocks')}
        column="clocks"
        shown="widest"
        kind="megahertz"
        value={clockMhz.core}
        age={age}
        beside={clockMhz.memory}
      />
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

/** Each value is a cell of its own: of three hashrates, one changes with each reading. */
function HashrateCells({ index, now, s60, m15, age }: ReadingProps & DeviceView['hashrate']) {
  const t = useText()
  const format = useFormat()
  const largest = useMiner(selectLargestHashrate)
  const unit = format.hashrateUnit(largest)
  const cell = (value: number | null) => ({ kind: 'hashrate', value, text: format.hashrateIn(value, largest) }) as const
  return (
    <>
      <ValueCell
        label={`${t('ui.gpus.now')} ${unit}`}
        shown="now"
        {...cell(now)}
        age={age}
        testId={`gpu-hashrate-${index}`}
      />
      <ValueCell label={`${t('ui.gpus.s60')} ${unit}`} {...cell(s60)} />
      <ValueCell label={`${t('ui.gpus.m15')} ${unit}`} column="m15" shown="widest" {...cell(m15)} />
    </>
  )
}

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

interface ValueCellProps extends Omit<CellProps, 'children'>, Pick<ValueProps, 'kind' | 'age' | 'text' | 'testId'> {
  readonly value: number | null
}

const ValueCell = memo(function ValueCell({ label, column, shown, ...value }: ValueCellProps) {
  return (
    <Cell label={label} column={column} shown={shown}>
      <Value {...value} />
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

interface PairCellProps extends ValueCellProps {
  /** Behind a stroke; nothing where it is null. */
  readonly beside: number | null
  readonly isBesideWide?: boolean
}

const PairCell = memo(function PairCell(props: PairCellProps) {
  const { label, column, shown, beside, isBesideWide = false, ...value } = props
  return (
    <Cell label={label} column={column} shown={shown}>
      <Value {...value} />
      {beside !== null && (
        <span className={isBesideWide ? `${styles.limit} ${styles.wide}` : styles.limit}>
          {' / '}
          <Value kind={value.kind} value={beside} />
        </span>
      )}
    </Cell>
  )
})

interface CellProps {
  readonly label: string
  /** For the chooser of columns. */
  readonly column?: ColumnName | undefined
  readonly shown?: ColumnShown | undefined
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
