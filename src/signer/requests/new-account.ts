// account_new: approved once, then up to three passwords. In a window the first comes with the approval; the line-based
// UI is asked for each.
import { z } from 'zod'
import { wipe } from '../../base/bytes'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { SignerError } from '../errors'
import { type AccountMaker, createAccount, passwordFault, type StoredAccount } from '../keystore/create-account'
import type { Caller } from '../model/request'
import type { InputPort } from '../ports'
import { isRefusedApproval } from './account-key'
import type { NewRequest, Performed } from './approval'
import { newAccountQuestion } from './questions'

interface NewAccountDeps {
  readonly maker: AccountMaker
  readonly log: Logger
  /** Shown by the line-based UI; no effect without one. */
  readonly showError: (text: string) => void
}

const ATTEMPTS = 3

export function newAccountRequest(
  caller: Caller,
  callerGone: AbortSignal,
  deps: NewAccountDeps,
): NewRequest<StoredAccount> {
  let attempts = 0
  return {
    content: { kind: 'newAccount', caller, transaction: null, data: null, accounts: null, findings: [] },
    question: newAccountQuestion(caller),
    doneState: 'approved',
    callerGone,
    objection: () => null,
    perform: async (approval, signal): Promise<Performed<StoredAccount>> => {
      if (approval.input !== null) {
        return { kind: 'done', result: await createAsking(approval.input, deps, signal) }
      }
      attempts += 1
      const { given } = approval
      const password = given?.kind === 'sealed' ? given : (approval.password ?? new Uint8Array(0))
      try {
        return { kind: 'done', result: await createAccount(deps.maker, password, signal) }
      } catch (error) {
        if (isRefusedApproval(error))
          return { kind: 'retry', reason: error.message, final: error, slow: false, isFree: true }
        if (!hasCode(error, 'SIGNER_PASSWORD_POLICY')) throw error
        const fault = z.object({ reason: z.string() }).parse(error.data).reason
        const reason = attemptText(attempts, fault)
        return { kind: 'retry', reason, final: creationFailed(), slow: false }
      }
    },
    summary: ({ address, file }) => ({ address, file }),
  }
}

/**
 * A new account with a password that is asked for, up to three times.
 * @throws SignerError SIGNER_ACCOUNT_CREATION_FAILED, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason
 */
export async function createAsking(
  input: InputPort,
  { maker, log, showError }: NewAccountDeps,
  signal: AbortSignal,
): Promise<StoredAccount> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const password = await ask(input, attempt, log)
    signal.throwIfAborted()
    if (password === null) continue
    try {
      const fault = passwordFault(password)
      if (fault === null) return await createAccount(maker, password, signal)
      showError(attemptText(attempt + 1, fault))
    } finally {
      wipe(password)
    }
  }
  throw creationFailed()
}

/** Null without a valid answer: that only costs the attempt. */
async function ask(input: InputPort, attempt: number, log: Logger): Promise<Uint8Array | null> {
  const prompt = `Please enter a password for the new account to be created (attempt ${attempt} of ${ATTEMPTS})`
  try {
    return await input.ask({ title: 'New account password', prompt, isPassword: true })
  } catch (error) {
    log.warn('password of a new account was not given', { attempt, error: messageOf(error) })
    return null
  }
}

function attemptText(attempt: number, fault: string): string {
  return `Account creation attempt #${attempt} failed due to password requirements: ${fault}`
}

function creationFailed(): InstanceType<typeof SignerError> {
  return new SignerError('SIGNER_ACCOUNT_CREATION_FAILED', undefined)
}
