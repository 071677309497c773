// The GPUs of one rig as last reported; each can be paused if the rig allows control.

import { Cpu } from 'lucide-react'
import type { RigGpuView, RigView } from '../../../../../contract/rigs'
import { Card, Fact, Facts } from '../../../components/layout/Card'
import { hiddenHeading, numberHeading, Table } from '../../../components/tables/Table'
import table from '../../../components/tables/Table.module.css'
import { ForeignText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { hasNumbers, known } from '../../../state/stores/program-store'
import { Shares } from '../../../widgets/facts/Shares'
import { type Mark, StatePill, type Tone } from '../../../widgets/facts/StatePill'
import { EmptyState } from '../../../widgets/facts/States'
import { Value } from '../../../widgets/facts/Value'
import { useMedia } from '../RigState'
import styles from '../Rigs.module.css'
import { RigPause, RigPauseMessage } from './RigPause'
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
    <Table
      label={t('ui.gpus.title')}
      headings={[
        t('ui.rigs.device'),
        t('ui.gpus.state'),
        ...(controls === null ? [] : [hiddenHeading(t('ui.gpus.actions'))]),
        ...headings.map((name) => numberHeading(t(`ui.gpus.${name}`))),
        numberHeading(t('ui.chart.clock')),
      ]}
    >
      {gpus.map((gpu, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a device's place in the list is its name
        <GpuRow key={index} gpu={gpu} index={index} rig={rig} controls={controls} />
      ))}
    </Table>
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
              <Value kind="hashrate" value={hasNumbers(gpu) ? gpu.hashrate.s60 : null} />
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

/** One GPU of a rig as a table row, and the pieces that its card shares. */
function GpuPause({ gpu, index, rig, controls }: GpuRowProps & { readonly controls: RigControls }) {
  const t = useText()
  return (
    <div>
      <RigPause
        controls={controls}
        target={index}
        isPaused={gpu.paused}
        reason={gpu.pauseReason}
        name={t('ui.rigs.gpuOf', { rig: rig.name, index, name: gpu.name })}
        testId={`gpu-pause-${index}`}
      />
    </div>
  )
}

interface GpuRowProps {
  readonly rig: RigView
  readonly controls: RigControls | null
  readonly gpu: RigGpuView
  readonly index: number
}

function GpuRow({ gpu, index, rig, controls }: GpuRowProps) {
  const { hashrate, temperature, clockMhz } = gpu
  const watts = known(gpu.powerWatts)
  const sensors = [
    ['core', 'celsius', known(temperature.core)],
    ['hotspot', 'celsius', known(temperature.hotspot)],
    ['memory', 'celsius', known(temperature.memory)],
    ['fan', 'fan', known(gpu.fanPercent)],
  ] as const
  return (
    <tr className={rig.online ? '' : styles.off} data-testid={`gpu-row-${index}`} data-state={stateOf(gpu, rig)}>
      <th scope="row">
        {index} <ForeignText text={gpu.name} />
        <span className={styles.sub}>
          <ForeignText text={[gpu.backend, gpu.pci].filter((part) => part !== '').join(' · ')} />
        </span>
      </th>
      <td className={styles.pool}>
        <GpuState gpu={gpu} index={index} rig={rig} />
        {controls !== null && <RigPauseMessage controls={controls} target={index} />}
      </td>
      {controls !== null && (
        <td>
          <GpuPause gpu={gpu} index={index} rig={rig} controls={controls} />
        </td>
      )}
      <td className={table.number}>
        <Value kind="hashrate" value={hasNumbers(gpu) ? hashrate.s60 : null} />
      </td>
      <td className={table.number}>
        <Value kind="efficiency" value={watts === null ? null : hashrate.s60 / watts} />
      </td>
      <td className={table.number}>
        <Shares {...gpu.shares} />
      </td>
      {sensors.map(([name, kind, value]) => (
        <td key={name} className={table.number}>
          <Value kind={kind} value={value} {...(name === 'fan' ? {} : { testId: `gpu-temp-${name}-${index}` })} />
        </td>
      ))}
      <td className={table.number}>
        <Pair kind="watts" value={watts} other={known(gpu.powerLimitWatts)} testId={`gpu-power-${index}`} />
      </td>
      <td className={table.number}>
        <Pair kind="megahertz" value={known(clockMhz.core)} other={known(clockMhz.memory)} />
      </td>
    </tr>
  )
}

type State = 'mining' | 'paused' | 'starting' | 'waiting'
const looks: Readonly<Record<State, { readonly tone: Tone; readonly mark: Mark }>> = {
  mining: { tone: 'ok', mark: 'mining' },
  paused: { tone: 'warn', mark: 'paused' },
  starting: { tone: 'info', mark: 'waiting' },
  waiting: { tone: 'neutral', mark: 'waiting' },
}

/** The public API reports only a pause; the rest follows from the hashrate and the pool. */
function stateOf(gpu: RigGpuView, { figures }: RigView): State {
  if (gpu.paused) return 'paused'
  if (gpu.hashrate.now > 0) return 'mining'
  return figures?.pool.connected === true ? 'starting' : 'waiting'
}

/** Doesn't present an offline rig's last state as current. */
function GpuState({ gpu, index, rig }: Omit<GpuRowProps, 'controls'>) {
  const t = useText()
  const state = stateOf(gpu, rig)
  const { tone, mark } = looks[state]
  return (
    <>
      <StatePill tone={rig.online ? tone : 'neutral'} mark={mark} state={state} testId={`gpu-state-${index}`}>
        {t(`ui.gpuState.${state}`)}
      </StatePill>
      {gpu.pauseReason !== '' && (
        <span className={styles.sub} data-testid={`gpu-reason-${index}`}>
          <ForeignText text={gpu.pauseReason} />
        </span>
      )}
    </>
  )
}

interface PairProps {
  readonly kind: 'watts' | 'megahertz'
  readonly value: number | null
  readonly other: number | null
  readonly testId?: string
}

/** Two values of the same kind; a shared unit is shown once. */
function Pair({ kind, value, other, testId }: PairProps) {
  const format = useFormat()
  const first = format.format(kind, value)
  const isShared = value !== null && other !== null && first.unit === format.format(kind, other).unit
  return (
    <>
      <Value
        kind={kind}
        value={value}
        {...(isShared ? { text: first.number } : {})}
        {...(testId === undefined ? {} : { testId })}
      />
      {other !== null && (
        <>
          {' / '}
          <Value kind={kind} value={other} />
        </>
      )}
    </>
  )
}
