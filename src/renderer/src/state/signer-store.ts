// Requests that wait for a decision, and the accounts of the keystore.
import { createStore } from 'zustand/vanilla'
import type { AccountsView, CallerView, RequestsView, RequestView } from '../../../contract/signer'
import type { SendView, VaultView } from '../../../contract/signer-desk'

/** Requests that left the queue and are still remembered, so that a view can say what became of the one it shows. */
const REMEMBERED = 16

export interface SignerState {
  readonly requests: RequestsView | null
  readonly accounts: AccountsView | null
  readonly vault: VaultView | null
  /** What our own form sent in this run, newest first. */
  readonly sends: readonly SendView[]
  /** Every request seen lately by id, as it was last seen. */
  readonly seen: ReadonlyMap<string, RequestView>
}

export const createSignerStore = () =>
  createStore<SignerState>(() => ({ requests: null, accounts: null, vault: null, sends: [], seen: new Map() }))

/** The state after a new list of requests. */
export function withRequests(state: SignerState, requests: RequestsView): Pick<SignerState, 'requests' | 'seen'> {
  const gone = [...state.seen.values()].filter((old) => !requests.waiting.some((request) => request.id === old.id))
  const kept = [...gone.slice(-REMEMBERED), ...requests.waiting]
  return { requests, seen: new Map(kept.map((request) => [request.id, request])) }
}

export const selectWaitingCount = (state: SignerState): number => state.requests?.waitingCount ?? 0
export const selectFirstWaiting = (state: SignerState): RequestView | undefined => state.requests?.waiting[0]
/** Those that can be decided: a list may carry settled ones for a moment. */
export const selectWaiting = (state: SignerState): readonly RequestView[] =>
  (state.requests?.waiting ?? []).filter((request) => request.state === 'waiting')
export const selectSeen =
  (id: string | null) =>
  (state: SignerState): RequestView | undefined =>
    id === null ? undefined : state.seen.get(id)

/** Whether the vault knows this account's password, so that nobody has to type it. */
export const selectHasPassword =
  (address: string) =>
  ({ vault }: SignerState): boolean =>
    vault?.state === 'open' && vault.stored.some((stored) => stored.toLowerCase() === address.toLowerCase())

/** Callers with the same key are one to the signer: the address without its port, and what they call themselves. */
export function callerKey({ transport, remote, userAgent, origin }: CallerView): string {
  return JSON.stringify([transport, remote.replace(/:\d+$/, ''), userAgent, origin])
}
