// Says each new incident at once, once, to screen readers; with a sound if that is wanted.
import { useEffect, useRef, useState } from 'react'
import { useText } from '../../i18n/text'
import { useOperation, usePreference } from '../../state/environment'
import { isUnseen, selectOpen } from '../../state/incidents'
import { useDeviceNamer } from '../../widgets/devices/device-names'
import { incidentSentence } from '../../widgets/incidents/incident-words'

export function IncidentAnnouncer() {
  const t = useText()
  const nameOf = useDeviceNamer()
  const unseen = useOperation((state) => selectOpen(state).filter(isUnseen))
  const hasSounds = usePreference((preferences) => preferences.alarmSounds)
  const heard = useRef<ReadonlySet<string>>(new Set())
  const [said, setSaid] = useState('')
  useEffect(() => {
    const fresh = unseen.filter(({ id }) => !heard.current.has(id))
    heard.current = new Set(unseen.map(({ id }) => id))
    if (fresh.length === 0) return
    if (hasSounds) playAlarm()
    setSaid(fresh.map((incident) => incidentSentence(incident, t, nameOf)).join('. '))
  }, [unseen, hasSounds, t, nameOf])
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
