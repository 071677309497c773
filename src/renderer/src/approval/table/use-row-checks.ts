// What our node and our records say about each payment of a table, queried one after another: a table costs the node no
// more at a time than a single request.
import { useEffect, useState } from 'react'
import type { FactsView } from '../../../../contract/signer'
import type { SimulationView } from '../../../../contract/signer-tools'
import type { Backend } from '../../data/backend'
import { useEnvironment } from '../../state/environment'

export interface RowCheck {
  /** Null when unknown. */
  readonly facts: FactsView | null
  /** Null where it was not simulated. */
  readonly outcome: SimulationView['outcome'] | null
}

/** By request id; missing while it is not known. @param ids stay the same object while they are the same */
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
      () => null, // not known: the checks that need it say nothing
    ),
    backend.call('signer.simulate', { id, edits: null }).then(
      ({ simulation }) => simulation?.outcome ?? null,
      () => null,
    ),
  ])
  return { facts, outcome }
}
