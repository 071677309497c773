// Why less was mined than possible, read again periodically and whenever a device changed its state.
import { useEffect, useState } from 'react'
import type { HistoryWindow } from '../../../../contract/miner'
import { useEnvironment, useMiner } from '../environment'
import { everyInSight } from '../in-sight'
import type { MinerState } from '../stores/miner-store'
import { type Losses, lossesOf } from './losses'

const PERIOD_MS: Readonly<Record<HistoryWindow, number>> = { '10m': 5_000, '1h': 15_000, '24h': 60_000 }

/** Null before the first answer, and if there is none. */
export function useLosses(window: HistoryWindow): Losses | null {
  const { backend, clock } = useEnvironment()
  const [losses, setLosses] = useState<Losses | null>(null)
  const states = useMiner(selectStates)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a change of state is a reason to ask at once
  useEffect(() => {
    const life = { isOver: false }
    const ask = (): void => {
      backend.call('miner.losses', { window }).then(
        (answer) => life.isOver || setLosses(lossesOf(answer)),
        () => undefined, // without contact the next period reads again
      )
    }
    const timer = everyInSight(clock, PERIOD_MS[window], ask)
    ask()
    return () => {
      life.isOver = true
      timer.dispose()
    }
  }, [backend, clock, window, states])
  return losses
}

function selectStates({ devices }: MinerState): string {
  return (devices?.devices ?? [])
    .map(({ state, pauseReasons, responds }) => `${state} ${pauseReasons.join()} ${responds !== false}`)
    .join('\n')
}
