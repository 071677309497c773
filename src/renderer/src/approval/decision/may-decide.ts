// Whether this page may decide requests now: at the machine always, elsewhere only while that is allowed.

import { useApp, useSigner } from '../../state/environment'
import { selectCanApprove } from '../../state/stores/app-store'
import { selectMayDecide } from '../../state/stores/signer-store'

export function useMayDecide(): boolean {
  const byAccess = useApp(selectCanApprove)
  return useSigner(selectMayDecide) ?? byAccess
}
