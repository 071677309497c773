// What the signer requires of its vault and its rules. Both may be absent; then nothing is answered by them.
import type { AuditEntry } from './audit/audit-entry'
import type { RequestAside } from './checks/payees'
import type { SignerRequest } from './model/request'
import type { SealedValue } from './vault/sealed-values'
import type { VaultPort } from './vault-wire'

/** A stored password as its file has it: only the key worker opens it. */
export type StoredPassword = SealedValue

/** Passwords stored with `setpw`, encrypted with the master seed. */
export interface PasswordStore {
  /** An account's stored password, null when there is none. @param address `0x` text */
  storedFor(address: string): Promise<StoredPassword | null>
}

/** A request as rules and the line-based UI see it: the UI API's object. */
export interface Question {
  readonly method: 'ui_approveTx' | 'ui_approveSignData' | 'ui_approveListing' | 'ui_approveNewAccount'
  /** The one parameter, plain JSON. */
  readonly body: Readonly<Record<string, unknown>>
  /** Not sent. The chain that a transaction's signature is for. */
  readonly chainId?: bigint
  /** Not sent. Parts of the request that aren't understood: no rule in a form covers it. Missing or empty = none. */
  readonly notUnderstood?: readonly string[]
}

export type Judgement = 'approve' | 'reject' | 'ask'

/** Decides without the user, or leaves it to the user. */
export interface RuleJudge {
  /**
   * Never rejects: a failing rule answers `ask`. Called once per request, never for new accounts.
   * @param request id; `approved` or `failed` refers to it at its end
   */
  judge(question: Question, request: string): Promise<Judgement>
  /** A transaction was signed; the object the caller gets (`raw`, `tx`). */
  approved(request: string, signed: Readonly<Record<string, unknown>>): Promise<void>
  /** Nothing was signed for a judged request: its share of a limit is returned. Never rejects. */
  failed(request: string): Promise<void>
  /** The signer has started; the object of ui_onSignerStartup. */
  startedUp(info: Readonly<Record<string, unknown>>): Promise<void>
}

/** The user behind the line-based UI, or a terminal: asked for one line of text. */
export interface InputPort {
  /**
   * @returns what was typed; UTF-8 bytes, wiped by the caller
   * @throws SignerError SIGNER_INTERNAL without a valid answer; the reason isn't included, since it could contain a
   * password
   */
  ask(input: { readonly title: string; readonly prompt: string; readonly isPassword: boolean }): Promise<Uint8Array>
}

/** What our node says that a request would change. Never rejects. @returns null when no node runs beside the signer */
export type RequestPreview = (
  request: SignerRequest,
  aside: RequestAside | null,
  signal: AbortSignal,
) => Promise<Readonly<Record<string, unknown>> | null>

/** That policies tell apart. */
export type TokenStandard = 'erc20' | 'erc721'

/** What the own node knows that policies depend on. Never rejects: what can't be told is null. */
export interface PolicyChain {
  /** The account's next nonce by the mined blocks; `absent` when no node runs beside the signer. @param account 0x hex */
  nonceOf(account: string): Promise<bigint | 'absent' | null>
  /** A token's standard as its contract answers. @param contract 0x hex */
  standardOf(contract: string): Promise<TokenStandard | null>
}

/** What the master seed protects. Each null when not available. */
export interface OpenedVault {
  readonly passwords: PasswordStore | null
  readonly rules: RuleJudge | null
  /** Seals the end of the audit log, 32 bytes; may be missing. */
  readonly auditKey?: Uint8Array | null
  /** The vault's version, which the seal vouches for; may be missing. */
  readonly version?: () => number
  readonly close?: () => Promise<void>
}

/**
 * Opens the vault at startup, before anything listens.
 * @param input asks for the master password; null when nobody can be asked
 * @param audit the log, once that is open
 * @param keys hold the vault's keys
 */
export type OpenVault = (input: InputPort | null, audit: VaultAudit, keys: VaultPort) => Promise<OpenedVault>

/** The audit log as the vault uses it. */
export interface VaultAudit {
  readonly record: (entry: AuditEntry) => Promise<void>
  /** Has the sealed head vouch for the vault's present version. */
  readonly seal: () => Promise<void>
}
