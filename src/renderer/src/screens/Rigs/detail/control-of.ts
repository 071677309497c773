// Whether a rig accepts commands from here: by its own report, and whether a token for it is stored.
import type { RigView } from '../../../../../contract/rigs'

/** Our own rig, and those of the stratum port, have no API to command. */
export function takesCommands({ local, worker }: Pick<RigView, 'local' | 'worker'>): boolean {
  return !local && worker === null
}

/** `open`: it does. The others say why not; `offline` and `unknown` may be tried anyway. */
export type RigAccess = 'open' | 'offline' | 'unknown' | 'noControl' | 'noToken'

export function accessOf({ figures, hasToken, online }: Pick<RigView, 'figures' | 'hasToken' | 'online'>): RigAccess {
  if (figures === null) return 'unknown'
  if (!figures.control) return 'noControl'
  if (!hasToken) return 'noToken'
  return online ? 'open' : 'offline'
}
