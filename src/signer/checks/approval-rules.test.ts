import { describe, expect, it } from 'vitest'
import type { DecodedCall } from '../abi/call'
import { approvalFindings } from './approval-rules'
import { checkData } from './data-rules'

const SPENDER = '0x52908400098527886E0F7030069857D2E4169EE7'
const ENDLESS = (2n ** 256n - 1n).toString()

const callOf = (signature: string, ...values: readonly string[]): DecodedCall => ({
  signature,
  name: signature.replace(/\(.*/, ''),
  arguments: values.map((value) => ({ type: '', value })),
})
const severities = (call: DecodedCall): readonly string[] => approvalFindings(call).map(({ severity }) => severity)

describe('a call that lets somebody take tokens', () => {
  it.each([
    ['an amount', callOf('approve(address,uint256)', SPENDER, '5'), ['WARNING']],
    ['any amount', callOf('approve(address,uint256)', SPENDER, ENDLESS), ['CRITICAL']],
    [
      'any amount by a permit',
      callOf(
        'permit(address,address,uint256,uint256,uint8,bytes32,bytes32)',
        ...['0x1', SPENDER, ENDLESS, '9', '27', '0x', '0x'],
      ),
      ['CRITICAL'],
    ],
    ['every token', callOf('setApprovalForAll(address,bool)', SPENDER, 'true'), ['CRITICAL']],
    ['no token any more', callOf('setApprovalForAll(address,bool)', SPENDER, 'false'), []],
    ['nothing any more', callOf('approve(address,uint256)', SPENDER, '0'), []],
    ['nothing at all', callOf('transfer(address,uint256)', SPENDER, ENDLESS), []],
  ])('is judged by how much: %s', (_what, call, expected) => {
    expect(severities(call)).toEqual(expected)
  })
})

describe('a permit as a document', () => {
  const permit = (message: object): readonly string[] => {
    const document = { domain: { chainId: '1' }, primaryType: 'Permit', message, types: {} } as never
    return checkData({ form: 'typed' } as never, 1n, document).map(({ severity }) => severity)
  }

  it.each([
    ['an amount', { spender: SPENDER, value: '5' }, ['WARNING']],
    ['any amount', { spender: SPENDER, value: ENDLESS }, ['CRITICAL']],
    ['any amount, in hex', { spender: SPENDER, value: `0x${'f'.repeat(64)}` }, ['CRITICAL']],
    [
      'any amount of its details',
      { spender: SPENDER, details: { amount: (2n ** 160n - 1n).toString() } },
      ['CRITICAL'],
    ],
    ['a yes for everything', { spender: SPENDER, allowed: true }, ['CRITICAL']],
  ])('is judged by how much: %s', (_what, message, expected) => {
    expect(permit(message)).toEqual(expected)
  })
})
