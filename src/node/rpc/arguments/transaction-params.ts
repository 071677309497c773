// The transaction object of the sending methods, parsed strictly.
import { fail, ok, type Result } from '../../codec/result'
import type { UnsignedTransaction } from '../../ports/accounts-port'
import {
  addressParam,
  dataParam,
  fixedData,
  type Given,
  type Param,
  quantity64,
  quantity256,
  readList,
  readObject,
  unknownMember,
} from './params'

type AccessList = NonNullable<UnsignedTransaction['accessList']>

const accessListParam: Param<AccessList> = {
  type: 'access list: a list of objects with address and storageKeys',
  read: (value) => readList(value, accessListEntry),
}

const MEMBERS = {
  from: addressParam,
  to: addressParam,
  gas: quantity64,
  gasPrice: quantity256,
  maxFeePerGas: quantity256,
  maxPriorityFeePerGas: quantity256,
  value: quantity256,
  nonce: quantity64,
  data: dataParam,
  input: dataParam,
  accessList: accessListParam,
  chainId: quantity256,
}
/** What client libraries add about type and signing; listed in docs/guide/json-rpc.md. */
export const CLIENT_EXTRAS = ['type', 'chain', 'hardfork', 'common', 'networkId', 'customData', 'ccipReadEnabled']

/** A caller's transaction fields; null = omitted. */
export type TransactionArguments = Given<{
  [K in keyof typeof MEMBERS]: (typeof MEMBERS)[K] extends Param<infer T> ? T : never
}>

/** Unknown members are refused, except `CLIENT_EXTRAS`; null members count as omitted. */
export const transactionParam: Param<TransactionArguments> = {
  type: `transaction: an object with ${Object.keys(MEMBERS).join(', ')}`,
  read: (value) => readObject(value ?? {}, 'not a transaction object', MEMBERS, CLIENT_EXTRAS),
}

const storageKeyParam = fixedData(32, 'storage key')

function accessListEntry(item: unknown): Result<AccessList[number]> {
  if (typeof item !== 'object' || item === null) return fail('entry is not an object')
  const { address, storageKeys } = item as Readonly<Record<string, unknown>>
  const unknown = unknownMember(item, ['address', 'storageKeys'])
  if (unknown !== null) return fail(`entry: ${unknown}`)
  const owner = addressParam.read(address)
  if (!owner.ok) return owner
  if (!Array.isArray(storageKeys)) return fail('storageKeys is not a list')
  const keys = readList(storageKeys, storageKeyParam.read)
  return keys.ok ? ok({ address: owner.value, storageKeys: keys.value }) : keys
}
