// A request that waits for the user: what is shown of it, and what a decision must carry. The shapes that the host
// passes on to every UI, field by field.
import { createHash } from 'node:crypto'
import type { Finding } from '../checks/findings'

export type RequestKind = 'newAccount' | 'listing' | 'signTransaction'

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
}

/** A transaction for display. Decimal strings are wei; `gas`, `nonce` and `chainId` are exact. */
export interface TransactionDetails {
  readonly from: string
  /** Null for a creation; spelled as the caller did. */
  readonly to: string | null
  readonly value: string
  readonly gas: number
  readonly gasPrice: string | null
  readonly maxFeePerGas: string | null
  readonly maxPriorityFeePerGas: string | null
  readonly nonce: number
  readonly data: string
  readonly chainId: number
  readonly maximumFee: string
  /** Parameters exactly as received, JSON text. */
  readonly raw: string
}

/** What the user decides about; the content hash covers all of it. */
export interface RequestContent {
  readonly kind: RequestKind
  readonly caller: Caller
  readonly transaction: TransactionDetails | null
  /** What a listing would share. */
  readonly accounts: readonly { readonly address: string }[] | null
  /** CRITICAL first, then WARNING, then Info. */
  readonly findings: readonly Finding[]
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
}

export interface DecisionOutcome {
  /** `waiting`: the try failed, others are left. */
  readonly state: RequestState
  /** Why it failed; empty when it did not. */
  readonly error: string
}

/** Hex of the SHA-256 over the content in a fixed member order. */
export function hashContent(content: RequestContent): string {
  const { kind, caller, transaction, accounts, findings } = content
  const { transport, remote, local, userAgent, origin } = caller
  const ordered = [
    kind,
    [transport, remote, local, userAgent, origin],
    transaction === null ? null : Object.entries(transaction).sort(([a], [b]) => (a < b ? -1 : 1)),
    accounts?.map((account) => account.address) ?? null,
    findings.map((finding) => [finding.severity, finding.message]),
  ]
  return createHash('sha256').update(JSON.stringify(ordered)).digest('hex')
}

/** Callers with the same key share a limit: remote address without its port, and what they call themselves. */
export function callerKey(caller: Caller): string {
  const host = caller.remote.replace(/:\d+$/, '')
  return JSON.stringify([caller.transport, host, caller.userAgent, caller.origin])
}
