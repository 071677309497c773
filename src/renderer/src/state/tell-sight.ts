// Tells the backend whether the user can see this page, and fills the gap in its samples when it is visible again.
import { Disposables } from '../../../base/lifecycle'
import type { Backend } from '../data/backend'
import { isInSight, onSightChange } from './in-sight'
import type { SampleRings } from './sample-rings'

/** Until disposed. A page starts out visible; a page that never reported has nothing to undo. */
export function tellSight(
  backend: Pick<Backend, 'call' | 'connection' | 'onConnection'>,
  rings: Pick<SampleRings, 'missed'>,
): Disposables {
  const all = new Disposables()
  const state = { told: true }
  const tell = (): void => {
    const inSight = isInSight()
    if (backend.connection().kind !== 'open' || inSight === state.told) return
    state.told = inSight
    // Samples that arrived in the meantime have gaps; the recorded history has none.
    if (inSight) rings.missed()
    backend.call('ui.sight', { inSight }).catch(() => undefined) // without contact there is nobody to notify
  }
  all.defer(onSightChange(tell))
  all.add(
    backend.onConnection(() => {
      // A new connection starts out visible.
      if (backend.connection().kind !== 'open') state.told = true
      else tell()
    }),
  )
  tell()
  return all
}
