// The data folder as the program sees it: free space, and the addresses at which other machines reach it.
import { useCallback } from 'react'
import type { PlaceView } from '../../../../contract/app'
import { useEnvironment } from '../environment'
import { useAnswer } from './use-answer'

/** Null until it is known, and if it can't be determined. */
export function usePlace(): PlaceView | null {
  const { backend } = useEnvironment()
  return useAnswer(useCallback(() => backend.call('app.place', {}), [backend])).value
}
