import { describe, expect, it } from 'vitest'
import { logQueryParam } from '../filters/log-query'
import { filterParam } from '../methods/trace'
import { blockOverridesParam, callParam, overridesParam } from './call-params'
import {
  addressParam,
  blockNumberParam,
  blockParam,
  dataParam,
  numberParam,
  type Param,
  quantity64,
  quantity256,
} from './params'
import { CLIENT_EXTRAS } from './transaction-params'

describe('nearly empty arguments', () => {
  it('are 0, or no bytes, as in prlx', () => {
    expect(quantity64.read('')).toEqual({ ok: true, value: 0n })
    expect(quantity256.read('')).toEqual({ ok: true, value: 0n })
    expect(dataParam.read('')).toEqual({ ok: true, value: new Uint8Array(0) })
    expect(numberParam.read(null)).toEqual({ ok: true, value: 0 })
  })

  it.each([
    ['an address', addressParam, ''],
    ['a number of a block', blockNumberParam, ''],
    ['a block', blockParam, ''],
    ['a block', blockParam, []],
    ['a block', blockParam, { blockHash: `0x${'11'.repeat(32)}`, requireCanonical: 'yes' }],
    ['a quantity', quantity64, ' '],
    ['bytes', dataParam, 'x'],
    ['a number', numberParam, ''],
  ])('reject %s (%#)', (_what, param, value) => {
    expect(param.read(value).ok).toBe(false)
  })
})

describe('bytes of a long text', () => {
  const digits = '0aF9'.repeat(1_000)

  it('are those of its digits', () => {
    const read = dataParam.read(`0x${digits}`)

    expect(read.ok && Buffer.from(read.value).toString('hex')).toBe(digits.toLowerCase())
  })

  it.each([
    ['an odd number of digits', `0x${digits}a`],
    ['a letter that is no digit', `0x${digits}0g`],
    ['a digit of another script', `0x${digits}0\u0660`],
    ['a character whose low byte is a digit', `0x${digits}0\u0130`],
    ['another prefix', `0y${digits}`],
    ['a space at its end', `0x${digits} `],
  ])('are rejected for %s', (_what, text) => {
    expect(dataParam.read(text).ok).toBe(false)
  })
})

describe('unknown members', () => {
  const call = { to: `0x${'11'.repeat(20)}` }

  it.each([
    ['a transaction', callParam, { ...call, gasLimit: '0x1' }, 'unknown member "gasLimit": want from, to, gas, '],
    ['a type of tomorrow', callParam, { ...call, authorizationList: [] }, 'unknown member "authorizationList"'],
    [
      'an access list',
      callParam,
      { ...call, accessList: [{ ...call, address: call.to, storageKeys: [] }] },
      'unknown member "to": want address, storageKeys',
    ],
    [
      'a block',
      blockParam,
      { blockNumber: '0x1', number: '0x1' },
      'unknown member "number": want blockNumber, blockHash, requireCanonical',
    ],
    [
      'overrides',
      overridesParam,
      { [call.to]: { storage: {} } },
      'unknown member "storage": want nonce, balance, code, state, stateDiff',
    ],
    ['no override', overridesParam, { [call.to]: '0x1' }, 'not an object'],
    ['block overrides', blockOverridesParam, { timestamp: '0x1' }, 'unknown member "timestamp": want number, time, '],
    ['a trace filter', filterParam, { address: call.to }, 'unknown member "address": want fromBlock, toBlock, '],
    [
      'a log filter',
      logQueryParam,
      { topic: [] },
      'unknown member "topic": want fromBlock, toBlock, address, topics, ',
    ],
  ])('of %s are refused by name', (_what, param: Param<unknown>, value, error) => {
    const read = param.read(value)
    expect(read.ok ? 'accepted' : read.error).toContain(error)
  })

  it('that clients add without meaning anything are accepted, and null ones', () => {
    const extras = Object.fromEntries(CLIENT_EXTRAS.map((name) => [name, 'x']))
    expect(callParam.read({ ...call, ...extras, type: '0x2', chainId: '0x1', foo: null, bar: undefined }).ok).toBe(true)
  })
})
