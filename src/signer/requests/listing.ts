// account_list: the caller learns the addresses that the user ticked, and no others.
import { checksumAddress, type LowerAddress } from '../address'
import type { NewRequest } from './queue'
import type { Caller } from './request'

/** @param offered addresses of the keystore in its order; one with two files is there twice */
export function listingRequest(
  caller: Caller,
  callerGone: AbortSignal,
  offered: readonly LowerAddress[],
): NewRequest<readonly LowerAddress[]> {
  const known = new Set(offered)
  return {
    content: {
      kind: 'listing',
      caller,
      transaction: null,
      accounts: offered.map((address) => ({ address: checksumAddress(address) })),
      findings: [],
    },
    doneState: 'approved',
    callerGone,
    objection: ({ accounts }) => {
      const foreign = accounts?.find((address) => !known.has(address.toLowerCase()))
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
