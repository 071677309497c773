// What does each device do, is it well, can I stop it? A table of all devices, and below it the selected one with its
// charts.

import { ArrowDown, ArrowUp, Cpu } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import type { DeviceView } from '../../../../contract/miner'
import { TextField } from '../../components/forms/TextField'
import { ScrollRegion } from '../../components/layout/ScrollRegion'
import { useFormat, useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { useMiner, usePreference } from '../../state/environment'
import { type MinerState, selectDeviceIndexes } from '../../state/stores/miner-store'
import { EmptyState, Skeleton } from '../../widgets/facts/States'
import { Screen } from '../Screen'
import { type Column, columns, isSortable, type Sorting, sorted } from './columns'
import { DeviceRow } from './DeviceRow'
import { DeviceSection } from './DeviceSection'
import { DeviceTools } from './DeviceTools'
import { DeviceTotals } from './facts/DeviceTotals'
import styles from './Gpus.module.css'
import { LeftOut } from './LeftOut'
import { AddSimulated, SimulatedFaults } from './Simulated'
import { Temperatures } from './Temperatures'
import { useHashratePrefix } from './use-figures'

export function Gpus() {
  const t = useText()
  const isKnown = useMiner((state) => state.devices !== null)
  const isOff = useMiner((state) => state.status?.state === 'off')
  const indexes = useMiner(selectDeviceIndexes)
  const hasGpu = useMiner(({ devices }) => devices?.devices.some(isGpu) ?? false)
  return (
    <Screen title={t('ui.gpus.title')} actions={<AddSimulated />}>
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

/** False for simulated GPUs and the CPU. */
function isGpu({ backend }: DeviceView): boolean {
  return backend === 'cuda' || backend === 'opencl'
}

function Devices({ indexes }: { readonly indexes: readonly number[] }) {
  const t = useText()
  const [chosen, setChosen] = useState<number | null>(null)
  const [sorting, setSorting] = useState<Sorting>({ column: 'index', isDescending: false })
  const [filter, setFilter] = useState('')
  const order = useMiner(selectOrder(sorting, filter))
  const isTable = useIsTable()
  const [first] = indexes
  const selected = chosen !== null && indexes.includes(chosen) ? chosen : first
  // Below a long list of cards nobody would see it; there, each name links to the device's own page.
  const hasDetail = selected !== undefined && (isTable || indexes.length === 1)
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
        <DeviceTable
          indexes={order}
          selected={hasDetail ? selected : null}
          sorting={sorting}
          onSort={setSorting}
          onSelect={setChosen}
        />
      )}
      <DeviceTotals />
      <Temperatures />
      {hasDetail && <DeviceSection key={selected} index={selected} />}
      {hasDetail && <SimulatedFaults index={selected} />}
    </>
  )
}

/** From this many devices on, there is a filter. */
const FILTER_FROM = 5

/** Indexes of the devices in the order of the table. */
const selectOrder =
  (sorting: Sorting, filter: string) =>
  ({ devices }: MinerState): readonly number[] => {
    const all = devices?.devices ?? []
    const wanted = filter.trim().toLowerCase()
    const isWanted = ({ index, name, pci, backend, state }: DeviceView): boolean =>
      `${index} ${name} ${pci} ${backend} ${state}`.toLowerCase().includes(wanted)
    return sorted(wanted === '' ? all : all.filter(isWanted), sorting).map(({ index }) => index)
  }

/** Window width from which the content is wide enough for the table: 960 px beside the rail. */
const TABLE_QUERY = '(min-width: 1216px)'

function subscribe(listener: () => void): () => void {
  const query = window.matchMedia(TABLE_QUERY)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

function useIsTable(): boolean {
  return useSyncExternalStore(subscribe, () => window.matchMedia(TABLE_QUERY).matches)
}

interface DeviceTableProps {
  readonly indexes: readonly number[]
  /** Null if nothing can be selected. */
  readonly selected: number | null
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
  readonly onSelect: (index: number) => void
}

function DeviceTable({ indexes, selected, sorting, onSort, onSelect }: DeviceTableProps) {
  const t = useText()
  const hidden = usePreference((state) => state.hiddenColumns)
  return (
    <div className={styles.devices}>
      <ScrollRegion className={styles.panel} label={t('ui.gpus.title')}>
        <table className={styles.table} data-hidden={hidden.join(' ')}>
          <thead>
            <tr>
              {columns.map((column) => (
                <Heading key={column.name} column={column} sorting={sorting} onSort={onSort} />
              ))}
              <th scope="col" className={styles.actions}>
                <span className="visually-hidden">{t('ui.gpus.actions')}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {indexes.map((index) => (
              <DeviceRow key={index} index={index} isSelected={index === selected} onSelect={onSelect} />
            ))}
          </tbody>
        </table>
      </ScrollRegion>
    </div>
  )
}

interface HeadingProps {
  readonly column: Column
  readonly sorting: Sorting
  readonly onSort: (sorting: Sorting) => void
}

/** Numbers are first sorted in descending order, text in ascending order. */
function Heading({ column: { name, isNumber, isRate, shown }, sorting, onSort }: HeadingProps) {
  const t = useText()
  const format = useFormat()
  const unit = format.hashrateUnit(useHashratePrefix())
  const isSorted = sorting.column === name
  const isDescending = isSorted ? !sorting.isDescending : isNumber
  const text = (
    <>
      {t(`ui.gpus.${name}`)}
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
