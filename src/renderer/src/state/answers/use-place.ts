// The folder everything is kept in, as the program sees it: free space, and what addresses other machines reach it at.
import { useCallback } from 'react'
import type { PlaceView } from '../../../../contract/app'
import { useEnvironment } from '../environment'
import { useAnswer } from './use-answer'

/** Null until it is known; stays so when it can't be determined. */
export function usePlace(): PlaceView | null {
  const { backend } = useEnvironment()
  return useAnswer(useCallback(() => backend.call('app.place', {}), [backend])).value
}
