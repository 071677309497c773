// What our node and our audit log know about the transaction, queried again after each edit.
import { useCallback } from 'react'
import type { FactsView, RequestView } from '../../../contract/signer'
import type { EditsView } from '../../../contract/signer-tools'
import { useAnswer } from '../state/answers/use-answer'
import { useEnvironment } from '../state/environment'

/** Null until it is known, and when it can't be determined. Facts of earlier edits remain until the new ones arrive. */
export function useFacts({ id, transaction }: RequestView, edits: EditsView | null): FactsView | null {
  const { backend } = useEnvironment()
  const ask = useCallback(() => backend.call('signer.facts', { id, edits }), [backend, id, edits])
  return useAnswer(transaction === null ? null : ask).value?.facts ?? null // not known: the checks that need it say nothing
}
