// What our node and our audit log know about the request, queried again after each edit.
import { useCallback } from 'react'
import type { FactsView, RequestView } from '../../../contract/signer'
import type { EditsView } from '../../../contract/signer-tools'
import { useAnswer } from '../state/answers/use-answer'
import { useEnvironment } from '../state/environment'

export interface KnownFacts {
  /** Null until they are known, and when they can't be determined. Facts of earlier edits remain until the new ones arrive. */
  readonly facts: FactsView | null
  /** Whether there was an answer, also a refusal. */
  readonly isAnswered: boolean
}

export function useFacts({ id, transaction, data }: RequestView, edits: EditsView | null): KnownFacts {
  const { backend } = useEnvironment()
  const ask = useCallback(() => backend.call('signer.facts', { id, edits }), [backend, id, edits])
  const { value, reason } = useAnswer(transaction === null && data === null ? null : ask)
  // Not known: the checks that need it say nothing.
  return { facts: value?.facts ?? null, isAnswered: transaction === null || value !== null || reason !== '' }
}
