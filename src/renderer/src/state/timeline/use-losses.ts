// Why less was mined than possible, read again periodically and whenever a device changed its state.
import { useCallback } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { useRegularAnswer } from '../answers/use-regular-answer'
import { useEnvironment, useMiner } from '../environment'
import type { MinerState } from '../stores/miner-store'
import { type Losses, lossesOf } from './losses'

const PERIOD_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 5_000, '1h': 15_000, '24h': 60_000, '7d': 60_000 }

/** Null before the first answer, and if there is none. */
export function useLosses(window: HistoryWindow): Losses | null {
  const { backend } = useEnvironment()
  const ask = useCallback(async () => lossesOf(await backend.call('miner.losses', { window })), [backend, window])
  const mark = useMiner(selectStates) // a change of state is a reason to ask at once
  return useRegularAnswer(ask, { everyMs: PERIOD_MS[window], mark }).value
}

function selectStates({ devices }: MinerState): string {
  return (devices?.devices ?? [])
    .map(({ state, pauseReasons, responds }) => `${state} ${pauseReasons.join()} ${responds !== false}`)
    .join('\n')
}
