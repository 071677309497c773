// What our node says the transaction, or others with the signature, would change; queried again after each edit.
import { useEffect, useState } from 'react'
import { messageOf } from '../../../base/errors'
import type { RequestView, TokenNameView } from '../../../contract/signer'
import type { EditsView, SimulationView } from '../../../contract/signer-tools'
import { isNodeCurrent } from '../../../contract/sync-state'
import { useApp, useEnvironment, useNode } from '../state/environment'
import { selectIsShared } from '../state/stores/program-store'

export type SimulationState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ready'; readonly simulation: SimulationView; readonly names: readonly TokenNameView[] }
  /** `lack`: why nothing was tried; null: `reason` says why it failed. */
  | { readonly kind: 'unavailable'; readonly reason: string; readonly lack: 'node' | 'request' | 'use' | null }

export function useSimulation({ id, transaction, data }: RequestView, edits: EditsView | null): SimulationState {
  const { backend } = useEnvironment()
  // A text means what it says: nothing would be done with it.
  const isSimulated = transaction !== null || data?.form === 'typed'
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    if (!isSimulated) return
    let isOver = false
    const ask = async (): Promise<SimulationState> => {
      const { simulation, names = [], lack = 'node' } = await backend.call('signer.simulate', { id, edits })
      return simulation === null ? { kind: 'unavailable', reason: '', lack } : { kind: 'ready', simulation, names }
    }
    const keep = (state: SimulationState): void => {
      if (!isOver) setAnswer({ edits, state })
    }
    ask().then(keep, (error: unknown) => keep({ kind: 'unavailable', reason: messageOf(error), lack: null }))
    return () => {
      isOver = true
    }
  }, [backend, id, edits, isSimulated])
  if (!isSimulated) return { kind: 'none' }
  return answer !== null && answer.edits === edits ? answer.state : { kind: 'running' }
}

interface Answer {
  /** The edits that the result is about. */
  readonly edits: EditsView | null
  readonly state: SimulationState
}

/** False while our node is behind, talks to nobody on a network of others, or can't answer. */
export function useIsCurrent(): boolean {
  const { clock } = useEnvironment()
  const isShared = useApp(selectIsShared)
  return useNode((state) => isNodeCurrent(state, clock.now(), isShared))
}
