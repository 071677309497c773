// A request that waits for the user: what is shown of it, and what a decision must carry. The shapes that the host
// passes on to every UI, field by field.

import { createHash } from 'node:crypto'
import type { CallerProcess } from '../../net/process-table'
import type { CallArgument } from '../abi/call'
import type { Finding } from './findings'
import type { DataForm, DisplayEntry } from './signable'
import type { TransactionForm } from './transaction'
import type { TransactionEdits } from './transaction-edits'

export type RequestKind = 'newAccount' | 'listing' | 'signTransaction' | 'signData' | 'signTypedData'

/**
 * `approved` is passed through while the work is done, and is the last state of a listing or a new account; `signed`
 * that of a
 * signature. `failed`: approved, but it could not be done.
 */
export type RequestState = 'waiting' | 'approved' | 'signed' | 'rejected' | 'expired' | 'withdrawn' | 'failed'

/** Who asks. Everything in it was told by the caller, except `remote` of a socket. */
export interface Caller {
  /** `http`, `ipc`, or `app` for this application's own form. */
  readonly transport: 'http' | 'ipc' | 'app'
  /** Address and port of the socket; `NA` where there is none. */
  readonly remote: string
  /** The Host header. */
  readonly local: string
  readonly userAgent: string
  readonly origin: string
  /** The program on this computer that has the other end of the connection; null or missing where that is unknown. */
  readonly process?: CallerProcess | null
}

/** Who decided: a person at a window, the program on the standard streams, or a rule. */
export type Decider = 'window' | 'lines' | 'rule'

/** Where a method's name comes from: only the first was checked by anybody but the caller. */
export type NameSource = 'database' | 'learned' | 'caller'

export interface DecodedCallDetails {
  /** Canonical: `transfer(address,uint256)`. */
  readonly signature: string
  readonly name: string
  readonly arguments: readonly CallArgument[]
  readonly namedBy: NameSource
}

/** A transaction for display. Decimal strings are wei; `gas` and `nonce` are decimal texts too: 64 bits are allowed. */
export interface TransactionDetails {
  readonly from: string
  /** Null for a creation; spelled as the caller did. */
  readonly to: string | null
  readonly value: string
  readonly gas: string
  readonly gasPrice: string | null
  readonly maxFeePerGas: string | null
  readonly maxPriorityFeePerGas: string | null
  readonly nonce: string
  readonly data: string
  readonly chainId: number
  readonly form: TransactionForm
  readonly accessList: readonly { readonly address: string; readonly storageKeys: readonly string[] }[] | null
  readonly maximumFee: string
  /** Value and the most that gas can cost. */
  readonly maximumTotal: string
  /** Null without call data, or when it fits no known or claimed signature. */
  readonly call: DecodedCallDetails | null
  /** Parameters exactly as received, JSON text. */
  readonly raw: string
}

/** Data to sign, for display. */
export interface DataDetails {
  readonly address: string
  readonly form: DataForm
  readonly contentType: string
  /** The bytes that are hashed, prefix included. */
  readonly hashed: string
  /** What the signature is over. */
  readonly hash: string
  /** Of a text: its bytes as UTF-8, without the prefix; null for other forms. */
  readonly text: string | null
  /** As the UI API shows it; a tree for typed data. */
  readonly messages: readonly DisplayEntry[]
  /** Parameters exactly as received, JSON text. */
  readonly raw: string
}

/** The device that has the account's key, and asks its holder once more. */
export interface DeviceNotice {
  readonly kind: 'ledger' | 'airgap'
  readonly path: string
  /** It signs only with blind signing switched on, and shows neither what is paid nor to whom. */
  readonly isBlind: boolean
}

/** What the user decides about; the content hash covers all of it. */
export interface RequestContent {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly transaction: TransactionDetails | null
  readonly data: DataDetails | null
  /** What a listing would share. */
  readonly accounts: readonly { readonly address: string }[] | null
  /** CRITICAL first, then WARNING, then Info. */
  readonly findings: readonly Finding[]
  /** Missing where the key is a file. */
  readonly device?: DeviceNotice
}

/** A snapshot; has the members of the contract's request view. */
export interface SignerRequest extends RequestContent {
  /** Opaque, unique in one run. */
  readonly id: string
  /** One-time value that the decision must return. */
  readonly nonce: string
  /** SHA-256 of the content, hex; the decision must return it. */
  readonly contentHash: string
  readonly state: RequestState
  /** UTC ms */
  readonly createdAt: number
  /** UTC ms; null = no time-out. */
  readonly expiresAt: number | null
  /** Why the last try failed; empty otherwise. */
  readonly lastError: string
  readonly triesLeft: number
}

/** The user's answer. Valid once, for a waiting request with this nonce and content. */
export interface Decision {
  readonly id: string
  readonly nonce: string
  readonly contentHash: string
  readonly decision: 'approve' | 'reject'
  /** UTF-8 bytes, owned by the signer from here on and wiped; null where none is needed. */
  readonly password: Uint8Array | null
  /** Addresses ticked in a listing; null for other kinds. */
  readonly accounts: readonly string[] | null
  /** Changes of a transaction; null, missing or empty = as it was asked for. */
  readonly edits?: TransactionEdits | null
  /** Keeps the account open for so many minutes after the signature; null or missing = not. */
  readonly keepMinutes?: number | null
}

export interface DecisionOutcome {
  /** `waiting`: the try failed, others are left. */
  readonly state: RequestState
  /** Why it failed; empty when it did not. */
  readonly error: string
}

/** Hex of the SHA-256 over the content, members in the order of their names. */
export function hashContent({ kind, caller, transaction, data, accounts, findings, device }: RequestContent): string {
  const always = { kind, caller, transaction, data, accounts, findings }
  const content = device === undefined ? always : { ...always, device }
  return createHash('sha256')
    .update(JSON.stringify(ordered(content)))
    .digest('hex')
}

function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  return Object.entries(value)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, inner]) => [name, ordered(inner)])
}

/**
 * Callers with the same key share a limit: the remote address without its port, the page they come from, and the file of
 * their program; where that is not known, what they call themselves.
 */
export function callerKey({ transport, remote, userAgent, origin, process }: Caller): string {
  const path = process?.path ?? ''
  return JSON.stringify([transport, remote.replace(/:\d+$/, ''), path === '' ? userAgent : `file ${path}`, origin])
}
