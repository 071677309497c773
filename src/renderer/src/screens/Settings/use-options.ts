// The options of this start, asked for when the settings are opened and after each change.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { ResultOf } from '../../../../base/wire/define'
import type { Contract } from '../../../../contract/contract'
import { useAsking, useEnvironment } from '../../state/environment'
import { LOADING, type QueryState } from '../../state/queries'

export interface Options {
  readonly answer: QueryState<ResultOf<Contract, 'app.options'>>
  readonly ask: () => Promise<void>
}

export function useOptions(): Options {
  const { backend } = useEnvironment()
  const [answer, setAnswer] = useState<Options['answer']>(LOADING)
  const ask = useCallback(async (): Promise<void> => {
    try {
      setAnswer({ kind: 'ready', value: await backend.call('app.options', {}) })
    } catch (error: unknown) {
      setAnswer({ kind: 'failed', reason: messageOf(error) })
    }
  }, [backend])
  useAsking(useCallback(() => void ask(), [ask]))
  return { answer, ask }
}
