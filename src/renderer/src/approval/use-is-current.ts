// Whether what our node says is current.
import { useApp, useEnvironment, useNode } from '../state/environment'
import { selectIsShared } from '../state/stores/app-store'
import { type NodeState, syncStateOf } from '../state/stores/node-store'

/** False while our node is behind, talks to nobody on a network of others, or can't answer. */
export function useIsCurrent(): boolean {
  const { clock } = useEnvironment()
  const isShared = useApp(selectIsShared)
  return useNode((state) => isCurrent(state, clock.now(), isShared))
}

/** A private network has no peers to be behind, however old its last block is. */
function isCurrent(state: NodeState, now: number, isShared: boolean): boolean {
  const sync = syncStateOf(state, now, isShared)
  return sync === 'synced' || (sync === 'stalled' && state.head?.peers === null)
}
