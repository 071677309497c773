// Requests that wait for a decision, and the accounts of the keystore.
import { createStore } from 'zustand/vanilla'
import type { AccountsView, AccountView, RequestsView, RequestView, SwitchesView } from '../../../../contract/signer'
import type {
  AccountNoteView,
  KnownCallerView,
  SendView,
  VaultView,
  WatchedView,
} from '../../../../contract/signer-tools'

/** Requests that left the queue but are still remembered, so that a view can show the outcome of its request. */
const REMEMBERED = 16

export interface SignerState {
  readonly requests: RequestsView | null
  readonly accounts: AccountsView | null
  readonly vault: VaultView | null
  readonly switches: SwitchesView | null
  /** What our own form sent in this run, newest first. */
  readonly sends: readonly SendView[]
  /** What the program stores about accounts, and the watched addresses. */
  readonly notes: { readonly accounts: readonly AccountNoteView[]; readonly watched: readonly WatchedView[] }
  /** Last seen first; empty for a connection that may not decide. */
  readonly callers: readonly KnownCallerView[]
  /** Every request seen lately by id, in its last known state. */
  readonly seen: ReadonlyMap<string, RequestView>
}

export const createSignerStore = () =>
  createStore<SignerState>(() => ({
    requests: null,
    accounts: null,
    vault: null,
    switches: null,
    sends: [],
    notes: { accounts: [], watched: [] },
    callers: [],
    seen: new Map(),
  }))

export function withRequests(state: SignerState, requests: RequestsView): Pick<SignerState, 'requests' | 'seen'> {
  const ends = new Map((requests.ended ?? []).map((ended) => [ended.id, ended.state]))
  const gone = [...state.seen.values()]
    .filter((old) => !requests.waiting.some((request) => request.id === old.id))
    .map((old) => ({ ...old, state: ends.get(old.id) ?? old.state }))
  const kept = [...gone.slice(-REMEMBERED), ...requests.waiting]
  return { requests, seen: new Map(kept.map((request) => [request.id, request])) }
}

export const selectWaitingCount = (state: SignerState): number => state.requests?.waitingCount ?? 0
export const selectFirstWaiting = (state: SignerState): RequestView | undefined => state.requests?.waiting[0]
/** Requests that can be decided: a list may briefly contain settled ones. */
export const selectWaiting = (state: SignerState): readonly RequestView[] =>
  (state.requests?.waiting ?? []).filter((request) => request.state === 'waiting')
export const selectSeen =
  (id: string | null) =>
  (state: SignerState): RequestView | undefined =>
    id === null ? undefined : state.seen.get(id)

const isSame = (address: string) => (each: { readonly address: string }) =>
  each.address.toLowerCase() === address.toLowerCase()

export const selectNote =
  (address: string) =>
  ({ notes }: SignerState): AccountNoteView | undefined =>
    notes.accounts.find(isSame(address))

/** The device that holds the account's key; undefined if the key is a file. */
export const selectDevice =
  (address: string) =>
  ({ accounts }: Pick<SignerState, 'accounts'>): AccountView['device'] =>
    accounts?.accounts.find(isSame(address))?.device

export const selectWatched =
  (address: string) =>
  ({ notes }: SignerState): WatchedView | undefined =>
    notes.watched.find(isSame(address))

/** The name that the user gave; empty without one. */
export const selectLabel =
  (address: string) =>
  (state: SignerState): string =>
    (selectNote(address)(state) ?? selectWatched(address)(state))?.label ?? ''

/** Accounts that appeared while the program watched, and have no verified backup. */
export const selectNotBackedUp = ({ notes }: Pick<SignerState, 'notes'>): readonly AccountNoteView[] =>
  notes.accounts.filter(({ backup }) => backup === 'none' || backup === 'saved')

/** A copy of each key in a file was opened with its password. Accounts in devices are left to the devices. */
export function selectIsBackedUp({ accounts, notes }: Pick<SignerState, 'accounts' | 'notes'>): boolean {
  const inFiles = (accounts?.accounts ?? []).filter(({ device }) => device === undefined)
  return (
    inFiles.length > 0 &&
    inFiles.every(({ address }) => notes.accounts.some((note) => isSame(address)(note) && note.backup === 'done'))
  )
}

/** Accounts that sign without a password now, however they were unlocked; null while this connection isn't told. */
export const selectUnlockedCount = ({ switches }: Pick<SignerState, 'switches'>): number | null =>
  switches === null ? null : switches.unlocked.length + (switches.always?.length ?? 0)

/** Whether the vault knows this account's password, so that the user doesn't have to type it. */
export const selectHasPassword =
  (address: string) =>
  ({ vault }: SignerState): boolean =>
    vault?.state === 'open' && vault.stored.some((stored) => stored.toLowerCase() === address.toLowerCase())

/** Null: it asks for its password. @param page its public key; null = for what others have unlocked, it is typed */
export const selectKeptUntil =
  (address: string, page: string | null) =>
  ({ switches }: SignerState): number | null =>
    switches?.unlocked.filter((kept) => (kept.page ?? null) === page).find(isSame(address))?.until ?? null

/** Whether this connection may decide about requests now; null while unknown. */
export const selectMayDecide = ({ requests }: SignerState): boolean | null => requests?.mayDecide ?? null

export const selectTakesPasswords = ({ requests }: SignerState): boolean => requests?.takesPasswords ?? true

/** Where the audit log ends, in the format of `audit verify --anchor`; empty while unknown. */
export const selectRecordEnd = ({ requests }: SignerState): string => {
  const record = requests?.record ?? null
  return record === null ? '' : `${record.records}:${record.hash}`
}
