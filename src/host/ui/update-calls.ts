// The calls about newer versions. Only a start of the program installs one, so pending requests aren't cut off.
import type { UpdatesView } from '../../contract/program/updates'
import { HostError } from '../errors'
import type { Updates } from '../update/updates'
import { type CallsOf, isHere, type UiAccess } from './ui-handlers'

type UpdateCall = 'app.updates' | 'app.updateLook' | 'app.updateFetch' | 'app.updateForget'

export function updateCalls(updates: Updates, access: UiAccess): Pick<CallsOf<'app'>, UpdateCall> {
  const view = (): UpdatesView => {
    const { running, check, hasAddress, lookedAt, work, failure, found, waiting, isAutomatic, folder } = updates
    return {
      running,
      check,
      hasAddress,
      lookedAt: lookedAt === 0 ? null : lookedAt,
      work,
      failure,
      found: found === null ? null : { version: found.version, changes: found.changes },
      waiting: waiting === null ? null : { version: waiting.version },
      isAutomatic,
      folder: isHere(access) ? folder : null,
    }
  }
  return {
    'app.updates': view,
    'app.updateLook': async () => {
      await updates.lookNow()
      return view()
    },
    'app.updateFetch': () => {
      if (updates.found === null) throw new HostError('HOST_UPDATE_NOTHING', undefined)
      updates.beginFetch(updates.found)
      return {}
    },
    'app.updateForget': () => {
      updates.forget()
      return {}
    },
  }
}
