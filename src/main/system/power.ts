// Sleep, lock and shutdown of the computer, as reported by Electron.
import { powerMonitor } from 'electron'
import { Disposables } from '../../base/lifecycle'
import type { PowerChange } from './presence'

interface PowerListener {
  readonly onChange: (what: PowerChange) => void
  readonly onShutdown: () => void
}

/** Listens until disposed. Needs a ready Electron app. */
export function watchPower({ onChange, onShutdown }: PowerListener): Disposables {
  const held = new Disposables()
  const listeners = {
    suspend: () => onChange('suspend'),
    'lock-screen': () => onChange('lock-screen'),
    resume: () => onChange('resume'),
    'unlock-screen': () => onChange('unlock-screen'),
    shutdown: onShutdown,
  }
  // One by one, since Electron types each name separately.
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

/** False also when the system doesn't report it. */
export function isScreenLocked(): boolean {
  return powerMonitor.getSystemIdleState(1) === 'locked'
}
