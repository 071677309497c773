// What happens once mining has started, live: where work comes from, what the devices do, and whether a share was
// accepted.
import type { DeviceView, MinerStatusView } from '../../../../contract/miner'
import { ForeignText } from '../../components/values/HexText'
import type { Formatter } from '../../format/formatter'
import { type Text, useFormat, useText } from '../../i18n/text'
import { expectedSeconds } from '../../state/earnings/earnings'
import { useApp, useMiner } from '../../state/environment'
import { isMining } from '../../state/stores/miner-store'
import { troubleText } from '../../widgets/facts/pause-reason'
import { type Mark, StatePill, type Tone } from '../../widgets/facts/StatePill'
import styles from './Welcome.module.css'

type Phase = 'waiting' | 'busy' | 'done' | 'failed'

interface Line {
  readonly phase: Phase
  readonly text: string
}

const tones: Readonly<Record<Phase, Tone>> = { waiting: 'neutral', busy: 'info', done: 'ok', failed: 'danger' }
const marks: Readonly<Record<Phase, Mark>> = { waiting: 'waiting', busy: 'building', done: 'ok', failed: 'error' }

/** Three lines, each with its state; the last one is the proof that mining works. */
export function FirstShare() {
  const t = useText()
  const format = useFormat()
  const startedAt = useApp((state) => state.info?.startedAt ?? 0)
  // What the program said before the restart doesn't count as an answer.
  const status = useMiner((state) => (state.status !== null && state.status.takenAt >= startedAt ? state.status : null))
  const devices = useMiner((state) => (state.devices?.takenAt ?? 0) >= startedAt && state.devices?.devices) || NONE
  const lines = [
    { name: 'work', ...workLine(status, t) },
    { name: 'devices', ...devicesLine(status, devices, t, format) },
    { name: 'proof', ...proofLine(status, t, format) },
  ]
  return (
    <ol className={styles.list} data-testid="first-share" aria-label={t('ui.welcome.live')}>
      {lines.map(({ name, phase, text }) => (
        <li key={name} data-testid={`first-share-${name}`} data-state={phase}>
          <StatePill tone={tones[phase]} mark={marks[phase]}>
            <ForeignText text={text} />
          </StatePill>
        </li>
      ))}
    </ol>
  )
}

const NONE: readonly DeviceView[] = []

function workLine(status: MinerStatusView | null, t: Text): Line {
  if (status === null) return { phase: 'busy', text: t('ui.welcome.live.starting') }
  const { kind, connected, host, diagnosis } = status.source
  if (diagnosis !== null && diagnosis.trouble !== 'no-share-yet')
    return { phase: 'failed', text: troubleText(diagnosis, t) }
  if (kind === 'none') return { phase: 'waiting', text: t('ui.welcome.live.noPool') }
  if (kind === 'pool')
    return connected
      ? { phase: 'done', text: t('ui.welcome.live.pool', { host }) }
      : { phase: 'busy', text: t('ui.welcome.live.connecting', { host }) }
  return connected
    ? { phase: 'done', text: t('ui.welcome.live.node') }
    : { phase: 'busy', text: t('ui.welcome.live.noWork') }
}

/** The devices' joint state: mining as soon as one mines, otherwise what the slowest one waits for. */
function devicesLine(status: MinerStatusView | null, devices: readonly DeviceView[], t: Text, format: Formatter): Line {
  const failed = devices.find(({ state }) => state === 'error')
  if (failed !== undefined && devices.every(({ state }) => state === 'error'))
    return { phase: 'failed', text: t('ui.welcome.live.failed', { name: failed.name, reason: failed.error }) }
  const count = devices.filter(isMining).length
  const hashrate = status?.hashrate.now ?? null
  if (count > 0 && hashrate !== null && hashrate > 0)
    return { phase: 'done', text: t('ui.welcome.live.mining', { count, hashrate: format.text('hashrate', hashrate) }) }
  const built = devices.flatMap(({ state, progress }) => (state === 'building' && progress !== null ? [progress] : []))
  if (built.length > 0) {
    const progress = format.text('wholePercent', Math.floor(Math.min(...built) * 100))
    return { phase: 'busy', text: t('ui.gpuState.buildingAt', { progress }) }
  }
  const isCompiling = devices.some(({ state }) => state === 'compiling')
  if (isCompiling) return { phase: 'busy', text: t('ui.gpuState.compiling') }
  const isPaused = devices.length > 0 && devices.every(({ paused }) => paused)
  return { phase: 'waiting', text: t(isPaused ? 'ui.welcome.live.paused' : 'ui.welcome.live.noDevice') }
}

function proofLine(status: MinerStatusView | null, t: Text, format: Formatter): Line {
  const isSolo = status?.source.kind === 'solo'
  if (status !== null && status.lastProof !== null)
    return { phase: 'done', text: t(isSolo ? 'ui.welcome.live.block' : 'ui.welcome.live.share') }
  const seconds =
    status === null ? null : expectedSeconds(status.source.difficulty, status.hashrate.s60 ?? status.hashrate.now)
  if (seconds === null) return { phase: 'waiting', text: t('ui.welcome.live.noProof') }
  const duration = format.text('duration', Math.max(1, seconds))
  return { phase: 'busy', text: t(isSolo ? 'ui.welcome.live.blockEvery' : 'ui.welcome.live.shareEvery', { duration }) }
}
