// What the signer asks of its vault and its rules. Both may be absent; an absent one answers nothing.
import type { AuditEntry } from './audit/audit-entry'
import type { VersionedPolicy } from './rules/policy'

/** Passwords that were stored with `setpw`, behind the master seed. */
export interface PasswordStore {
  /**
   * The stored password of an account, null when there is none.
   * @param address EIP-55 spelling, under which the reference files it
   * @returns UTF-8 bytes of the caller's own, who wipes them
   */
  passwordOf(address: string): Promise<Uint8Array | null>
}

/** A request as rules and the line-based UI see it: the object of the UI API. */
export interface Question {
  readonly method: 'ui_approveTx' | 'ui_approveSignData' | 'ui_approveListing' | 'ui_approveNewAccount'
  /** The one parameter, plain JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Judgement = 'approve' | 'reject' | 'ask'

/** Decides without a person. What it does not decide is asked. */
export interface RuleJudge {
  /**
   * Never rejects: a rule that fails answers `ask`. Called once a request, never for new accounts.
   * @param request id; `approved` or `failed` names it when the request has come to its end
   */
  judge(question: Question, request: string): Promise<Judgement>
  /** A transaction was signed; the object that the caller gets (`raw`, `tx`). */
  approved(request: string, signed: Readonly<Record<string, unknown>>): Promise<void>
  /** Nothing was signed for a request that was judged: what its approval took from a limit is given back. Never rejects. */
  failed(request: string): Promise<void>
  /** The signer is up; the object of ui_onSignerStartup. */
  startedUp(info: Readonly<Record<string, unknown>>): Promise<void>
}

/** The person behind the line-based UI, or a terminal: asked for one line of text. */
export interface InputPort {
  /**
   * @returns what was typed; UTF-8 bytes, wiped by the caller
   * @throws SignerError SIGNER_INTERNAL when nobody answered properly; the reason stays here, it could hold a password
   */
  ask(input: { readonly title: string; readonly prompt: string; readonly isPassword: boolean }): Promise<Uint8Array>
}

/** Rules made by a form; a changed one is plain JSON, whose shape is checked. */
export interface PolicyPort {
  /** @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  versioned(): Promise<readonly VersionedPolicy[]>
  /**
   * Adds or changes one policy; on record before it holds.
   * @param was version of the policy that was seen; null = there was none
   * @throws VaultError SIGNER_POLICY_CHANGED, SIGNER_POLICY_INVALID, SIGNER_VAULT_UNUSABLE
   */
  put(value: unknown, was: string | null): Promise<readonly VersionedPolicy[]>
  /** @param was version of the policy that was seen @throws as put */
  remove(id: string, was: string): Promise<readonly VersionedPolicy[]>
  /** How often each has approved, and when last (UTC ms). @throws VaultError SIGNER_VAULT_UNUSABLE */
  matches(): Promise<readonly { readonly id: string; readonly count: number; readonly lastAt: number }[]>
}

/** What lies behind the master seed. Each null when it is not to be had. */
export interface OpenedVault {
  readonly passwords: PasswordStore | null
  readonly rules: RuleJudge | null
  /** Form-built policies; missing as the others. */
  readonly policies?: PolicyPort | null
  /** Seals the end of the audit log, 32 bytes; missing as the others. */
  readonly auditKey?: Uint8Array | null
  /** Ends what the rules run on. */
  readonly close?: () => void
}

/**
 * Opens the vault at the start, before anything listens.
 * @param input who can be asked for the master password; null when nobody can
 * @param record writes to the signer's own record, once that is open
 */
export type OpenVault = (input: InputPort | null, record: (entry: AuditEntry) => Promise<void>) => Promise<OpenedVault>
