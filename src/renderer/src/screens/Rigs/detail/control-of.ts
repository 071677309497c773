// Whether a rig accepts commands from here: by its own report, and if a token for it is stored.
import type { RigView } from '../../../../../contract/rigs'

/** `open`: it can. The others say why not; `offline` and `unknown` may be tried all the same. */
export type RigAccess = 'open' | 'offline' | 'unknown' | 'noControl' | 'noToken'

export function accessOf({ figures, hasToken, online }: Pick<RigView, 'figures' | 'hasToken' | 'online'>): RigAccess {
  if (figures === null) return 'unknown'
  if (!figures.control) return 'noControl'
  if (!hasToken) return 'noToken'
  return online ? 'open' : 'offline'
}
