// account_list: the caller learns the addresses that the user ticked, and no others.
import { checksumAddress } from '../../base/checksum-address'
import type { LowerAddress } from '../address'
import type { KeyEntry } from '../keystore/folder'
import type { Caller } from '../model/request'
import type { NewRequest } from './approval'
import { listingQuestion } from './questions'

/** What the user chooses from. */
export interface OfferedAccounts {
  /** In the keystore's order; an address with two files is there twice. */
  readonly keys: readonly KeyEntry[]
  readonly folder: string
}

/**
 * The request behind account_list. A window may tick offered addresses only; the program on the standard streams may
 * name any.
 */
export function listingRequest(
  caller: Caller,
  callerGone: AbortSignal,
  { keys, folder }: OfferedAccounts,
): NewRequest<readonly LowerAddress[]> {
  const known = new Set(keys.map((key) => key.address))
  return {
    content: {
      kind: 'listing',
      caller,
      transaction: null,
      data: null,
      accounts: keys.map(({ address }) => ({ address: checksumAddress(address) })),
      findings: [],
    },
    question: listingQuestion(keys, folder, caller),
    doneState: 'approved',
    callerGone,
    // The program on the standard streams may name any address, as in the reference; a window only offered ones.
    objection: ({ by, accounts }) => {
      const foreign = by === 'lines' ? undefined : accounts?.find((address) => !known.has(address.toLowerCase()))
      return foreign === undefined ? null : `${foreign} is not among the offered accounts`
    },
    perform: ({ accounts }) =>
      Promise.resolve(
        accounts === null
          ? { kind: 'denied' }
          : { kind: 'done', result: accounts.map((address) => address.toLowerCase()) },
      ),
    summary: (addresses) => ({ addresses: addresses.join(' ') }),
  }
}
