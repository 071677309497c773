// The arguments of unsigned calls: the call itself, and state overrides.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { BlockOverride, CallArguments, CallBundles, StateOverride } from '../../query/query-wire'
import {
  addressParam,
  blockParam,
  dataParam,
  hashParam,
  isWhole,
  type Param,
  quantity64,
  quantity256,
  readList,
  readMembers,
  readObject,
  unknownMember,
} from './params'
import { type TransactionArguments, transactionParam } from './transaction-params'

/** `input` takes precedence over `data`; null counts as an empty object. */
export const callParam: Param<CallArguments> = {
  type: transactionParam.type,
  read: (value) => {
    const read = transactionParam.read(value)
    return read.ok ? ok(callOfArguments(read.value)) : read
  },
}

/** The call that a transaction makes. */
export function callOfArguments(given: TransactionArguments): CallArguments {
  const { from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, accessList, chainId } = given
  return {
    from,
    to,
    gas,
    gasPrice,
    nonce,
    chainId,
    feeCap: maxFeePerGas,
    tip: maxPriorityFeePerGas,
    value: given.value ?? 0n,
    data: given.input ?? given.data ?? new Uint8Array(0),
    accessList: accessList?.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })) ?? null,
  }
}

const slotsParam: Param<[Uint8Array, Uint8Array][]> = {
  type: 'slots: an object from positions to values',
  read: (value) => {
    if (!isJsonObject(value)) return fail('not an object of slots')
    const slots: [Uint8Array, Uint8Array][] = []
    for (const [name, given] of Object.entries(value)) {
      const key = hashParam.read(name)
      const word = hashParam.read(given)
      if (!key.ok) return key
      if (!word.ok) return word
      slots.push([key.value, word.value])
    }
    return ok(slots)
  },
}

const ACCOUNT_MEMBERS = {
  nonce: quantity64,
  balance: quantity256,
  code: dataParam,
  state: slotsParam,
  stateDiff: slotsParam,
  movePrecompileToAddress: addressParam,
}

export const overridesParam: Param<StateOverride[]> = {
  type: `state overrides: an object from addresses to ${Object.keys(ACCOUNT_MEMBERS).join(', ')}`,
  read: (value) => {
    if (value === null) return ok([])
    if (!isJsonObject(value)) return fail('not an object of accounts')
    const overrides: StateOverride[] = []
    for (const [name, given] of Object.entries(value)) {
      const address = addressParam.read(name)
      if (!address.ok) return fail(`${name.slice(0, 80)}: ${address.error}`)
      if (given !== null && !isJsonObject(given)) return fail(`${name}: not an object`)
      const unknown = unknownMember(given ?? {}, Object.keys(ACCOUNT_MEMBERS))
      if (unknown !== null) return fail(`${name}: ${unknown}`)
      const read = readMembers(given ?? {}, ACCOUNT_MEMBERS)
      if (!read.ok) return read
      const { movePrecompileToAddress: moveTo, ...rest } = read.value
      overrides.push({ address: address.value, ...rest, moveTo })
    }
    return ok(overrides)
  },
}

/** Fields that this chain's blocks don't have. */
const ABSENT_FIELDS = ['prevRandao', 'blobBaseFee', 'withdrawals', 'beaconRoot'] as const
const BLOCK_MEMBERS = ['number', 'time', 'gasLimit', 'feeRecipient', 'difficulty', 'baseFeePerGas'] as const

const noFeeParam: Param<bigint> = {
  ...quantity256,
  read: (value) => {
    const read = quantity256.read(value)
    return read.ok && read.value > 0n ? fail('this chain has no base fee') : read
  },
}

/** Header fields for a call; null is an empty object. */
export const blockOverridesParam: Param<BlockOverride> = {
  type: `block overrides: an object with ${BLOCK_MEMBERS.join(', ')}`,
  absent: { value: {} },
  read: (value) => (value === null ? ok({}) : readBlockOverrides(value)),
}

function readBlockOverrides(given: unknown): Result<BlockOverride> {
  if (!isJsonObject(given)) return fail('not an object of header fields')
  const isGiven = (value: unknown) => (value ?? null) !== null && !(Array.isArray(value) && value.length === 0)
  const odd = ABSENT_FIELDS.find((name) => isGiven(given[name]))
  if (odd !== undefined) return fail(`${odd}: blocks of this chain have no such field`)
  const unknown = unknownMember(given, BLOCK_MEMBERS, ABSENT_FIELDS)
  if (unknown !== null) return fail(unknown)
  const read = readMembers(given, {
    baseFeePerGas: noFeeParam,
    number: quantity64,
    time: quantity64,
    gasLimit: quantity64,
    feeRecipient: addressParam,
    difficulty: quantity256,
  })
  if (!read.ok) return read
  const { baseFeePerGas: _none, ...block } = read.value
  return ok(block)
}

/** Maximum calls in all bundles of a request. */
const MAX_BUNDLED_CALLS = 1_000

/** Lists of calls: `[{transactions, blockOverride}]`. */
export const bundlesParam: Param<CallBundles['bundles']> = {
  type: 'bundles: a list of objects with transactions and blockOverride',
  read: (value) => {
    if (!Array.isArray(value)) return fail('not a list of bundles')
    const bundles = readList(value, readBundle)
    if (!bundles.ok) return bundles
    const calls = bundles.value.reduce((sum, bundle) => sum + bundle.calls.length, 0)
    if (calls === 0) return fail('empty bundles')
    return calls > MAX_BUNDLED_CALLS ? fail(`${calls} calls, want at most ${MAX_BUNDLED_CALLS}`) : bundles
  },
}

function readBundle(item: unknown): Result<CallBundles['bundles'][number]> {
  if (!isJsonObject(item)) return fail('not an object with transactions')
  const unknown = unknownMember(item, ['transactions', 'blockOverride'])
  if (unknown !== null) return fail(unknown)
  const block = blockOverridesParam.read(item.blockOverride ?? null)
  if (!block.ok) return fail(`blockOverride: ${block.error}`)
  const calls = readList(item.transactions, callParam.read)
  return calls.ok ? ok({ block: block.value, calls: calls.value }) : fail(`transactions: ${calls.error}`)
}

const endParam: Param<number> = {
  type: 'index: a whole number from -1 on',
  read: (value) => (value === -1 || isWhole(value) ? ok(value) : fail('not an integer from -1 on')),
}

/** Where bundles begin: `{blockNumber, transactionIndex}`, the latter -1 or absent for the block's end. */
export const stateContextParam: Param<Pick<CallBundles, 'at' | 'index'>> = {
  type: 'state context: an object with blockNumber and transactionIndex',
  read: (value) => {
    const members = { blockNumber: blockParam, transactionIndex: endParam }
    const read = readObject(value, 'not an object with blockNumber', members)
    if (!read.ok) return read
    const { blockNumber, transactionIndex: index } = read.value
    return ok({ at: blockNumber ?? { kind: 'tag', tag: 'latest' }, index: index === -1 ? null : index })
  },
}

/** ms; null or 0 = the node's own limit, which always applies */
export const timeoutParam: Param<number | null> = {
  type: 'timeout: milliseconds, null or 0 for the limit of the node',
  read: (value) => (value === null || isWhole(value) ? ok(value) : fail('not a number of milliseconds')),
}
