// account_list: the caller gets the addresses that the user selected, and no others.
import { checksumAddress } from '../../base/checksum-address'
import type { LowerAddress } from '../address'
import type { HardwareAccount } from '../hardware/hardware-wallet'
import type { KeyEntry } from '../keystore/folder'
import type { Caller } from '../model/request'
import type { NewRequest } from './approval'
import { accountObjects, deviceObject, listingQuestion } from './questions'

interface OfferedAccounts {
  /** In keystore order; an address with two files appears twice. */
  readonly keys: readonly KeyEntry[]
  readonly folder: string
  /** After the keystore's. */
  readonly devices: readonly HardwareAccount[]
}

/**
 * The request of account_list. A window may select only offered addresses; the program on the standard streams may
 * return any.
 */
export function listingRequest(
  caller: Caller,
  callerGone: AbortSignal,
  { keys, folder, devices }: OfferedAccounts,
): NewRequest<readonly LowerAddress[]> {
  const others = devices.filter(({ address }) => !keys.some((key) => key.address === address))
  const addresses = [...keys, ...others].map(({ address }) => address)
  const known = new Set(addresses)
  return {
    content: {
      kind: 'listing',
      caller,
      transaction: null,
      data: null,
      accounts: addresses.map((address) => ({ address: checksumAddress(address) })),
      findings: [],
    },
    question: listingQuestion([...accountObjects(keys, folder), ...others.map(deviceObject)], caller),
    doneState: 'approved',
    callerGone,
    objection: ({ by, accounts }) => {
      const foreign = by === 'lines' ? undefined : accounts?.find((address) => !known.has(address.toLowerCase()))
      return foreign === undefined ? null : `${foreign} is not among the offered accounts`
    },
    perform: async ({ accounts }) =>
      accounts === null
        ? { kind: 'denied' }
        : { kind: 'done', result: accounts.map((address) => address.toLowerCase()) },
    summary: (shared) => ({ addresses: shared.join(' ') }),
  }
}
