// Whether this page may decide about requests now: at the machine, or elsewhere as long as that is allowed.

import { useApp, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { selectMayDecide } from '../../state/stores/signer-store'

export function useMayDecide(): boolean {
  const byAccess = useApp(selectCanApprove)
  return useSigner(selectMayDecide) ?? byAccess
}
