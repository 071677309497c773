// One device's row. Rendered again only when more than its figures changed: they are written into the page.
import {
  type CSSProperties,
  type KeyboardEvent,
  type MouseEvent,
  memo,
  type ReactNode,
  useCallback,
  useLayoutEffect,
  useMemo,
  useRef,
} from 'react'
import { ForeignText } from '../../components/values/HexText'
import { UNKNOWN } from '../../format/formatter'
import { useFormat, useText } from '../../i18n/text'
import { goTo, hrefOf } from '../../navigation/router'
import { useApp, useDevice, useEnvironment, useMiner } from '../../state/environment'
import type { SteadyDevice } from '../../state/in-sight'
import {
  type MinerState,
  selectCanControl,
  selectDevice,
  selectDeviceIndexes,
  selectIsOpen,
  selectShares,
} from '../../state/stores/program-store'
import { Sparkline } from '../../widgets/charts/Sparkline'
import { ControlMessage } from '../../widgets/controls/PauseButton'
import { deviceColor, deviceLabel, shortName } from '../../widgets/devices/device-names'
import { DeviceValue, type DeviceValueProps } from '../../widgets/devices/WrittenValue'
import { useReadingAge, Value } from '../../widgets/facts/Value'
import { type ColumnName, type ColumnShown, headingOf, shareCounts } from './columns'
import { DevicePause } from './DevicePause'
import { DeviceState } from './DeviceState'
import styles from './Gpus.module.css'
import {
  type DeviceMoney,
  type DevicesMoney,
  type HistorySpan,
  readings,
  subtitle,
  temperaturePlaces,
  useHashratePrefix,
  useHottestPlace,
} from './use-figures'

interface DeviceRowProps {
  readonly index: number
  /** Where the keyboard enters the table. */
  readonly isFirst: boolean
  /** Of all devices; the same object until the ledger is read again. */
  readonly money: DevicesMoney
  readonly span: HistorySpan
}

export const DeviceRow = memo(function DeviceRow({ index, isFirst, money, span }: DeviceRowProps) {
  const device = useDevice(index)
  const { controls } = useEnvironment().stores
  const color = useMiner((state) =>
    deviceColor({ backend: device?.backend ?? 'cuda' }, selectDeviceIndexes(state).indexOf(index)),
  )
  const canControl = useApp((state) => selectCanControl(state) && selectIsOpen(state))
  if (device === undefined) return null
  const isPressable = canControl && (!device.paused || device.canResume)
  const open = (): void => goTo(`/gpus/${index}`)
  const toggle = (): void => void (isPressable && controls.press(index, !device.paused))
  return (
    <tr
      data-testid={`gpu-row-${index}`}
      data-state={device.state}
      tabIndex={isFirst ? 0 : -1}
      onClick={(event) => !isOnControl(event) && open()}
      onKeyDown={(event) => onRowKey(event, { open, toggle })}
    >
      <NameCell device={device} color={color} />
      <td className={styles.state}>
        <DeviceState device={device} isNamed />
        <ControlMessage target={index} />
      </td>
      <HashrateCells index={index} />
      <HistoryCell index={index} name={device.name} color={color} span={span} />
      <LostCell index={index} money={money} />
      <FigureCells device={device} />
      <MarginCell index={index} money={money} />
      <td className={styles.action}>
        <DevicePause device={device} testId={`gpu-pause-${index}`} isBare />
      </td>
    </tr>
  )
})

/** True for a press on a link or a button of the row, which does its own work. */
function isOnControl({ target }: MouseEvent): boolean {
  return target instanceof Element && target.closest('a, button') !== null
}

interface RowActions {
  readonly open: () => void
  readonly toggle: () => void
}

/** Enter opens the device's page, Space pauses or resumes it, arrows, Home and End move; keys of what is inside are left alone. */
function onRowKey(event: KeyboardEvent<HTMLTableRowElement>, { open, toggle }: RowActions): void {
  if (event.target !== event.currentTarget) return
  if (event.key === 'Enter' || event.key === ' ') {
    event.preventDefault()
    if (event.key === 'Enter') open()
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

function NameCell({ device, color }: { readonly device: SteadyDevice; readonly color: string }) {
  const t = useText()
  return (
    <th
      scope="row"
      className={styles.name}
      style={{ '--c': color } as CSSProperties}
      title={`${device.name} · ${subtitle(device, t)}`}
    >
      <a href={hrefOf(`/gpus/${device.index}`)}>{deviceLabel(device, t)}</a>
      <span className={styles.sub}>
        <ForeignText text={shortName(device.name)} />
        {device.threads !== null && ` · ${t('ui.gpus.threads', { count: device.threads })}`}
      </span>
    </th>
  )
}

function FigureCells({ device: { index, powerLimitWatts: limitWatts, reported } }: { readonly device: SteadyDevice }) {
  const t = useText()
  const age = useReadingAge(index)
  const of = (name: keyof typeof readings) => ({ device: index, read: readings[name] })
  return (
    <>
      <Cell label={t('ui.gpus.power')} column="power">
        <DeviceValue {...of('power')} kind="watts" age={age} testId={`gpu-power-${index}`} />
        {limitWatts !== null && (
          <span className={`${styles.limit} ${styles.wide}`}>
            {' / '}
            <Value kind="watts" value={limitWatts} />
          </span>
        )}
      </Cell>
      <Cell label={t('ui.gpus.efficiency')} column="efficiency" shown="roomy">
        <DeviceValue {...of('efficiency')} kind="efficiency" isOld={age !== null} />
        <CellBar index={index} name="efficiency" />
      </Cell>
      <TemperatureCells index={index} age={age} isReported={temperaturePlaces.some((place) => reported[place])} />
      <Cell label={t('ui.gpus.fan')} column="fan" shown="roomy">
        <DeviceValue {...of('fan')} kind="fan" age={age} />
      </Cell>
      <Cell label={t('ui.gpus.clocks')} column="clocks" shown="widest">
        <DeviceValue {...of('coreClock')} kind="megahertz" age={age} />
        {(reported.coreClock || reported.memoryClock) && (
          <span className={styles.limit}>
            {' / '}
            <DeviceValue {...of('memoryClock')} kind="megahertz" isOld={age !== null} />
          </span>
        )}
      </Cell>
      <SharesCells index={index} />
    </>
  )
}

/** `age` is that of the reading once it is stale. */
interface ReadingProps {
  readonly index: number
  readonly age: string | null
}

function HashrateCells({ index }: { readonly index: number }) {
  const t = useText()
  const age = useReadingAge(index)
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
      <Cell label={`${t('ui.chart.hashrate')} ${unit}`} column="s60">
        <DeviceValue {...shown('s60')} isOld={age !== null} />
        <CellBar index={index} name="s60" />
      </Cell>
      <Cell label={`${t('ui.gpus.now')} ${unit}`} column="now" shown="widest">
        <DeviceValue {...shown('now')} age={age} testId={`gpu-hashrate-${index}`} />
      </Cell>
      <Cell label={`${t('ui.gpus.m15')} ${unit}`} column="m15" shown="widest">
        <DeviceValue {...shown('m15')} isOld={age !== null} />
      </Cell>
    </>
  )
}

/** The hottest place, or all three where there is room; one dash for a device without sensors. */
function TemperatureCells({ index, age, isReported }: ReadingProps & { readonly isReported: boolean }) {
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
          {isReported
            ? temperaturePlaces.map((place) => (
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
              ))
            : UNKNOWN}
        </span>
      </Cell>
    </>
  )
}

/** From here on a loss has a color. */
const LOSS_WARNS = 0.02

interface MoneyCellProps {
  readonly index: number
  readonly money: DevicesMoney
}

function LostCell({ index, money }: MoneyCellProps) {
  const t = useText()
  const lost = useMiner((state) => moneyOf(state, index, money).lost)
  return (
    <Cell label={t('ui.gpus.lost24')} column="lost24" shown="money">
      <Lost part={lost} testId={`gpu-lost-${index}`} />
    </Cell>
  )
}

/** A part of what is usual; null: unknown. */
export function Lost({ part, testId }: { readonly part: number | null; readonly testId: string }) {
  const format = useFormat()
  return (
    <span data-testid={testId} data-value={part ?? ''} data-level={(part ?? 0) >= LOSS_WARNS ? 'warn' : undefined}>
      {part === null ? UNKNOWN : format.text('percent', 100 * part)}
    </span>
  )
}

function MarginCell({ index, money }: MoneyCellProps) {
  const t = useText()
  const read = useCallback((state: MinerState) => moneyOf(state, index, money).margin, [index, money])
  return (
    <Cell label={t('ui.gpus.margin')} column="margin" shown="money">
      <Margin read={read} money={money} testId={`gpu-margin-${index}`} />
    </Cell>
  )
}

interface MarginProps {
  readonly read: (state: MinerState) => number | null
  readonly money: DevicesMoney
  readonly testId: string
}

/** Rendered again when a cent of it changes. */
export function Margin({ read, money, testId }: MarginProps) {
  const format = useFormat()
  const margin = useMiner((state) => {
    const exact = read(state)
    return exact === null ? null : Math.round(100 * exact) / 100
  })
  return (
    <span data-testid={testId} data-value={margin ?? ''} data-level={(margin ?? 0) < 0 ? 'danger' : undefined}>
      {margin === null ? UNKNOWN : format.price(margin, money.rates?.currency ?? '')}
    </span>
  )
}

function moneyOf(state: MinerState, index: number, money: DevicesMoney): DeviceMoney {
  const device = selectDevice(index)(state)
  return device === undefined ? { lost: null, margin: null } : money.of(device)
}

const SharesCells = memo(function SharesCells({ index }: { readonly index: number }) {
  const t = useText()
  const shares = useMiner(useMemo(() => selectShares(index), [index]))
  if (shares === undefined) return null
  return (['shares', 'rejected', 'wrong'] as const).map((of) => (
    <Cell key={of} label={t(headingOf(of))} column={of} shown={of === 'rejected' ? 'wide' : 'always'}>
      <ShareCount of={of} count={shareCounts[of](shares)} testId={`gpu-${of}-${index}`} />
    </Cell>
  ))
})

interface ShareCountProps {
  readonly of: keyof typeof shareCounts
  readonly count: number
  readonly testId: string
}

/** Wrong results have a color: they are the device's own fault. */
export function ShareCount({ of, count, testId }: ShareCountProps) {
  const format = useFormat()
  return (
    <span data-testid={testId} data-value={count} data-level={of === 'wrong' && count > 0 ? 'warn' : undefined}>
      {format.text('count', count)}
    </span>
  )
}

interface HistoryCellProps {
  readonly index: number
  readonly name: string
  readonly color: string
  readonly span: HistorySpan
}

const HistoryCell = memo(function HistoryCell({ index, name, color, span }: HistoryCellProps) {
  const t = useText()
  const label = t('ui.gpus.sparkline', { name, window: t(`ui.chart.window.${span}`) })
  return (
    <td className={styles.spark} data-column="history">
      <Sparkline device={index} label={label} color={color} window={span} />
    </td>
  )
})

interface CellBarProps {
  readonly index: number
  readonly name: keyof typeof readings
}

/** Below a figure: its part of the largest in the column. Written when a hundredth of it changes. */
const CellBar = memo(function CellBar({ index, name }: CellBarProps) {
  const { readings: stream, miner } = useEnvironment().stores
  const bar = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    const last = { percent: -1 }
    return stream.follow(index, (reading) => {
      const all = (miner.getState().devices?.devices ?? []).map((device) => readings[name](device) ?? 0)
      const largest = Math.max(0, ...all)
      const percent = largest === 0 ? 0 : Math.min(100, Math.round((100 * (readings[name](reading) ?? 0)) / largest))
      if (percent !== last.percent) bar.current?.style.setProperty('inline-size', `${percent}%`)
      last.percent = percent
    })
  }, [stream, miner, index, name])
  return (
    <span className={styles.cellBar} aria-hidden="true">
      <span ref={bar} data-testid={`gpu-bar-${name}-${index}`} />
    </span>
  )
})

interface CellProps {
  readonly label: string
  readonly column?: ColumnName | undefined
  readonly shown?: ColumnShown | undefined
  readonly children: ReactNode
}

/** A numeric cell; `label` is its heading where the table becomes cards. */
export function Cell({ label, column, shown = 'always', children }: CellProps) {
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
