// The GPUs of one rig as last reported; each can be paused if the rig allows control.
import { Cpu } from 'lucide-react'
import type { RigGpuView, RigView } from '../../../../../contract/rigs'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { ScrollRegion } from '../../../components/layout/ScrollRegion'
import table from '../../../components/tables/Table.module.css'
import { ForeignText } from '../../../components/values/HexText'
import { useText } from '../../../i18n/text'
import { Shares } from '../../../widgets/facts/Shares'
import { EmptyState } from '../../../widgets/facts/States'
import { Value } from '../../../widgets/facts/Value'
import styles from '../Rigs.module.css'
import { useMedia } from '../use-media'
import { GpuPause, GpuRow, GpuState, known, stateOf } from './RigGpuRow'
import { RigPauseMessage } from './RigPause'
import type { RigControls } from './rig-controls'

const headings = ['s60', 'efficiency', 'shares', 'core', 'hotspot', 'memory', 'fan', 'power'] as const

interface RigGpusProps {
  readonly rig: RigView
  /** Null if it accepts no commands from here. */
  readonly controls: RigControls | null
}

/** Window width from which the content is wide enough for the table. */
const TABLE_QUERY = '(min-width: 1216px)'

export function RigGpus(props: RigGpusProps) {
  const t = useText()
  const isTable = useMedia(TABLE_QUERY)
  const gpus = props.rig.figures?.gpus ?? []
  return (
    <Card title={t('ui.gpus.title')} isFlush={gpus.length > 0}>
      {gpus.length === 0 && <EmptyState icon={Cpu} title={t('ui.rigs.noGpus')} />}
      {gpus.length > 0 && (isTable ? <GpuTable {...props} gpus={gpus} /> : <GpuCards {...props} gpus={gpus} />)}
    </Card>
  )
}

interface GpuListProps extends RigGpusProps {
  readonly gpus: readonly RigGpuView[]
}

function GpuTable({ rig, controls, gpus }: GpuListProps) {
  const t = useText()
  return (
    <ScrollRegion className={table.scroll} label={t('ui.gpus.title')}>
      <table className={table.table}>
        <thead>
          <tr>
            <th scope="col">{t('ui.rigs.device')}</th>
            <th scope="col">{t('ui.gpus.state')}</th>
            {controls !== null && (
              <th scope="col">
                <span className="visually-hidden">{t('ui.gpus.actions')}</span>
              </th>
            )}
            {headings.map((name) => (
              <th key={name} scope="col" className={table.number}>
                {t(`ui.gpus.${name}`)}
              </th>
            ))}
            <th scope="col" className={table.number}>
              {t('ui.chart.clock')}
            </th>
          </tr>
        </thead>
        <tbody>
          {gpus.map((gpu, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a device's place in the list is its name
            <GpuRow key={index} gpu={gpu} index={index} rig={rig} controls={controls} />
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  )
}

/** State, hashrate, hottest sensor, power and pause button: what a phone user needs. */
function GpuCards({ rig, controls, gpus }: GpuListProps) {
  const t = useText()
  return (
    <ul className={styles.gpuCards}>
      {gpus.map((gpu, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: a device's place in the list is its name
          key={index}
          className={`${styles.gpuCard} ${rig.online ? '' : styles.muted}`}
          data-testid={`gpu-row-${index}`}
          data-state={stateOf(gpu, rig)}
        >
          <h3>
            {index} <ForeignText text={gpu.name} />
          </h3>
          <div>
            <GpuState gpu={gpu} index={index} rig={rig} />
          </div>
          <Facts>
            <Fact label={t('ui.chart.hashrate')}>
              <Value kind="hashrate" value={gpu.hashrate.s60} />
            </Fact>
            <Fact label={t('ui.rigs.hottest')}>
              <Value kind="celsius" value={known(Math.max(...Object.values(gpu.temperature)))} />
            </Fact>
            <Fact label={t('ui.gpus.power')}>
              <Value kind="watts" value={known(gpu.powerWatts)} testId={`gpu-power-${index}`} />
            </Fact>
            <Fact label={t('ui.gpus.shares')}>
              <Shares {...gpu.shares} />
            </Fact>
          </Facts>
          {controls !== null && <GpuPause gpu={gpu} index={index} rig={rig} controls={controls} />}
          {controls !== null && <RigPauseMessage controls={controls} target={index} />}
        </li>
      ))}
    </ul>
  )
}
