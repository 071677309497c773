// Transactions of an address, page by page from the latest block down, as our node finds them.
import { useCallback, useState } from 'react'
import { messageOf } from '../../../../base/errors'
import type { AddressHistoryView } from '../../../../contract/explorer'
import { useAsking, useEnvironment } from '../environment'
import { useTurns } from './use-answer'

interface State {
  /** Newest first, down to `oldest`; null until the first answer. */
  readonly found: AddressHistoryView | null
  readonly isBusy: boolean
  /** Why the last page could not be read; empty if it could. */
  readonly reason: string
}

const NOTHING: State = { found: null, isBusy: false, reason: '' }

/** Drops a page that arrives after another was requested: its heights would be wrong. For one address per `key`. */
export function useAddressHistory(address: string, isWanted = true) {
  const { backend } = useEnvironment()
  const [state, setState] = useState<State>(NOTHING)
  const begin = useTurns()
  const read = useCallback(
    async (before: AddressHistoryView | null): Promise<void> => {
      const isCurrent = begin()
      setState((last) => ({ ...last, isBusy: true }))
      try {
        const from = before === null ? null : before.oldest - 1
        const page = await backend.call('node.addressHistory', { address, from })
        const found = before === null ? page : joined(before, page)
        if (isCurrent()) setState({ found, isBusy: false, reason: '' })
      } catch (error: unknown) {
        if (isCurrent()) setState((last) => ({ ...last, isBusy: false, reason: messageOf(error) }))
      }
    },
    [backend, address, begin],
  )
  const ask = useCallback((): undefined => {
    if (isWanted) void read(null)
  }, [isWanted, read])
  useAsking(ask)
  return { ...state, ask, goOn: () => void read(state.found) }
}

function joined(newer: AddressHistoryView, older: AddressHistoryView): AddressHistoryView {
  return { ...newer, oldest: older.oldest, transactions: [...newer.transactions, ...older.transactions] }
}
