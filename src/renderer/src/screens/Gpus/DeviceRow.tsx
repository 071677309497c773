// One device's row. Rendered again only when more than its figures changed: they are written into the page.
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useApp, useDevice, useEnvironment } from '../../state/environment'
import { selectCanControl, selectIsOpen } from '../../state/stores/app-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { DeviceValue, type DeviceValueProps } from '../../widgets/devices/DeviceValue'
import { useReadingAge, Value } from '../../widgets/facts/Value'
import type { ColumnName, ColumnShown } from './columns'
import { DevicePause } from './DevicePause'
import { DeviceState } from './DeviceState'
import { DeviceShares } from './facts/DeviceShares'
import { readings, subtitle, temperaturePlaces } from './figures'
import styles from './Gpus.module.css'
import { useHashratePrefix, useHottestPlace } from './use-figures'

interface DeviceRowProps {
  readonly index: number
  readonly isSelected: boolean
  readonly onSelect: (index: number) => void
}

export const DeviceRow = memo(function DeviceRow({ index, isSelected, onSelect }: DeviceRowProps) {
  const device = useDevice(index)
  const t = useText()
  const { controls } = useEnvironment().stores
  const canControl = useApp((state) => selectCanControl(state) && selectIsOpen(state))
  if (device === undefined) return null
  const isPressable = canControl && (!device.paused || device.canResume)
  const toggle = (): void => void (isPressable && controls.press(index, !device.paused))
  return (
    <tr
      data-testid={`gpu-row-${index}`}
      data-state={device.state}
      aria-current={isSelected || undefined}
      tabIndex={isSelected ? 0 : -1}
      onClick={(event) => !isOnControl(event) && onSelect(index)}
      onKeyDown={(event) => onRowKey(event, { select: () => onSelect(index), toggle })}
    >
      <NameCells index={index} name={device.name} sub={subtitle(device, t)} />
      <td className={styles.state}>
        <DeviceState device={device} isNamed />
        <ControlMessage target={index} />
      </td>
      <FigureCells index={index} limitWatts={device.powerLimitWatts} />
      <HistoryCell index={index} name={device.name} />
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

interface FigureCellsProps {
  readonly index: number
  readonly limitWatts: number | null
}

function FigureCells({ index, limitWatts }: FigureCellsProps) {
  const t = useText()
  const age = useReadingAge(index)
  const of = (name: keyof typeof readings) => ({ device: index, read: readings[name] })
  return (
    <>
      <HashrateCells index={index} age={age} />
      <Cell label={t('ui.gpus.efficiency')} column="efficiency" shown="roomy">
        <DeviceValue {...of('efficiency')} kind="efficiency" />
      </Cell>
      <SharesCell index={index} />
      <TemperatureCells index={index} age={age} />
      <Cell label={t('ui.gpus.fan')} column="fan" shown="roomy">
        <DeviceValue {...of('fan')} kind="fan" age={age} />
      </Cell>
      <Cell label={t('ui.gpus.power')} column="power">
        <DeviceValue {...of('power')} kind="watts" age={age} testId={`gpu-power-${index}`} />
        {limitWatts !== null && (
          <span className={`${styles.limit} ${styles.wide}`}>
            {' / '}
            <Value kind="watts" value={limitWatts} />
          </span>
        )}
      </Cell>
      <Cell label={t('ui.gpus.clocks')} column="clocks" shown="widest">
        <DeviceValue {...of('coreClock')} kind="megahertz" age={age} />
        <span className={styles.limit}>
          {' / '}
          <DeviceValue {...of('memoryClock')} kind="megahertz" />
        </span>
      </Cell>
    </>
  )
}

/** `age` is that of the reading once it is stale. */
interface ReadingProps {
  readonly index: number
  readonly age: string | null
}

function HashrateCells({ index, age }: ReadingProps) {
  const t = useText()
  const format = useFormat()
  const prefix = useHashratePrefix()
  const unit = format.hashrateUnit(prefix)
  const shown = (name: 'now' | 's60' | 'm15'): DeviceValueProps => ({
    device: index,
    kind: 'hashrate',
    read: readings[name],
    prefix,
  })
  return (
    <>
      <Cell label={`${t('ui.gpus.now')} ${unit}`} shown="now">
        <DeviceValue {...shown('now')} age={age} testId={`gpu-hashrate-${index}`} />
      </Cell>
      <Cell label={`${t('ui.gpus.s60')} ${unit}`}>
        <DeviceValue {...shown('s60')} />
      </Cell>
      <Cell label={`${t('ui.gpus.m15')} ${unit}`} column="m15" shown="widest">
        <DeviceValue {...shown('m15')} />
      </Cell>
    </>
  )
}

/** The hottest place, or all three where there is room. */
function TemperatureCells({ index, age }: ReadingProps) {
  const t = useText()
  const hottest = useHottestPlace(index)
  return (
    <>
      <Cell label={t('ui.gpus.hottest')} column="temperatures" shown="narrow">
        <span title={hottest === null ? undefined : t(`ui.gpus.${hottest}`)}>
          {hottest !== null && <span className="visually-hidden">{t(`ui.gpus.${hottest}`)} </span>}
          <DeviceValue device={index} kind="celsius" read={readings.hottest} age={age} />
        </span>
      </Cell>
      <Cell label={t('ui.gpus.temperatures')} column="temperatures" shown="wide">
        <span className={styles.temperatures}>
          {temperaturePlaces.map((place) => (
            <span key={place} title={t(`ui.gpus.${place}`)}>
              <span className="visually-hidden">{t(`ui.gpus.${place}`)} </span>
              <DeviceValue
                device={index}
                kind="celsius"
                read={readings[place]}
                age={age}
                testId={`gpu-temp-${place}-${index}`}
              />
            </span>
          ))}
        </span>
      </Cell>
    </>
  )
}

const SharesCell = memo(function SharesCell({ index }: { readonly index: number }) {
  const t = useText()
  return (
    <Cell label={t('ui.gpus.shares')} column="shares">
      <DeviceShares index={index} />
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
      <div className={styles.contained}>{children}</div>
    </td>
  )
}
