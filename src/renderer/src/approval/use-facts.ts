// What our node and our audit log know about the transaction, queried again after each edit.
import { useEffect, useState } from 'react'
import type { FactsView, RequestView } from '../../../contract/signer'
import type { EditsView } from '../../../contract/signer-tools'
import { useEnvironment } from '../state/environment'

/** Null until it is known, and when it can't be determined. Facts of earlier edits remain until the new ones arrive. */
export function useFacts({ id, transaction }: RequestView, edits: EditsView | null): FactsView | null {
  const { backend } = useEnvironment()
  const isTransaction = transaction !== null
  const [facts, setFacts] = useState<FactsView | null>(null)
  useEffect(() => {
    if (!isTransaction) return
    let isOver = false
    backend.call('signer.facts', { id, edits }).then(
      (answer) => {
        if (!isOver) setFacts(answer.facts)
      },
      () => undefined, // not known: the checks that need it say nothing
    )
    return () => {
      isOver = true
    }
  }, [backend, id, edits, isTransaction])
  return facts
}
