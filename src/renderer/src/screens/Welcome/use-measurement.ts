// A measurement of this computer, followed while it runs.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { MeasurementView } from '../../../../contract/miner'
import { useRegularAnswer } from '../../state/answers/use-regular-answer'
import { useEnvironment } from '../../state/environment'

const FOLLOW_MS = 1_000

interface MeasurementControl {
  /** Null until there is an answer. */
  readonly measurement: MeasurementView | null
  /** Why it could not be started or stopped, or is not followed; empty otherwise. */
  readonly reason: string
  /** Starts it, or stops it. */
  readonly run: (isWanted: boolean) => void
}

export function useMeasurement(): MeasurementControl {
  const { backend } = useEnvironment()
  const [fault, setFault] = useState('')
  const ask = useCallback(() => backend.call('miner.measurement', {}), [backend])
  const { value, reason, replace } = useRegularAnswer(ask, { everyMs: FOLLOW_MS })
  const run = (isWanted: boolean): void => {
    setFault('')
    backend.call('miner.measure', { run: isWanted }).then(replace, (error: unknown) => setFault(messageOf(error)))
  }
  return { measurement: value, reason: fault || reason, run }
}
