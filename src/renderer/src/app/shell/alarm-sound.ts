// Two short tones, synthesized here: no file is loaded for them.

const TONES = [
  { hertz: 880, at: 0 },
  { hertz: 660, at: 0.18 },
] as const
const SECONDS = 0.15
const VOLUME = 0.15

/** Silent where the browser has no sound, or plays none before the user touched the page. */
export function playAlarm(): void {
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
