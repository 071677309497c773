// What the signer asks of its vault and its rules. Both may be absent; an absent one answers nothing.
import type { AuditEntry } from './audit/audit-entry'

/** Passwords that were stored with `setpw`, behind the master seed. */
export interface PasswordStore {
  /**
   * The stored password of an account, null when there is none.
   * @param address EIP-55 spelling, under which the reference files it
   * @returns UTF-8 bytes of the caller's own, who wipes them
   */
  passwordOf(address: string): Promise<Uint8Array | null>
}

/** A request as rules and the line-based UI see it: the object of the UI API (signer.md 4). */
export interface Question {
  readonly method: 'ui_approveTx' | 'ui_approveSignData' | 'ui_approveListing' | 'ui_approveNewAccount'
  /** The one parameter, plain JSON. */
  readonly body: Readonly<Record<string, unknown>>
}

export type Judgement = 'approve' | 'reject' | 'ask'

/** Decides without a person. What it does not decide is asked. */
export interface RuleJudge {
  /** Never rejects: a rule that fails answers `ask`. Called once a request, never for new accounts. */
  judge(question: Question): Promise<Judgement>
  /** A transaction was signed; the object that the caller gets (`raw`, `tx`). */
  approved(signed: Readonly<Record<string, unknown>>): Promise<void>
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

/** Rules made by a form; plain JSON in and out, the shape is rules/policy.ts. */
export interface PolicyPort {
  /** @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_POLICY_INVALID */
  policies(): Promise<readonly unknown[]>
  /**
   * Puts all policies in the place of the present ones; on record before it holds.
   * @throws VaultError SIGNER_POLICY_INVALID, SIGNER_VAULT_UNUSABLE
   */
  save(value: unknown): Promise<readonly unknown[]>
  /** How often each has approved, and when last (UTC ms). @throws VaultError SIGNER_VAULT_UNUSABLE */
  matches(): Promise<readonly { readonly id: string; readonly count: number; readonly lastAt: number }[]>
}

/** What lies behind the master seed. Each null when it is not to be had. */
export interface OpenedVault {
  readonly passwords: PasswordStore | null
  readonly rules: RuleJudge | null
  /** Form-built policies; missing as the others. */
  readonly policies?: PolicyPort | null
  /** Ends what the rules run on. */
  readonly close?: () => void
}

/**
 * Opens the vault at the start, before anything listens.
 * @param input who can be asked for the master password; null when nobody can
 * @param record writes to the signer's own record, once that is open
 */
export type OpenVault = (input: InputPort | null, record: (entry: AuditEntry) => Promise<void>) => Promise<OpenedVault>
