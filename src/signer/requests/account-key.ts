// From an approved request to a signature: the account's file, its password, the key worker. Whether the account exists
// is determined only here, after the approval, so that no caller can probe for accounts.
import { join } from 'node:path'
import {
  type ApprovalToken,
  type GivenApproval,
  readStatement,
  type SealedPassword,
  type SealedStatement,
} from '../../base/approvals'
import { secretCopy, wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { HeadframeError, hasCode } from '../../base/errors'
import { type LowerAddress, toHex } from '../../base/hex'
import type { RequestAside } from '../checks/payees'
import { KeystoreError, SignerError } from '../errors'
import type { HardwareKeys } from '../hardware/hardware-keys'
import type { DeviceWork } from '../hardware/hardware-wallet'
import type { KeyFolder } from '../keystore/folder'
import type { KeptAccounts } from '../keystore/kept-accounts'
import type { KeyClient } from '../keystore/key-client'
import type { Finding } from '../model/findings'
import type { Decider, RequestContent, TransactionEdits } from '../model/request'
import type { ToSign } from '../model/signed-content'
import type { InputPort, PasswordStore, Question, StoredPassword } from '../ports'

export interface SigningDeps {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  /** Null without a vault. */
  readonly passwords: PasswordStore | null
  readonly kept: KeptAccounts
  readonly hardware: HardwareSigner | null
}

export type HardwareSigner = Pick<HardwareKeys, 'find' | 'sign'>

interface PasswordQuestion {
  readonly title: string
  /** @param address EIP-55 spelling */
  readonly prompt: (address: string) => string
}

/** One approved signature: its account and content. `R` is the caller's result. */
interface SigningWork<R> {
  /** 20 bytes */
  readonly address: Uint8Array
  readonly question: PasswordQuestion
  /** It's critical, or not understood: it always requires the password, and keeps nothing unlocked. */
  readonly needsPassword: boolean
  /** Computed after the password was given, as in clef: its errors come after that prompt. */
  readonly toSign: () => ToSign
  /** The same for a device account. @throws SignerError SIGNER_DEVICE_CANNOT, and as `toSign` */
  readonly device: () => DeviceWork
  /** @param signature 65 bytes: r, s, parity */
  readonly result: (signature: Uint8Array) => R
}

/** @throws SignerError SIGNER_UNKNOWN_ACCOUNT, SIGNER_MULTIPLE_KEYS, SIGNER_INTERNAL, SIGNER_DEVICE_*, what `toSign` throws */
export async function signWithAccount<R>(
  work: SigningWork<R>,
  approval: Approval,
  deps: SigningDeps,
  signal: AbortSignal,
): Promise<Performed<R>> {
  const { folder, keys } = deps
  const address = toHex(work.address)
  await folder.refresh()
  const files = folder.filesOf(address)
  const [file] = files
  if (file === undefined) return signOnDevice(work, approval, deps, signal)
  const { given } = approval
  if (given !== null && files.length === 1) return signGiven({ ...work, file, given }, approval, deps)
  const password = await passwordFor(address, work.question, approval, deps)
  try {
    signal.throwIfAborted()
    if (files.length > 1) {
      throw new SignerError('SIGNER_MULTIPLE_KEYS', { files: files.map((name) => join(folder.path, name)) })
    }
    const what = work.toSign()
    const keyFile = await folder.read(file)
    if (password instanceof Uint8Array) {
      return { kind: 'done', result: work.result(await keys.sign({ keyFile, address, password }, what)) }
    }
    const signature = await signStored({ keyFile, address, stored: password }, { work, approval, keys }, what)
    return { kind: 'done', result: work.result(signature) }
  } catch (error) {
    return wrongPassword(error, approval)
  } finally {
    if (password instanceof Uint8Array) wipe(password)
  }
}

/** Where the key worker may not use the stored password for a program's approval, that program is asked for it. */
async function signStored<R>(
  { keyFile, address, stored }: { keyFile: string; address: LowerAddress; stored: StoredPassword },
  { work, approval, keys }: { work: SigningWork<R>; approval: Approval; keys: KeyClient },
  what: ToSign,
): Promise<Uint8Array> {
  const by = approval.by === 'rule' ? 'rule' : 'streams'
  try {
    return await keys.signStored({ keyFile, address }, { value: stored, by, request: approval.id }, what)
  } catch (error) {
    if (approval.input === null || !hasCode(error, 'KEYSTORE_NOT_ALLOWED')) throw error
    const password = await askedFor(address, work.question, approval.input)
    try {
      return await keys.sign({ keyFile, address, password }, what)
    } finally {
      wipe(password)
    }
  }
}

/** Problems the user can fix at the device, and then approve again. */
const MENDABLE = ['ABSENT', 'LOST', 'LOCKED', 'APP', 'BLIND_SIGNING', 'OTHER', 'SILENT', 'ACCESS'].map(
  (name) => `SIGNER_DEVICE_${name}`,
)

/** The second confirmation, on the device; no password is asked for. */
async function signOnDevice<R>(
  work: SigningWork<R>,
  approval: Approval,
  { hardware }: SigningDeps,
  signal: AbortSignal,
): Promise<Performed<R>> {
  const account = hardware?.find(toHex(work.address)) ?? null
  if (hardware === null || account === null) throw new SignerError('SIGNER_UNKNOWN_ACCOUNT', undefined)
  try {
    return {
      kind: 'done',
      result: work.result(await hardware.sign(account, work.device(), { requestId: approval.id, signal })),
    }
  } catch (error) {
    if (hasCode(error, 'SIGNER_DEVICE_REFUSED')) return { kind: 'denied' }
    const isMendable = error instanceof HeadframeError && MENDABLE.includes(error.code)
    if (!isMendable || !isTypedHere(approval)) throw error
    return { kind: 'retry', reason: error.message, final: error, slow: false, isFree: true }
  }
}

/** With what a page approved: the key worker checks that it is for this content. */
async function signGiven<R>(
  work: SigningWork<R> & { readonly file: string; readonly given: GivenApproval },
  approval: Approval,
  deps: SigningDeps,
): Promise<Performed<R>> {
  const { folder, keys } = deps
  const { given } = work
  const address = toHex(work.address)
  try {
    if (given.kind === 'token') {
      // What is critical, or not understood, takes the password each time.
      if (work.needsPassword) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
      return { kind: 'done', result: work.result(await signKept(address, work.toSign(), given, deps)) }
    }
    const keyFile = await folder.read(work.file)
    const sign = () => keys.signSealed({ keyFile, address }, given, work.toSign())
    const { page, keepMinutes } = statementOf(given)
    if (page === null || keepMinutes === 0) return { kind: 'done', result: work.result(await sign()) }
    if (!work.needsPassword) {
      const lease = { address, page, minutes: keepMinutes }
      return { kind: 'done', result: work.result(await deps.kept.keeping(lease, sign)) }
    }
    const signature = await sign()
    await keys.lock(address) // what is critical keeps nothing unlocked
    return { kind: 'done', result: work.result(signature) }
  } catch (error) {
    return wrongPassword(error, approval)
  }
}

/** @throws KeystoreError KEYSTORE_APPROVAL_UNREADABLE */
function statementOf({ statement }: SealedPassword): SealedStatement {
  const read = readStatement(statement)
  if (read === null) throw new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined)
  return read
}

/** @throws KeystoreError KEYSTORE_NOT_UNLOCKED after the key worker was lost */
async function signKept(
  address: LowerAddress,
  what: ToSign,
  token: ApprovalToken,
  { keys, kept }: SigningDeps,
): Promise<Uint8Array> {
  try {
    return await keys.signUnlocked(address, what, token)
  } catch (error) {
    if (hasCode(error, 'KEYSTORE_NOT_UNLOCKED')) kept.lost(address)
    throw error
  }
}

/** From the decision, else the stored one, which the key worker opens, else asked for now. A copy: the caller wipes it. */
async function passwordFor(
  address: LowerAddress,
  question: PasswordQuestion,
  approval: Approval,
  { passwords }: SigningDeps,
): Promise<Uint8Array | StoredPassword> {
  if (approval.password !== null && approval.password.length > 0) return secretCopy(approval.password)
  const stored = isTypedHere(approval) ? null : ((await passwords?.storedFor(address)) ?? null)
  if (stored !== null) return stored
  const { input } = approval
  if (input === null) return new Uint8Array(0)
  return askedFor(address, question, input)
}

/** In a window or with a command the password is typed: that somebody pressed a button there can only be believed. */
function isTypedHere({ by }: Approval): boolean {
  return by !== 'lines' && by !== 'rule'
}

function askedFor(address: LowerAddress, question: PasswordQuestion, input: InputPort): Promise<Uint8Array> {
  return input.ask({ title: question.title, prompt: question.prompt(checksumAddress(address)), isPassword: true })
}

/** A page's approval that the key worker refused: nothing was guessed. */
export function isRefusedApproval(error: unknown): error is HeadframeError {
  return error instanceof HeadframeError && APPROVE_AGAIN.includes(error.code)
}

const APPROVE_AGAIN = [
  'KEYSTORE_NOT_UNLOCKED',
  'KEYSTORE_APPROVAL_UNREADABLE',
  'KEYSTORE_APPROVAL_OTHER',
  'KEYSTORE_APPROVAL_USED',
]

/** A user in a window may retry; a password prompt allows one attempt, as in clef. */
function wrongPassword(error: unknown, approval: Approval): Performed<never> {
  const isWrong = hasCode(error, 'KEYSTORE_WRONG_PASSWORD')
  const isClosed = hasCode(error, 'KEYSTORE_TOO_MANY_TRIES')
  // Nobody approves again where a program on the standard streams was asked, or a rule in its place.
  if (isRefusedApproval(error) && approval.input === null) {
    return { kind: 'retry', reason: error.message, final: error, slow: false, isFree: true }
  }
  if (!isWrong && !isClosed) throw error
  const final: HeadframeError = new SignerError('SIGNER_WRONG_PASSWORD', undefined)
  if (approval.input !== null) throw final
  return { kind: 'retry', reason: isClosed ? error.message : final.message, final, slow: true }
}

/** A decision to sign, with its inputs. */
export interface Approval {
  readonly id: string
  readonly by: Decider
  /** Wiped by the queue after the attempt. */
  readonly password: Uint8Array | null
  readonly accounts: readonly string[] | null
  readonly edits: TransactionEdits | null
  /** Of a page, for exactly this content; null = none. */
  readonly given: GivenApproval | null
  /** The line-based UI's full answer to ui_approveTx: its transaction replaces the requested one. */
  readonly answered: { readonly transaction: unknown } | null
  /** Asks for a password now; null when it had to come with the decision. */
  readonly input: InputPort | null
}

/** What the audit log says about an approval besides its content; never its password. */
export function onRecordOf({ by, edits, answered }: Approval): Pick<Approval, 'by'> & {
  readonly edits?: TransactionEdits
  readonly answered?: unknown
} {
  return { by, ...(edits === null ? {} : { edits }), ...(answered === null ? {} : { answered: answered.transaction }) }
}

/**
 * The outcome of an attempt. `retry` keeps the request waiting while attempts are left; then the caller gets `final`.
 * `slow` attempts (a wrong password) are delayed from the second on.
 */
export type Performed<R> =
  | { readonly kind: 'done'; readonly result: R }
  | { readonly kind: 'denied' }
  | {
      readonly kind: 'retry'
      readonly reason: string
      readonly final: HeadframeError
      readonly slow: boolean
      /** Nothing was guessed: it doesn't count as an attempt. */
      readonly isFree?: true
    }

/** A request as passed to the queue. `R` is the caller's result once it is signed. */
export interface NewRequest<R> {
  readonly content: RequestContent
  readonly aside?: RequestAside
  /** The same for rules and the line-based UI. */
  readonly question: Question
  /** Why an approval is invalid; null when it is valid. The request waits on, and it doesn't count as an attempt. */
  readonly objection: (approval: Approval) => string | null
  /** The findings about it as edited. Missing when nothing can be edited. */
  readonly recheck?: (edits: TransactionEdits) => readonly Finding[]
  readonly doneState: 'approved' | 'signed'
  /** Aborts when the caller disconnects. */
  readonly callerGone: AbortSignal
  /** Runs after a recorded approval, never before. Its result is dropped if `signal` has aborted by then. */
  readonly perform: (approval: Approval, signal: AbortSignal) => Promise<Performed<R>>
  readonly summary: (result: R) => Readonly<Record<string, string>>
}
