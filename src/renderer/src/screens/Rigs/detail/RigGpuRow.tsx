// One GPU of a rig as a table row, and the pieces that its card shares.
import type { RigGpuView, RigView } from '../../../../../contract/rigs'
import table from '../../../components/tables/Table.module.css'
import { ForeignText } from '../../../components/values/HexText'
import { useFormat, useText } from '../../../i18n/text'
import { Shares } from '../../../widgets/facts/Shares'
import { type Mark, StatePill, type Tone } from '../../../widgets/facts/StatePill'
import { Value } from '../../../widgets/facts/Value'
import styles from '../Rigs.module.css'
import { RigPause, RigPauseMessage } from './RigPause'
import type { RigControls } from './rig-controls'

export function GpuPause({ gpu, index, rig, controls }: GpuRowProps & { readonly controls: RigControls }) {
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

/** The public API says 0 for a sensor that is not reported. */
export const known = (value: number): number | null => (value > 0 ? value : null)

interface GpuRowProps {
  readonly rig: RigView
  /** Null if it accepts no commands from here. */
  readonly controls: RigControls | null
  readonly gpu: RigGpuView
  readonly index: number
}

export function GpuRow({ gpu, index, rig, controls }: GpuRowProps) {
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
        <Value kind="hashrate" value={hashrate.s60} />
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
export function stateOf(gpu: RigGpuView, { figures }: RigView): State {
  if (gpu.paused) return 'paused'
  if (gpu.hashrate.now > 0) return 'mining'
  return figures?.pool.connected === true ? 'starting' : 'waiting'
}

/** Doesn't present an offline rig's last state as current. */
export function GpuState({ gpu, index, rig }: Omit<GpuRowProps, 'controls'>) {
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
