// Which device does what, is it well, can I stop it? A table of all, and below it the chosen one with its charts.

import { Cpu } from 'lucide-react'
import { useState, useSyncExternalStore } from 'react'
import { ScrollRegion } from '../../components/ScrollRegion'
import { EmptyState, Skeleton } from '../../components/States'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectDeviceIndexes, selectLargestHashrate } from '../../state/miner-store'
import { Screen } from '../Screen'
import { columns } from './columns'
import { DeviceRow } from './DeviceRow'
import { DeviceSection } from './DeviceSection'
import styles from './Gpus.module.css'
import { AddSimulated, SimulatedFaults } from './Simulated'

export function Gpus() {
  const t = useText()
  const isKnown = useMiner((state) => state.devices !== null)
  const isOff = useMiner((state) => state.status?.state === 'off')
  const indexes = useMiner(selectDeviceIndexes)
  return (
    <Screen title={t('ui.gpus.title')} actions={<AddSimulated />}>
      {!isKnown && !isOff && <Skeleton lines={5} />}
      {isOff && !isKnown && <EmptyState icon={Cpu} title={t('ui.overview.minerOff')} />}
      {isKnown && indexes.length === 0 && (
        <EmptyState icon={Cpu} title={t('ui.gpus.none')}>
          {t('ui.gpus.noneText')}
        </EmptyState>
      )}
      {indexes.length > 0 && <Devices indexes={indexes} />}
    </Screen>
  )
}

function Devices({ indexes }: { readonly indexes: readonly number[] }) {
  const [chosen, setChosen] = useState<number | null>(null)
  const isTable = useIsTable()
  const [first] = indexes
  const selected = chosen !== null && indexes.includes(chosen) ? chosen : first
  // Below a long pile of cards nobody would see it; there each name leads to the device's own page.
  const hasDetail = selected !== undefined && (isTable || indexes.length === 1)
  return (
    <>
      <DeviceTable indexes={indexes} selected={hasDetail ? selected : null} onSelect={setChosen} />
      {hasDetail && <DeviceSection key={selected} index={selected} />}
      {hasDetail && <SimulatedFaults index={selected} />}
    </>
  )
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
  /** Null where nothing can be chosen. */
  readonly selected: number | null
  readonly onSelect: (index: number) => void
}

function DeviceTable({ indexes, selected, onSelect }: DeviceTableProps) {
  const t = useText()
  const format = useFormat()
  const unit = format.hashrateUnit(useMiner(selectLargestHashrate))
  return (
    <div className={styles.devices}>
      <ScrollRegion className={styles.panel} label={t('ui.gpus.title')}>
        <table className={styles.table}>
          <thead>
            <tr>
              {columns.map(({ name, isNumber, isRate, shown }) => (
                <th
                  key={name}
                  scope="col"
                  className={`${isNumber ? styles.number : ''} ${shown === 'always' ? '' : styles[shown]}`}
                >
                  {t(`ui.gpus.${name}`)}
                  {isRate && <span className={styles.headUnit}> {unit}</span>}
                </th>
              ))}
              <th scope="col">
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
