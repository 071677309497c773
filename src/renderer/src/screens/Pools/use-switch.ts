// Switches to another pool: shown immediately, confirmed by a later reading, given up after 15 s.
import { useEffect, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { PoolView } from '../../../../contract/pools'
import { useEnvironment, useOperation } from '../../state/environment'
import { selectPools } from '../../state/stores/program-store'

const CONFIRM_LIMIT_MS = 15_000

type SwitchState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'pending' | 'unconfirmed'; readonly index: number; readonly host: string }
  | { readonly kind: 'failed'; readonly index: number; readonly host: string; readonly reason: string }

const IDLE: SwitchState = { kind: 'idle' }

export interface PoolSwitch {
  readonly state: SwitchState
  begin(pool: PoolView): void
}

export function useSwitch(): PoolSwitch {
  const { backend, clock } = useEnvironment()
  const [state, setState] = useState<SwitchState>(IDLE)
  const active = useOperation((state) => selectPools(state).find((pool) => pool.active)?.index ?? null)

  useEffect(() => {
    if (state.kind !== 'pending') return
    const timer = clock.setTimeout(() => setState({ ...state, kind: 'unconfirmed' }), CONFIRM_LIMIT_MS)
    return () => timer.dispose()
  }, [state, clock])
  useEffect(() => {
    if (state.kind !== 'idle' && state.index === active) setState(IDLE)
  }, [state, active])

  const begin = ({ index, host, url }: PoolView): void => {
    if (state.kind === 'pending') return
    setState({ kind: 'pending', index, host })
    backend
      .call('miner.poolActivate', { index, shown: url })
      .catch((error: unknown) => setState({ kind: 'failed', index, host, reason: messageOf(error) }))
  }
  return { state, begin }
}
