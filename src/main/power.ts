// Sleep, lock and shutdown of the computer.
import { powerMonitor } from 'electron'
import { Disposables } from '../base/lifecycle'

export interface PowerListener {
  /** The computer falls asleep or its screen is locked; nobody is there. */
  readonly onAway: (what: PowerChange) => void
  /** It is awake, or unlocked, again. */
  readonly onBack: (what: PowerChange) => void
  readonly onShutdown: () => void
}

export type PowerChange = 'suspend' | 'resume' | 'lock-screen' | 'unlock-screen'

/** Tells until disposed. Needs a ready Electron app. */
export function watchPower({ onAway, onBack, onShutdown }: PowerListener): Disposables {
  const held = new Disposables()
  const listeners = {
    suspend: () => onAway('suspend'),
    'lock-screen': () => onAway('lock-screen'),
    resume: () => onBack('resume'),
    'unlock-screen': () => onBack('unlock-screen'),
    shutdown: onShutdown,
  }
  // One by one, since Electron types each name by itself.
  powerMonitor.on('suspend', listeners.suspend)
  powerMonitor.on('lock-screen', listeners['lock-screen'])
  powerMonitor.on('resume', listeners.resume)
  powerMonitor.on('unlock-screen', listeners['unlock-screen'])
  powerMonitor.on('shutdown', listeners.shutdown)
  held.defer(() => {
    for (const [name, listener] of Object.entries(listeners)) powerMonitor.off(name as 'resume', listener)
  })
  return held
}
