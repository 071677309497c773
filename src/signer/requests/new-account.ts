// account_new: one decision approves and brings the password; a password that breaks the rules costs one of three
// tries.
import { SignerError } from '../errors'
import { type AccountMaker, createAccount, type StoredAccount } from '../keystore/create-account'
import { passwordFault } from '../keystore/password-policy'
import type { NewRequest, Performed } from './queue'
import type { Caller } from './request'

/** What the queue needs to have an account made for `caller`. */
export function newAccountRequest(
  caller: Caller,
  callerGone: AbortSignal,
  maker: AccountMaker,
): NewRequest<StoredAccount> {
  let attempts = 0
  return {
    content: { kind: 'newAccount', caller, transaction: null, accounts: null, findings: [] },
    doneState: 'approved',
    callerGone,
    objection: () => null,
    perform: async (approval, signal): Promise<Performed<StoredAccount>> => {
      attempts += 1
      const password = approval.password ?? new Uint8Array(0)
      const fault = passwordFault(password)
      if (fault === null) return { kind: 'done', result: await createAccount(maker, password, signal) }
      return {
        kind: 'retry',
        reason: `Account creation attempt #${attempts} failed due to password requirements: ${fault}`,
        final: new SignerError('SIGNER_ACCOUNT_CREATION_FAILED', undefined),
        slow: false,
      }
    },
    summary: ({ address, file }) => ({ address, file }),
  }
}
