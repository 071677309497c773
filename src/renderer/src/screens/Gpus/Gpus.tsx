// What does each device do, is it well, what does it earn, can I stop it? A table of all devices, and charts that compare them.
import { ArrowDown, ArrowUp, Check, Columns3, Cpu, RotateCw } from 'lucide-react'
import { DropdownMenu } from 'radix-ui'
import { type ReactNode, useState } from 'react'
import type { DeviceView, InventoryView } from '../../../../contract/miner'
import { TextField } from '../../components/forms/TextField'
import { Because, WhyButton } from '../../components/layout/Card'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { ForeignText } from '../../components/values/HexText'
import type { NumberKind } from '../../format/formatter'
import { type TextKey, useLanguage, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { RARELY, useCall } from '../../state/answers/use-answer'
import { useCanControl, useControl, useEnvironment, useMiner, usePreference } from '../../state/environment'
import {
  type MinerState,
  selectAllPaused,
  selectDeviceIndexes,
  selectEfficiency,
  selectMiningCount,
  selectTotalWatts,
} from '../../state/stores/program-store'
import { Button, Failure } from '../../widgets/controls/Button'
import { ConfirmDialog } from '../../widgets/controls/ConfirmDialog'
import { PauseFor } from '../../widgets/controls/PauseFor'
import menu from '../../widgets/controls/PauseFor.module.css'
import { MinerValue } from '../../widgets/devices/WrittenValue'
import { ACCEPTED } from '../../widgets/facts/Shares'
import { StatePill } from '../../widgets/facts/StatePill'
import { AnswerState, EmptyState, Skeleton } from '../../widgets/facts/States'
import { useMinerAge } from '../../widgets/facts/Value'
import { Why } from '../../widgets/why/Why'
import type { Explained } from '../../widgets/why/WhyText'
import { Screen } from '../Screen'
import { ComparedDevices } from './ComparedDevices'
import {
  type Column,
  type ColumnName,
  columns,
  headingOf,
  hideable,
  isSortable,
  type Sorting,
  shareCounts,
  sorted,
} from './columns'
import { Cell, DeviceRow, Lost, Margin, ShareCount } from './DeviceRow'
import styles from './Gpus.module.css'
import { AddSimulated } from './Simulated'
import {
  type DevicesMoney,
  type HistorySpan,
  readings,
  useDevicesMoney,
  useHashratePrefix,
  useHistorySpan,
} from './use-figures'

export function Gpus() {
  const t = useText()
  const isKnown = useMiner((state) => state.devices !== null)
  const isOff = useMiner((state) => state.status?.state === 'off')
  const indexes = useMiner(selectDeviceIndexes)
  const hasGpu = useMiner(({ devices }) => devices?.devices.some(isGpu) ?? false)
  return (
    <Screen
      title={t('ui.gpus.title')}
      sub={indexes.length > 0 && <Summary count={indexes.length} />}
      actions={<AddSimulated />}
    >
      {!isKnown && !isOff && <Skeleton lines={5} />}
      {isOff && !isKnown && <EmptyState icon={Cpu} title={t('ui.overview.minerOff')} />}
      {isKnown && indexes.length === 0 && (
        <EmptyState
          icon={Cpu}
          title={t('ui.gpus.none')}
          action={<a href={hrefOf('/settings/mining')}>{t('ui.gpus.openSettings')}</a>}
        >
          {t('ui.gpus.noneText')}
        </EmptyState>
      )}
      {indexes.length > 0 && <Devices indexes={indexes} />}
      {isKnown && !isOff && <LeftOut hasGpu={hasGpu} />}
    </Screen>
  )
}

function Summary({ count }: { readonly count: number }) {
  const t = useText()
  const mining = useMiner(selectMiningCount)
  return <span data-testid="gpus-summary">{t('ui.gpus.summary', { count, mining })}</span>
}

/** False for simulated GPUs and the CPU. */
function isGpu({ backend }: DeviceView): boolean {
  return backend === 'cuda' || backend === 'opencl'
}

function Devices({ indexes }: { readonly indexes: readonly number[] }) {
  const t = useText()
  const [sorting, setSorting] = useState<Sorting>({ column: 'device', isDescending: false })
  const [filter, setFilter] = useState('')
  const money = useDevicesMoney()
  const order = useMiner(selectOrder(sorting, filter, money))
  return (
    <>
      <div className={styles.bar}>
        {indexes.length >= FILTER_FROM && (
          <div className={styles.filter}>
            <TextField
              label={t('ui.gpus.filter')}
              isLabelHidden
              type="search"
              placeholder={t('ui.gpus.filter')}
              value={filter}
              onChange={setFilter}
              data-testid="gpu-filter"
            />
            <span className="visually-hidden" role="status">
              {filter === '' ? '' : t('ui.gpus.found', { count: order.length })}
            </span>
          </div>
        )}
        <DeviceTools />
      </div>
      {order.length === 0 ? (
        <EmptyState icon={Cpu} title={t('ui.gpus.found', { count: 0 })} />
      ) : (
        <DeviceTable indexes={order} sorting={sorting} money={money} onSort={setSorting} />
      )}
      <ComparedDevices rates={money.rates} />
    </>
  )
}

/** From this many devices on, there is a filter. */
const FILTER_FROM = 5

const selectOrder =
  (sorting: Sorting, filter: string, money: DevicesMoney) =>
  ({ devices }: MinerState): readonly number[] => {
    const all = devices?.devices ?? []
    const wanted = filter.trim().toLowerCase()
    const isWanted = ({ index, name, pci, backend, state }: DeviceView): boolean =>
      `${index} ${name} ${pci} ${backend} ${state}`.toLowerCase().includes(wanted)
    return sorted(wanted === '' ? all : all.filter(isWanted), sorting, money.of).map(({ index }) => index)
  }

interface DeviceTableProps {
  readonly indexes: readonly number[]
  readonly sorting: Sorting
  readonly money: DevicesMoney
  readonly onSort: (sorting: Sorting) => void
}

function DeviceTable({ indexes, sorting, money, onSort }: DeviceTableProps) {
  const t = useText()
  const chosen = usePreference((state) => state.hiddenColumns)
  // Without prices nobody has a margin.
  const hidden = money.rates === null ? [...chosen, 'margin'] : chosen
  const span = useHistorySpan()
  return (
    <div className={styles.devices}>
      <ScrollRegion className={styles.panel} label={t('ui.gpus.title')}>
        <table className={styles.table} data-hidden={hidden.join(' ')}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.name} column={column} span={span} sorting={sorting} onSort={onSort} />
              ))}
              <th scope="col" className={styles.actions}>
                <span className="visually-hidden">{t('ui.gpus.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {indexes.map((index, place) => (
              <DeviceRow key={index} index={index} isFirst={place === 0} money={money} span={span} />
            ))}
          </tbody>
          <TotalRow money={money} />
        </table>
      </ScrollRegion>
    </div>
  )
}

interface HeadingProps {
  readonly column: Column
  readonly span: HistorySpan
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

/** Numbers are first sorted in descending order, text in ascending order. */
function Heading({ column: { name, isNumber, isRate, shown }, span, sorting, onSort }: HeadingProps) {
  const { t, format } = useLanguage()
  const unit = format.hashrateUnit(useHashratePrefix())
  const isSorted = sorting.column === name
  const isDescending = isSorted ? !sorting.isDescending : isNumber
  const text = (
    <>
      {name === 'history' ? t(`ui.chart.window.${span}`) : t(headingOf(name))}
      {isRate && <span className={styles.headUnit}> {unit}</span>}
    </>
  )
  return (
    <th
      scope="col"
      className={`${isNumber ? styles.number : ''} ${shown === 'always' ? '' : styles[shown]}`}
      data-column={name === 'hottest' ? 'temperatures' : name}
      aria-sort={isSorted ? (sorting.isDescending ? 'descending' : 'ascending') : undefined}
    >
      {isSortable(name) ? (
        <button
          type="button"
          className={styles.sort}
          data-testid={`gpu-sort-${name}`}
          onClick={() => onSort({ column: name, isDescending })}
        >
          {text}
          {isSorted && (sorting.isDescending ? <ArrowDown aria-hidden="true" /> : <ArrowUp aria-hidden="true" />)}
        </button>
      ) : (
        text
      )}
    </th>
  )
}

/** Missing drivers matter only if no GPU was found: most computers have GPUs of one maker. */
function LeftOut({ hasGpu }: { readonly hasGpu: boolean }) {
  const answer = useCall('miner.inventory', {}, RARELY)
  const { value: inventory, reason } = answer
  if (inventory === null) return reason === '' ? null : <AnswerState answer={answer} />
  const missing = hasGpu ? [] : inventory.missing
  if (inventory.excluded.length + missing.length === 0) return null
  return (
    <ul className={styles.leftOut} data-testid="gpus-left-out">
      <ExcludedDevices excluded={inventory.excluded} />
      <MissingDrivers missing={missing} />
    </ul>
  )
}

function ExcludedDevices({ excluded }: { readonly excluded: InventoryView['excluded'] }) {
  const t = useText()
  return excluded.map(({ name, pci, backend, driver }) => (
    <li key={`${backend} ${pci} ${name}`}>
      <StatePill tone="neutral" mark="excluded" state="excluded">
        {t('ui.gpuState.excluded')}
      </StatePill>
      <span>
        <ForeignText text={name} />
        <span className={styles.sub}>
          {[t(`ui.backend.${backend}`), pci, driver].filter((part) => part !== '').join(' · ')}
        </span>
      </span>
      <span className={styles.hint}>{t('ui.gpus.excludedText')}</span>
    </li>
  ))
}

function MissingDrivers({ missing }: { readonly missing: InventoryView['missing'] }) {
  const t = useText()
  return missing.map(({ backend, reason }) => (
    <li key={backend}>
      <StatePill tone="neutral" mark="attention" state="missing">
        {t('ui.gpus.noDriver', { backend: t(`ui.backend.${backend}`) })}
      </StatePill>
      <span className={styles.hint}>
        <ForeignText text={reason} />
      </span>
    </li>
  ))
}

interface Total {
  readonly of: Explained
  readonly label: TextKey
  readonly kind: NumberKind
  readonly read: keyof typeof readings
  readonly sum: (state: MinerState) => number | null
}

function highest(read: keyof typeof readings): Total['sum'] {
  return ({ devices }) => {
    const known = (devices?.devices ?? []).flatMap((device) => readings[read](device) ?? [])
    return known.length === 0 ? null : Math.max(...known)
  }
}

const hottest: Total = {
  of: 'hottest',
  label: 'ui.gpus.hottest',
  kind: 'celsius',
  read: 'hottest',
  sum: highest('hottest'),
}

const totals: Readonly<Partial<Record<ColumnName, Total>>> = {
  s60: {
    of: 's60',
    label: 'ui.chart.hashrate',
    kind: 'hashrate',
    read: 's60',
    sum: ({ status }) => status?.hashrate.s60 ?? null,
  },
  m15: {
    of: 'm15',
    label: 'ui.gpus.m15',
    kind: 'hashrate',
    read: 'm15',
    sum: ({ status }) => status?.hashrate.m15 ?? null,
  },
  power: { of: 'powerSum', label: 'ui.gpus.power', kind: 'watts', read: 'power', sum: selectTotalWatts },
  efficiency: {
    of: 'efficiency',
    label: 'ui.gpus.efficiency',
    kind: 'efficiency',
    read: 'efficiency',
    sum: selectEfficiency,
  },
  hottest,
  temperatures: hottest,
  fan: { of: 'highestFan', label: 'ui.gpus.fan', kind: 'fan', read: 'fan', sum: highest('fan') },
}

/** All devices together, whatever the filter shows; each figure says what it is made of. */
function TotalRow({ money }: { readonly money: DevicesMoney }) {
  const t = useText()
  const [explained, setExplained] = useState<Explained | null>(null)
  const open = Object.values(totals).find(({ of }) => of === explained)
  const button = (of: Explained, label: TextKey, figure: ReactNode): ReactNode => (
    <WhyButton isOpen={explained === of} onToggle={() => setExplained(explained === of ? null : of)}>
      <span className="visually-hidden">{t(label)} </span>
      {figure}
    </WhyButton>
  )
  return (
    <tfoot>
      <tr data-testid="gpu-totals">
        <th scope="row" className={styles.name}>
          {t('ui.gpus.all')}
        </th>
        {columns.slice(1).map((column) => (
          <TotalCell key={column.name} column={column} money={money} button={button} />
        ))}
        <td className={styles.action} />
      </tr>
      {explained !== null && (
        <tr>
          <td colSpan={columns.length + 1} className={styles.because}>
            <Because>
              <Why
                key={explained}
                of={explained}
                parts={open === undefined ? ACCEPTED : { kind: open.kind, read: readings[open.read] }}
              />
            </Because>
          </td>
        </tr>
      )}
    </tfoot>
  )
}

const readAt = (state: MinerState): number | undefined => state.devices?.takenAt

interface TotalCellProps {
  readonly column: Column
  readonly money: DevicesMoney
  readonly button: (of: Explained, label: TextKey, figure: ReactNode) => ReactNode
}

function TotalCell({ column: { name, shown, isRate }, money, button }: TotalCellProps) {
  const { t, format } = useLanguage()
  const prefix = useHashratePrefix()
  const isOld = useMinerAge(readAt) !== null
  const total = totals[name]
  const cell = (label: TextKey, figure: ReactNode): ReactNode => (
    <Cell
      label={isRate ? `${t(label)} ${format.hashrateUnit(prefix)}` : t(label)}
      column={name === 'hottest' ? 'temperatures' : name}
      shown={shown}
    >
      {figure}
    </Cell>
  )
  if (total !== undefined) {
    const { of, label, kind, sum } = total
    const look = { kind, isOld, testId: `gpu-total-${of}`, prefix: isRate ? prefix : undefined }
    const figure = <MinerValue {...look} read={sum} />
    return cell(label, button(of, label, figure))
  }
  if (name === 'shares') return cell('ui.gpus.shares', button('shares', 'ui.gpus.shares', <AllShares of="shares" />))
  if (name === 'rejected' || name === 'wrong') return cell(headingOf(name), <AllShares of={name} />)
  if (name === 'lost24') return cell('ui.gpus.lost24', <Lost part={money.lost} testId="gpu-total-lost" />)
  if (name === 'margin')
    return cell('ui.gpus.margin', <Margin read={money.margin} money={money} testId="gpu-total-margin" />)
  return <td className={shown === 'always' ? styles.none : styles[shown]} data-column={name} />
}

function AllShares({ of }: { readonly of: keyof typeof shareCounts }) {
  const count = useMiner(({ status }) => (status === null ? null : shareCounts[of](status.shares)))
  return count === null ? null : <ShareCount of={of} count={count} testId={`gpu-total-${of}`} />
}

/** Actions for all devices: pause for a while, restart, and choosing the columns of their table. */
function DeviceTools() {
  const t = useText()
  const canControl = useCanControl()
  const isPaused = useMiner(selectAllPaused)
  return (
    <div className={styles.tools}>
      {canControl && !isPaused && (
        <PauseFor target="all" name={t('ui.pause.allDevices')} testId="pause-all-for" label={t('ui.pause.pauseAll')} />
      )}
      {canControl && <Restart />}
      <ColumnChooser />
    </div>
  )
}

function Restart() {
  const t = useText()
  const { controls } = useEnvironment().stores
  const [isAsked, setAsked] = useState(false)
  const control = useControl('restart')
  const isPending = control.kind === 'pending'
  return (
    <>
      <Button
        size="small"
        data-testid="gpus-restart"
        data-state={control.kind}
        isBusy={isPending}
        needsContact
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => setAsked(true)}
      >
        {t(isPending ? 'ui.gpus.restarting' : 'ui.gpus.restart')}
      </Button>
      <Failure text={control.kind === 'failed' ? t('ui.gpus.restartFailed', { reason: control.reason }) : ''} />
      {control.kind === 'unconfirmed' && (
        <p className={styles.failure} role="status">
          {t('ui.gpus.restartUnconfirmed')}
        </p>
      )}
      {isAsked && (
        <ConfirmDialog
          testId="gpus-restart-dialog"
          title={t('ui.gpus.restartTitle')}
          action={t('ui.gpus.restart')}
          onConfirm={() => void controls.restart()}
          onClose={() => setAsked(false)}
        >
          <RestartText />
        </ConfirmDialog>
      )}
    </>
  )
}

/** Says how long the slowest of the last measured builds took. */
function RestartText() {
  const { t, format } = useLanguage()
  const builds =
    useCall('miner.inventory', {}, RARELY).value?.devices.flatMap(({ buildSeconds }) => buildSeconds ?? []) ?? []
  if (builds.length === 0) return t('ui.gpus.restartText')
  const time = format.text('duration', Math.max(1, Math.ceil(Math.max(...builds))))
  return t('ui.gpus.restartTextFor', { time })
}

function ColumnChooser() {
  const t = useText()
  const { preferences } = useEnvironment().stores
  const hidden = usePreference((state) => state.hiddenColumns)
  const toggle = (name: ColumnName, isShown: boolean): void =>
    preferences.setState(({ hiddenColumns }) => ({
      hiddenColumns: isShown ? hiddenColumns.filter((one) => one !== name) : [...hiddenColumns, name],
    }))
  return (
    <DropdownMenu.Root>
      <DropdownMenu.Trigger asChild>
        <Button
          size="small"
          className={styles.columns}
          data-testid="gpu-columns"
          icon={<Columns3 aria-hidden="true" />}
        >
          {t('ui.gpus.columns')}
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content className={menu.menu} align="end" sideOffset={4}>
          {hideable.map((name) => (
            <DropdownMenu.CheckboxItem
              key={name}
              className={menu.item}
              data-testid={`gpu-column-${name}`}
              checked={!hidden.includes(name)}
              onCheckedChange={(isShown) => toggle(name, isShown)}
              // Keeps the menu open for the next choice.
              onSelect={(event) => event.preventDefault()}
            >
              <span className={styles.check}>
                <DropdownMenu.ItemIndicator>
                  <Check aria-hidden="true" />
                </DropdownMenu.ItemIndicator>
              </span>
              {t(headingOf(name))}
            </DropdownMenu.CheckboxItem>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  )
}
