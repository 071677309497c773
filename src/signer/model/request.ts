// A request that waits for the user: what is displayed of it, and what a decision must contain. The host passes these
// shapes on to every UI, field by field.

import type { GivenApproval } from '../../base/approvals'
import type { CallerProcess } from '../../net/process-table'
import type { CallArgument } from '../abi/call'
import type { Finding } from './findings'
import type { DataForm, DisplayEntry } from './signable'
import type { TransactionForm } from './transaction'

export type RequestKind = 'newAccount' | 'listing' | 'signTransaction' | 'signData' | 'signTypedData'

/**
 * `approved` is passed through while the work is done, and is the final state of a listing or a new account; `signed`
 * that of a
 * signature. `failed`: approved, but the work failed.
 */
export type RequestState = 'waiting' | 'approved' | 'signed' | 'rejected' | 'expired' | 'withdrawn' | 'failed'

/** The caller. Everything is self-reported, except `remote` of a socket. */
export interface Caller {
  /** `http`, `ipc`, or `app` for this application's own form. */
  readonly transport: 'http' | 'ipc' | 'app'
  /** Address and port of the socket; `NA` if there is none. */
  readonly remote: string
  readonly local: string
  readonly userAgent: string
  readonly origin: string
  /** The local program at the other end of the connection; null or missing when unknown. */
  readonly process?: CallerProcess | null
}

/** Who decided: the user in a window or with a command, the program on the standard streams, or a rule. */
export type Decider = 'window' | 'command' | 'lines' | 'rule'

/** Source of a method's name: only the first was verified by anyone but the caller. */
type NameSource = 'database' | 'learned' | 'caller'

export interface DecodedCallDetails {
  /** Canonical: `transfer(address,uint256)`. */
  readonly signature: string
  readonly name: string
  readonly arguments: readonly CallArgument[]
  readonly namedBy: NameSource
}

/** A transaction for display. Texts are decimal, amounts in wei; `gas` and `nonce` may have 64 bits. */
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
  /** Value plus maximum fee. */
  readonly maximumTotal: string
  /** Null without call data, or when it doesn't match a known or claimed signature. */
  readonly call: DecodedCallDetails | null
  /** Parameters exactly as received, JSON text. */
  readonly raw: string
}

interface DataDetails {
  readonly address: string
  readonly form: DataForm
  readonly contentType: string
  /** The bytes to be hashed, prefix included. */
  readonly hashed: string
  readonly hash: string
  /** For a text: its bytes as UTF-8, without the prefix; null for other forms. */
  readonly text: string | null
  /** As in the UI API; a tree for typed data. */
  readonly messages: readonly DisplayEntry[]
  /** Parameters exactly as received, JSON text. */
  readonly raw: string
}

/** The device that holds the account's key and asks for its own confirmation. */
export interface DeviceNotice {
  readonly kind: 'ledger' | 'airgap'
  readonly path: string
  /** It signs only with blind signing enabled, and shows neither the amount nor the recipient. */
  readonly isBlind: boolean
}

/** What the user decides about; the content hash covers all of it. */
export interface RequestContent {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly transaction: TransactionDetails | null
  readonly data: DataDetails | null
  readonly accounts: readonly { readonly address: string }[] | null
  /** CRITICAL first, then WARNING, then Info. */
  readonly findings: readonly Finding[]
  /**
   * Parts whose meaning isn't known, in plain words: such a request is decided alone, with its password, and by no
   * policy. Missing or empty when its whole meaning is known.
   */
  readonly notUnderstood?: readonly string[]
  /** Missing when the key is in a file. */
  readonly device?: DeviceNotice
}

/** A snapshot; has the members of the contract's request view. */
export interface SignerRequest extends RequestContent {
  /** Opaque, unique within a run. */
  readonly id: string
  /** One-time value that the decision must return. */
  readonly nonce: string
  /** SHA-256 of the content as JSON text, hex; the decision must return it. */
  readonly contentHash: string
  readonly state: RequestState
  /** UTC ms */
  readonly createdAt: number
  /** UTC ms; null = no timeout. */
  readonly expiresAt: number | null
  readonly lastError: string
  readonly triesLeft: number
}

/** The user's answer. Valid once, for a waiting request with this nonce and content. */
export interface Decision {
  readonly id: string
  readonly nonce: string
  readonly contentHash: string
  readonly decision: 'approve' | 'reject'
  /** UTF-8 bytes, owned and wiped by the signer from now on; null when none is needed. */
  readonly password: Uint8Array | null
  /** Addresses selected in a listing; null for other kinds. */
  readonly accounts: readonly string[] | null
  /** Edits to a transaction; null, missing or empty = unchanged. */
  readonly edits?: TransactionEdits | null
  /** A page's approval of exactly this content; null or missing = none. */
  readonly approval?: GivenApproval | null
}

export interface DecisionOutcome {
  /** `waiting`: the attempt failed, others are left. */
  readonly state: RequestState
  readonly error: string
}

/** What the system says about a caller: no request's own words are in it. Empty program = unknown. */
export function sourceKey({ transport, remote, process }: Caller): string {
  return JSON.stringify([transport, remote.replace(/:\d+$/, ''), process?.path ?? ''])
}

/** Editable fields of a transaction; decimal texts, null or missing = unchanged. */
export interface TransactionEdits {
  readonly gas?: string | null
  readonly nonce?: string | null
  readonly gasPrice?: string | null
  readonly maxFeePerGas?: string | null
  readonly maxPriorityFeePerGas?: string | null
}

export interface EditReview {
  /** Why the edited transaction couldn't be approved; empty when it could. */
  readonly objection: string
  /** About the edited transaction, worst first; about the requested one when the edits are rejected. */
  readonly findings: readonly Finding[]
}
