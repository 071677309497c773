// What our node says the transaction would change, queried again after each edit.
import { useEffect, useState } from 'react'
import { messageOf } from '../../../base/errors'
import type { RequestView, TokenNameView } from '../../../contract/signer'
import type { EditsView, SimulationView } from '../../../contract/signer-tools'
import { useEnvironment } from '../state/environment'

export type SimulationState =
  | { readonly kind: 'none' }
  | { readonly kind: 'running' }
  | { readonly kind: 'ready'; readonly simulation: SimulationView; readonly names: readonly TokenNameView[] }
  /** Empty reason: there is no node to query. */
  | { readonly kind: 'unavailable'; readonly reason: string }

export function useSimulation({ id, transaction }: RequestView, edits: EditsView | null): SimulationState {
  const { backend } = useEnvironment()
  const isTransaction = transaction !== null
  const [answer, setAnswer] = useState<Answer | null>(null)
  useEffect(() => {
    if (!isTransaction) return
    let isOver = false
    const ask = async (): Promise<SimulationState> => {
      const { simulation, names = [] } = await backend.call('signer.simulate', { id, edits })
      return simulation === null ? { kind: 'unavailable', reason: '' } : { kind: 'ready', simulation, names }
    }
    const keep = (state: SimulationState): void => {
      if (!isOver) setAnswer({ edits, state })
    }
    ask().then(keep, (error: unknown) => keep({ kind: 'unavailable', reason: messageOf(error) }))
    return () => {
      isOver = true
    }
  }, [backend, id, edits, isTransaction])
  if (!isTransaction) return { kind: 'none' }
  return answer !== null && answer.edits === edits ? answer.state : { kind: 'running' }
}

interface Answer {
  /** The edits that the result is about. */
  readonly edits: EditsView | null
  readonly state: SimulationState
}
