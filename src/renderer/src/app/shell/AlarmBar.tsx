// The unacknowledged alarm over every screen, until it is acknowledged or over; with a sound if enabled.
import { BellRing, Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { Note } from '../../components/layout/Note'
import { ForeignText } from '../../components/values/HexText'
import { useText } from '../../i18n/text'
import { hrefOf } from '../../navigation/router'
import { selectUnseen } from '../../state/alarms/alarms'
import { useAlarmSettings, useAlarms, useControl, useEnvironment } from '../../state/environment'
import { Button } from '../../widgets/controls/Button'
import { alarmText } from '../../widgets/facts/AlarmText'
import styles from './Banners.module.css'

// Two short tones, synthesized here: no file is loaded for them.

const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 660, at: 0.18 },
] as const
const SECONDS = 0.15
const VOLUME = 0.15

/** Silent where the browser has no sound, or plays none before the user touched the page. */
function playAlarm(): void {
  if (typeof AudioContext === 'undefined') return
  const context = new AudioContext()
  for (const { hertz, at } of TONES) {
    const tone = context.createOscillator()
    const volume = context.createGain()
    volume.gain.value = VOLUME
    tone.frequency.value = hertz
    tone.connect(volume).connect(context.destination)
    tone.start(context.currentTime + at)
    tone.stop(context.currentTime + at + SECONDS)
    if (hertz === TONES[1].hertz) tone.onended = () => void context.close().catch(() => undefined) // already closed
  }
}

export function AlarmBar() {
  const t = useText()
  const { alarms } = useEnvironment().stores
  const unseen = useAlarms(selectUnseen)
  const hasSounds = useAlarmSettings((state) => state.sounds)
  const ids = unseen.map(({ id }) => id)
  useSound(ids, hasSounds)
  const [first] = unseen
  if (first === undefined) return null
  return (
    <Note
      tone={first.level === 'problem' ? 'danger' : 'warn'}
      icon={BellRing}
      testId="alarm-bar"
      role="status"
      action={
        <span className={styles.actions}>
          <a className={styles.action} href={hrefOf(first.route)}>
            {t('ui.alarms.show')}
          </a>
          <Button size="small" data-testid="alarm-acknowledge" onClick={() => alarms.acknowledge(ids)}>
            {t('ui.alarms.acknowledgeAll', { count: unseen.length })}
          </Button>
        </span>
      }
    >
      {t('ui.alarms.bar', { count: unseen.length })} <ForeignText text={alarmText(first, t)} />
    </Note>
  )
}

/** Plays a sound for each alarm that begins while the page is open. */
function useSound(ids: readonly string[], isOn: boolean): void {
  const heard = useRef<ReadonlySet<string>>(new Set())
  useEffect(() => {
    const isNew = ids.some((id) => !heard.current.has(id))
    heard.current = new Set(ids)
    if (isOn && isNew) playAlarm()
  })
}

const UNDO_MS = 10_000

/** Offers to undo "pause all" with one press for ten seconds. */
export function PausedBar() {
  const t = useText()
  const { stores, clock } = useEnvironment()
  const control = useControl('all')
  const [isShown, setShown] = useState(false)
  const hasPaused = control.kind === 'confirmed' && control.wanted
  const hasResumed = control.kind === 'pending' && !control.wanted
  useEffect(() => {
    if (hasPaused) setShown(true)
    if (hasResumed) setShown(false)
  }, [hasPaused, hasResumed])
  useEffect(() => {
    if (!isShown) return
    const timer = clock.setTimeout(() => setShown(false), UNDO_MS)
    return () => timer.dispose()
  }, [isShown, clock])
  if (!isShown) return null
  return (
    <Note
      tone="plain"
      icon={Undo2}
      testId="paused-bar"
      role="status"
      action={
        <Button size="small" data-testid="pause-undo" onClick={() => stores.pauseAll.undo()}>
          {t('ui.pause.undo')}
        </Button>
      }
    >
      {t('ui.pause.allPaused')}
    </Note>
  )
}
