// The options of this run, read when the settings open and after each change.
import { useCallback } from 'react'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { useAnswer } from '../../state/answers/use-answer'
import { useEnvironment } from '../../state/environment'
import { LOADING, type QueryState } from '../../state/queries'

export interface Options {
  readonly answer: QueryState<ResultOf<Contract, 'app.options'>>
  readonly ask: () => Promise<void>
}

export function useOptions(): Options {
  const { backend } = useEnvironment()
  const { value, reason, retry } = useAnswer(useCallback(() => backend.call('app.options', {}), [backend]))
  if (reason !== '') return { answer: { kind: 'failed', reason }, ask: retry }
  return { answer: value === null ? LOADING : { kind: 'ready', value }, ask: retry }
}
