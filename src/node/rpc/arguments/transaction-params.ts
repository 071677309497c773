// The transaction object of the sending methods, parsed strictly.
import { fail, ok, type Result } from '../../codec/result'
import type { UnsignedTransaction } from '../../ports/accounts-port'
import { addressParam, dataParam, fixedData, type Param, quantity64, quantity256, unknownMember } from './params'

/** A caller's transaction fields; null = omitted. */
export interface TransactionArguments {
  readonly from: Uint8Array | null
  readonly to: Uint8Array | null
  readonly gas: bigint | null
  readonly gasPrice: bigint | null
  readonly maxFeePerGas: bigint | null
  readonly maxPriorityFeePerGas: bigint | null
  readonly value: bigint | null
  readonly nonce: bigint | null
  readonly data: Uint8Array | null
  readonly input: Uint8Array | null
  readonly accessList: UnsignedTransaction['accessList']
  readonly chainId: bigint | null
}

type Given = Readonly<Record<string, unknown>>

const MEMBERS = [
  'from',
  'to',
  'gas',
  'gasPrice',
  'maxFeePerGas',
  'maxPriorityFeePerGas',
  'value',
  'nonce',
  'data',
  'input',
  'accessList',
  'chainId',
] as const
/**
 * What client libraries add: the type, which follows from the other members, and how they sign themselves. Listed in
 * docs/guide/json-rpc.md.
 */
export const CLIENT_EXTRAS = [
  'type',
  'chain',
  'hardfork',
  'common',
  'networkId',
  'customData',
  'ccipReadEnabled',
] as const

/** Unknown members are refused, except `CLIENT_EXTRAS`; null members count as omitted. */
export const transactionParam: Param<TransactionArguments> = {
  type: `transaction: an object with ${MEMBERS.join(', ')}`,
  read: (value) => {
    const given = value === null ? {} : value
    if (typeof given !== 'object' || Array.isArray(given)) return fail('not a transaction object')
    const unknown = unknownMember(given, MEMBERS, CLIENT_EXTRAS)
    if (unknown !== null) return fail(unknown)
    const faults: string[] = []
    const member = <T>(name: (typeof MEMBERS)[number], param: Param<T>): T | null => {
      const found = (given as Given)[name]
      if (found === undefined || found === null) return null
      const read = param.read(found)
      if (!read.ok) faults.push(`${name}: ${read.error}`)
      return read.ok ? read.value : null
    }
    const read: TransactionArguments = {
      from: member('from', addressParam),
      to: member('to', addressParam),
      gas: member('gas', quantity64),
      gasPrice: member('gasPrice', quantity256),
      maxFeePerGas: member('maxFeePerGas', quantity256),
      maxPriorityFeePerGas: member('maxPriorityFeePerGas', quantity256),
      value: member('value', quantity256),
      nonce: member('nonce', quantity64),
      data: member('data', dataParam),
      input: member('input', dataParam),
      accessList: member('accessList', accessListParam),
      chainId: member('chainId', quantity256),
    }
    const [fault] = faults
    return fault === undefined ? ok(read) : fail(fault)
  },
}

type AccessList = NonNullable<UnsignedTransaction['accessList']>

const storageKeyParam = fixedData(32, 'storage key')

const accessListParam: Param<AccessList> = {
  type: 'access list: a list of objects with address and storageKeys',
  read: (value) => {
    if (!Array.isArray(value)) return fail('not a list')
    const entries: AccessList[number][] = []
    for (const item of value as readonly unknown[]) {
      const entry = accessListEntry(item)
      if (!entry.ok) return entry
      entries.push(entry.value)
    }
    return ok(entries)
  },
}

function accessListEntry(item: unknown): Result<AccessList[number]> {
  if (typeof item !== 'object' || item === null) return fail('entry is not an object')
  const { address, storageKeys } = item as Given
  const unknown = unknownMember(item, ['address', 'storageKeys'])
  if (unknown !== null) return fail(`entry: ${unknown}`)
  const owner = addressParam.read(address)
  if (!owner.ok) return owner
  const keys: Uint8Array[] = []
  if (!Array.isArray(storageKeys)) return fail('storageKeys is not a list')
  for (const key of storageKeys as readonly unknown[]) {
    const read = storageKeyParam.read(key)
    if (!read.ok) return read
    keys.push(read.value)
  }
  return ok({ address: owner.value, storageKeys: keys })
}
