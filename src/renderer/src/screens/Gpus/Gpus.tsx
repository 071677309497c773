// Which device does what, is it well, can I stop it?

import { Cpu } from 'lucide-react'
import { ScrollRegion } from '../../components/ScrollRegion'
import { EmptyState, Skeleton } from '../../components/States'
import { useFormat, useText } from '../../i18n/text'
import { useMiner } from '../../state/environment'
import { selectDeviceIndexes, selectLargestHashrate } from '../../state/miner-store'
import { Screen } from '../Screen'
import { DeviceRow } from './DeviceRow'
import styles from './Gpus.module.css'

export function Gpus() {
  const t = useText()
  const isKnown = useMiner((state) => state.devices !== null)
  const isOff = useMiner((state) => state.status?.state === 'off')
  const indexes = useMiner(selectDeviceIndexes)
  return (
    <Screen title={t('ui.gpus.title')}>
      {!isKnown && !isOff && <Skeleton lines={5} />}
      {isOff && !isKnown && <EmptyState icon={Cpu} title={t('ui.overview.minerOff')} />}
      {isKnown && indexes.length === 0 && (
        <EmptyState icon={Cpu} title={t('ui.gpus.none')}>
          {t('ui.gpus.noneText')}
        </EmptyState>
      )}
      {indexes.length > 0 && <DeviceTable indexes={indexes} />}
    </Screen>
  )
}

/** Columns in order, and how their cells are set: `rate` shares one unit, `rare` gives way first. */
const columns = [
  ['index', 'text'],
  ['name', 'text'],
  ['state', 'text'],
  ['now', 'rate'],
  ['s60', 'rate'],
  ['m15', 'rare'],
  ['efficiency', 'number'],
  ['shares', 'number'],
  ['temperatures', 'number'],
  ['fan', 'number'],
  ['power', 'number'],
  ['history', 'text'],
] as const

function columnClass(kind: (typeof columns)[number][1]): string | undefined {
  if (kind === 'text') return undefined
  return kind === 'rare' ? `${styles.number} ${styles.rare}` : styles.number
}

/** The unit that all cells of a column share goes to its head. */
function unitOf(kind: (typeof columns)[number][1], hashrateUnit: string): string {
  return kind === 'rate' || kind === 'rare' ? ` ${hashrateUnit}` : ''
}

function DeviceTable({ indexes }: { readonly indexes: readonly number[] }) {
  const t = useText()
  const format = useFormat()
  const unit = format.hashrateUnit(useMiner(selectLargestHashrate))
  return (
    <ScrollRegion className={styles.panel} label={t('ui.gpus.title')}>
      <table className={styles.table}>
        <thead>
          <tr>
            {columns.map(([name, kind]) => (
              <th key={name} scope="col" className={columnClass(kind)}>
                {t(`ui.gpus.${name}`)}
                {unitOf(kind, unit)}
              </th>
            ))}
            <th scope="col">
              <span className="visually-hidden">{t('ui.gpus.actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {indexes.map((index) => (
            <DeviceRow key={index} index={index} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}
