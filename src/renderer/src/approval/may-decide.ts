// Whether this page may decide about requests now: at the machine, or elsewhere as long as that is allowed.
import { selectCanApprove } from '../state/app-store'
import { useApp, useSigner } from '../state/environment'
import { selectMayDecide } from '../state/signer-store'

export function useMayDecide(): boolean {
  const byAccess = useApp(selectCanApprove)
  return useSigner(selectMayDecide) ?? byAccess
}
