// Whether this page may decide requests now: at the machine always, elsewhere only while that is allowed.

import { useCanApprove, useSigner } from '../../state/environment'
import { selectMayDecide } from '../../state/stores/signer-store'

export function useMayDecide(): boolean {
  const byAccess = useCanApprove()
  return useSigner(selectMayDecide) ?? byAccess
}
