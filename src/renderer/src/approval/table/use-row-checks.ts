// What our node and our audit log say about each payment of a table. Queried one after another, so that a table loads
// the node no more than a single request.
import { useEffect, useState } from 'react'
import type { FactsView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import { useEnvironment } from '../../state/environment'

export interface RowCheck {
  /** Null when unknown. */
  readonly facts: FactsView | null
  /** Null if it wasn't simulated. */
  readonly outcome: SimulationView['outcome'] | null
}

/**
 * By request id; missing while unknown.
 * @param ids same array while the ids are the same
 */
export function useRowChecks(ids: readonly string[]): ReadonlyMap<string, RowCheck> {
  const { backend } = useEnvironment()
  const [checks, setChecks] = useState<ReadonlyMap<string, RowCheck>>(new Map())
  useEffect(() => {
    let isOver = false
    const work = async (): Promise<void> => {
      for (const id of ids) {
        if (isOver) return
        const check = await checkOf(backend, id)
        if (!isOver) setChecks((old) => new Map([...old, [id, check]]))
      }
    }
    void work()
    return () => {
      isOver = true
    }
  }, [backend, ids])
  return checks
}

async function checkOf(backend: Pick<Backend, 'call'>, id: string): Promise<RowCheck> {
  const [facts, outcome] = await Promise.all([
    backend.call('signer.facts', { id, edits: null }).then(
      (answer) => answer.facts,
      () => null, // unknown: the checks that need it say nothing
    ),
    backend.call('signer.simulate', { id, edits: null }).then(
      ({ simulation }) => simulation?.outcome ?? null,
      () => null,
    ),
  ])
  return { facts, outcome }
}
