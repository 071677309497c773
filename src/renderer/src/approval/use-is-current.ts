// Whether what our node says is current.
import { isNodeCurrent } from '../../../contract/sync-state'
import { useApp, useEnvironment, useNode } from '../state/environment'
import { selectIsShared } from '../state/stores/app-store'

/** False while our node is behind, talks to nobody on a network of others, or can't answer. */
export function useIsCurrent(): boolean {
  const { clock } = useEnvironment()
  const isShared = useApp(selectIsShared)
  return useNode((state) => isNodeCurrent(state, clock.now(), isShared))
}
