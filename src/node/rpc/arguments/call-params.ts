// The arguments of unsigned calls: the call itself, and state overrides.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { BlockOverride, CallArguments, CallBundles, StateOverride } from '../../query/query-wire'
import {
  addressParam,
  blockParam,
  dataParam,
  hashParam,
  type Param,
  quantity64,
  quantity256,
  unknownMember,
} from './params'
import { transactionParam } from './transaction-params'

/** `input` takes precedence over `data`; null counts as an empty object. */
export const callParam: Param<CallArguments> = {
  type: transactionParam.type,
  read: (value) => {
    const read = transactionParam.read(value)
    if (!read.ok) return read
    const { from, to, gas, gasPrice, maxFeePerGas, maxPriorityFeePerGas, nonce, accessList } = read.value
    return ok({
      from,
      to,
      gas,
      gasPrice,
      nonce,
      feeCap: maxFeePerGas,
      tip: maxPriorityFeePerGas,
      value: read.value.value ?? 0n,
      data: read.value.input ?? read.value.data ?? new Uint8Array(0),
      accessList: accessList?.map(({ address, storageKeys }) => ({ address, storageKeys: [...storageKeys] })) ?? null,
    })
  },
}

type Given = Readonly<Record<string, unknown>>

const ACCOUNT_MEMBERS = ['nonce', 'balance', 'code', 'state', 'stateDiff', 'movePrecompileToAddress'] as const

/** An object from addresses to overrides. */
export const overridesParam: Param<StateOverride[]> = {
  type: `state overrides: an object from addresses to ${ACCOUNT_MEMBERS.join(', ')}`,
  read: readOverrides,
}

function readOverrides(value: unknown): Result<StateOverride[]> {
  if (value === null) return ok([])
  if (!isJsonObject(value)) return fail('not an object of accounts')
  const overrides: StateOverride[] = []
  for (const [name, given] of Object.entries(value)) {
    const address = addressParam.read(name)
    if (!address.ok) return fail(`${name.slice(0, 80)}: ${address.error}`)
    if (given !== null && !isJsonObject(given)) return fail(`${name}: not an object`)
    const unknown = unknownMember(given ?? {}, ACCOUNT_MEMBERS)
    if (unknown !== null) return fail(`${name}: ${unknown}`)
    const override = overrideOf(address.value, given ?? {})
    if (!override.ok) return override
    overrides.push(override.value)
  }
  return ok(overrides)
}

function overrideOf(address: Uint8Array, given: Given): Result<StateOverride> {
  const faults: string[] = []
  const member = <T>(name: string, param: Param<T>): T | null => {
    const found = given[name]
    if (found === undefined || found === null) return null
    const read = param.read(found)
    if (!read.ok) faults.push(`${name}: ${read.error}`)
    return read.ok ? read.value : null
  }
  const override = {
    address,
    nonce: member('nonce', quantity64),
    balance: member('balance', quantity256),
    code: member('code', dataParam),
    state: member('state', slotsParam),
    stateDiff: member('stateDiff', slotsParam),
    moveTo: member('movePrecompileToAddress', addressParam),
  }
  const [fault] = faults
  return fault === undefined ? ok(override) : fail(fault)
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

/** Fields that this chain's blocks don't have. */
const ABSENT_FIELDS = ['prevRandao', 'blobBaseFee', 'withdrawals', 'beaconRoot'] as const
const BLOCK_MEMBERS = ['number', 'time', 'gasLimit', 'feeRecipient', 'difficulty', 'baseFeePerGas'] as const

/** Header fields for a call; null is an empty object. */
export const blockOverridesParam: Param<BlockOverride> = {
  type: `block overrides: an object with ${BLOCK_MEMBERS.join(', ')}`,
  absent: { value: {} },
  read: (value) => (value === null ? ok({}) : readBlockOverrides(value)),
}

function readBlockOverrides(given: unknown): Result<BlockOverride> {
  if (!isJsonObject(given)) return fail('not an object of header fields')
  const odd = ABSENT_FIELDS.find(
    (name) => isGiven(given[name]) && !(Array.isArray(given[name]) && given[name].length === 0),
  )
  if (odd !== undefined) return fail(`${odd}: blocks of this chain have no such field`)
  const unknown = unknownMember(given, BLOCK_MEMBERS, ABSENT_FIELDS)
  if (unknown !== null) return fail(unknown)
  const faults: string[] = []
  const member = <T>(name: string, param: Param<T>): T | null => {
    if (!isGiven(given[name])) return null
    const read = param.read(given[name])
    if (!read.ok) faults.push(`${name}: ${read.error}`)
    return read.ok ? read.value : null
  }
  if ((member('baseFeePerGas', quantity256) ?? 0n) > 0n) return fail('baseFeePerGas: this chain has no base fee')
  const block = {
    number: member('number', quantity64),
    time: member('time', quantity64),
    gasLimit: member('gasLimit', quantity64),
    feeRecipient: member('feeRecipient', addressParam),
    difficulty: member('difficulty', quantity256),
  }
  const [fault] = faults
  return fault === undefined ? ok(block) : fail(fault)
}

function isGiven(value: unknown): boolean {
  return value !== undefined && value !== null
}

/** Maximum calls in all bundles of a request. */
const MAX_BUNDLED_CALLS = 1_000

/** Lists of calls: `[{transactions, blockOverride}]`. */
export const bundlesParam: Param<CallBundles['bundles']> = {
  type: 'bundles: a list of objects with transactions and blockOverride',
  read: (value) => {
    if (!Array.isArray(value)) return fail('not a list of bundles')
    const bundles: CallBundles['bundles'] = []
    for (const item of value as readonly unknown[]) {
      const bundle = readBundle(item)
      if (!bundle.ok) return bundle
      bundles.push(bundle.value)
    }
    const calls = bundles.reduce((sum, bundle) => sum + bundle.calls.length, 0)
    if (calls === 0) return fail('empty bundles')
    return calls > MAX_BUNDLED_CALLS ? fail(`${calls} calls, want at most ${MAX_BUNDLED_CALLS}`) : ok(bundles)
  },
}

function readBundle(item: unknown): Result<CallBundles['bundles'][number]> {
  if (!isJsonObject(item)) return fail('not an object with transactions')
  const unknown = unknownMember(item, ['transactions', 'blockOverride'])
  if (unknown !== null) return fail(unknown)
  const block = blockOverridesParam.read(item.blockOverride ?? null)
  if (!block.ok) return fail(`blockOverride: ${block.error}`)
  if (!Array.isArray(item.transactions)) return fail('transactions: not a list')
  const calls: CallArguments[] = []
  for (const one of item.transactions as readonly unknown[]) {
    const call = callParam.read(one)
    if (!call.ok) return fail(`transactions: ${call.error}`)
    calls.push(call.value)
  }
  return ok({ block: block.value, calls })
}

/** Where bundles begin: `{blockNumber, transactionIndex}`, the latter -1 or absent for the block's end. */
export const stateContextParam: Param<Pick<CallBundles, 'at' | 'index'>> = {
  type: 'state context: an object with blockNumber and transactionIndex',
  read: (value) => {
    if (!isJsonObject(value)) return fail('not an object with blockNumber')
    const unknown = unknownMember(value, ['blockNumber', 'transactionIndex'])
    if (unknown !== null) return fail(unknown)
    const at = blockParam.read(value.blockNumber ?? 'latest')
    if (!at.ok) return fail(`blockNumber: ${at.error}`)
    const index = value.transactionIndex ?? -1
    if (typeof index !== 'number' || !Number.isSafeInteger(index) || index < -1)
      return fail('transactionIndex: not an integer from -1 on')
    return ok({ at: at.value, index: index === -1 ? null : index })
  },
}

/** ms; null or 0 = the node's own limit, which always applies */
export const timeoutParam: Param<number | null> = {
  type: 'timeout: milliseconds, null or 0 for the limit of the node',
  read: (value) => {
    if (value === null) return ok(null)
    return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
      ? ok(value)
      : fail('not a number of milliseconds')
  },
}
