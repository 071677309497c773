// Whether what our node says is current.
import { useEnvironment, useNode } from '../state/environment'
import { type NodeState, syncStateOf } from '../state/stores/node-store'

/** False while our node is behind, or can't answer. */
export function useIsCurrent(): boolean {
  const { clock } = useEnvironment()
  return useNode((state) => isCurrent(state, clock.now()))
}

/** A private network has no peers to be behind, however old its last block is. */
function isCurrent(state: NodeState, now: number): boolean {
  const sync = syncStateOf(state, now)
  return sync === 'tip' || (sync === 'stalled' && state.head?.peers === null)
}
