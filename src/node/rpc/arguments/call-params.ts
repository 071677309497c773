// The arguments of unsigned calls: the call itself, and state overrides.
import { isJsonObject } from '../../../base/json-text'
import { fail, ok, type Result } from '../../codec/result'
import type { CallArguments, StateOverride } from '../../query/query-wire'
import { addressParam, dataParam, hashParam, type Param, quantity64, quantity256 } from './params'
import { transactionParam } from './transaction-params'

/** `input` takes precedence over `data`; null counts as an empty object. */
export const callParam: Param<CallArguments> = {
  absent: null,
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

/** An object from addresses to overrides. */
export const overridesParam: Param<StateOverride[]> = {
  absent: null,
  read: (value) => {
    if (value === null) return ok([])
    if (!isJsonObject(value)) return fail('not an object of accounts')
    const overrides: StateOverride[] = []
    for (const [name, given] of Object.entries(value)) {
      const address = addressParam.read(name)
      if (!address.ok) return fail(`${name.slice(0, 80)}: ${address.error}`)
      const override = overrideOf(address.value, isJsonObject(given) ? given : {})
      if (!override.ok) return override
      overrides.push(override.value)
    }
    return ok(overrides)
  },
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
  }
  const [fault] = faults
  return fault === undefined ? ok(override) : fail(fault)
}

const slotsParam: Param<[Uint8Array, Uint8Array][]> = {
  absent: null,
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
