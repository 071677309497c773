// Announces the state to screen readers: immediately when health changes, otherwise at most every half minute. Ticking
// numbers are never read out.
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/text'
import { selectUnseen } from '../../state/alarms/alarms'
import { useAlarmSettings, useAlarms, useApp, useEnvironment, useMiner, useSigner } from '../../state/environment'
import { selectIsOpen } from '../../state/stores/app-store'
import { selectMiningCount } from '../../state/stores/miner-store'
import { selectWaitingCount } from '../../state/stores/signer-store'
import { useHealth } from '../../state/use-health'
import { alarmText } from '../../widgets/facts/AlarmText'

const EVERY_MS = 30_000

export function Announcer() {
  const t = useText()
  const { clock } = useEnvironment()
  const isOpen = useApp(selectIsOpen)
  const { summary, isKnown } = useHealth()
  const count = useMiner(selectMiningCount)
  const waiting = useSigner(selectWaitingCount)
  const text = [
    t('ui.summary.health', { level: summary }),
    t('ui.summary.mining', { count }),
    t('ui.summary.waiting', { count: waiting }),
  ]
    .join(' ')
    .trim()
  const said = useRef({ summary: '', at: Number.NEGATIVE_INFINITY })
  const [shown, setShown] = useState('')
  useEffect(() => {
    if (!isOpen) {
      // Without contact the last announcement is outdated, and the bar says since when. All is announced again after
      // contact returns.
      said.current = { summary: '', at: Number.NEGATIVE_INFINITY }
      setShown('')
      return
    }
    if (!isKnown) return
    const say = (): void => {
      said.current = { summary, at: clock.monotonic() }
      setShown(text)
    }
    const waitMs = said.current.summary === summary ? said.current.at + EVERY_MS - clock.monotonic() : 0
    if (waitMs <= 0) return say()
    const timer = clock.setTimeout(say, waitMs)
    return () => timer.dispose()
  }, [isOpen, isKnown, summary, text, clock])
  return (
    <p className="visually-hidden" aria-live="polite" data-testid="announcer">
      {shown}
    </p>
  )
}

/** Each new alarm is said at once, once; with a sound if that is wanted. */
export function AlarmAnnouncer() {
  const t = useText()
  const unseen = useAlarms(selectUnseen)
  const hasSounds = useAlarmSettings((state) => state.sounds)
  const heard = useRef<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  useEffect(() => {
    const fresh = unseen.filter(({ id }) => !heard.current.has(id))
    heard.current = new Set(unseen.map(({ id }) => id))
    if (fresh.length === 0) return
    if (hasSounds) playAlarm()
    setSaid(fresh.map((alarm) => alarmText(alarm, t)).join('. '))
  }, [unseen, hasSounds, t])
  return (
    <p className="visually-hidden" role="alert" data-testid="alarm-announcer">
      {said}
    </p>
  )
}

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
