// A device's state as mark and word, with the reason when it isn't mining.
import { memo } from 'react'
import { ForeignText } from '../../components/values/HexText'
import { useLanguage } from '../../i18n/text'
import type { SteadyDevice } from '../../state/in-sight'
import { pauseReasonText } from '../../widgets/facts/pause-reason'
import { type Mark, StatePill, type Tone } from '../../widgets/facts/StatePill'
import { useReadingAge } from '../../widgets/facts/Value'
import styles from './Gpus.module.css'

/** `silent`: the device reports that it mines, but has finished nothing for a while. */
type State = SteadyDevice['state'] | 'silent'

const tones: Readonly<Record<State, Tone>> = {
  starting: 'info',
  compiling: 'info',
  building: 'info',
  mining: 'ok',
  waiting: 'neutral',
  paused: 'warn',
  error: 'danger',
  silent: 'danger',
}
const marks: Readonly<Record<State, Mark>> = {
  starting: 'waiting',
  compiling: 'building',
  building: 'building',
  mining: 'mining',
  waiting: 'waiting',
  paused: 'paused',
  error: 'error',
  silent: 'attention',
}

interface DeviceStateProps {
  readonly device: SteadyDevice
  /** Carries the test ids; only one place on a page does. */
  readonly isNamed: boolean
}

/** Rendered again only when something changed that is shown here. */
export const DeviceState = memo(function DeviceState({ device, isNamed }: DeviceStateProps) {
  const { t, format } = useLanguage()
  const progress = device.progress === null ? null : format.text('wholePercent', Math.floor(device.progress * 100))
  const state: State = device.responds === false ? 'silent' : device.state
  // Nobody knows whether it still does.
  const isOld = useReadingAge(device.index) !== null
  const word =
    device.state === 'building' && progress !== null
      ? t('ui.gpuState.buildingAt', { progress })
      : t(`ui.gpuState.${state}`)
  const spoken = pauseReasonText(device.pauseReasons, t)
  const reason = device.state === 'error' ? device.error : spoken
  return (
    <>
      <StatePill
        tone={isOld && tones[state] === 'ok' ? 'neutral' : tones[state]}
        mark={marks[state]}
        state={state}
        {...(isNamed ? { testId: `gpu-state-${device.index}` } : {})}
      >
        {word}
      </StatePill>
      {reason !== '' && (
        <p
          className={styles.reason}
          data-testid={isNamed ? `gpu-reason-${device.index}` : undefined}
          title={device.pauseReasons.join('; ')}
        >
          <ForeignText text={reason} />
        </p>
      )}
      <CoolsDown device={device} />
      {device.pauseEndsAt !== null && (
        <p className={styles.reason} data-testid={isNamed ? `gpu-resumes-${device.index}` : undefined}>
          {t('ui.pause.resumesAt', { time: format.timeOfDay(device.pauseEndsAt) })}
        </p>
      )}
    </>
  )
}, isSame)

/** A pause for heat ends by itself: below which temperature. */
function CoolsDown({ device: { pauseReasons, temperatureLimits } }: { readonly device: SteadyDevice }) {
  const { t, format } = useLanguage()
  if (!pauseReasons.includes('Overheating') || temperatureLimits == null) return null
  return (
    <p className={styles.reason}>
      {t('ui.pause.resumesUnder', { limit: format.text('celsius', temperatureLimits.start) })}
    </p>
  )
}

function isSame(before: DeviceStateProps, after: DeviceStateProps): boolean {
  const [old, now] = [before.device, after.device]
  return (
    before.isNamed === after.isNamed &&
    old.index === now.index &&
    old.state === now.state &&
    old.progress === now.progress &&
    old.error === now.error &&
    old.responds === now.responds &&
    old.temperatureLimits?.start === now.temperatureLimits?.start &&
    old.pauseEndsAt === now.pauseEndsAt &&
    old.pauseReasons.join('\n') === now.pauseReasons.join('\n')
  )
}
