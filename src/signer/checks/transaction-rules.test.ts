import { describe, expect, it } from 'vitest'
import { checksumAddress } from '../../base/checksum-address'
import { bytesOfHex } from '../../base/hex'
import { silentLogger } from '../../base/logger'
import { bySeverity, refusals } from '../model/findings'
import type { TransactionRequest } from '../model/transaction'
import { SelectorDatabase } from '../selectors/selector-database'
import { checkTransaction } from './transaction-rules'

const TO = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const SELECTORS = new SelectorDatabase({ builtin: 'minimal', customFile: null }, { log: silentLogger })
const OPTIONS = { london: false, strict: false }

const spelled = (text: string) => ({ text, bytes: bytesOfHex(text) })

function aTransaction(change: Partial<TransactionRequest> = {}): TransactionRequest {
  return {
    from: spelled('0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'),
    to: spelled(TO),
    gas: 21_000n,
    gasPrice: 1n,
    maxFeePerGas: null,
    maxPriorityFeePerGas: null,
    value: 1n,
    nonce: 0n,
    data: null,
    input: null,
    accessList: null,
    chainId: null,
    methodSignature: null,
    ...change,
  }
}

const messages = (change: Partial<TransactionRequest>, options = OPTIONS): readonly string[] =>
  checkTransaction(aTransaction(change), { ...options, selectors: SELECTORS }).findings.map(
    (finding) => `${finding.severity} ${finding.message}`,
  )

const PART = 'The other facts shown are only part of what it does'
const unknownMethod = (selector: string): string => `WARNING Not understood: the method ${selector} of ${TO}. ${PART}`
const UNKNOWN_CODE = "WARNING Not understood: what the code of the new contract does. What it does isn't known"

describe('checkTransaction', () => {
  it('has nothing to say about a plain transfer', () => {
    expect(messages({})).toEqual([])
  })

  it.each<[string, Partial<TransactionRequest>, readonly string[]]>([
    ['lower-case recipient', { to: spelled(TO.toLowerCase()) }, ['WARNING Invalid checksum on recipient address']],
    ['zero address', { to: spelled(`0x${'0'.repeat(40)}`) }, ['CRITICAL Transaction recipient is the zero address']],
    ['no fee', { gasPrice: null }, ["CRITICAL Neither 'gasPrice' nor 'maxFeePerGas' specified."]],
    [
      'cap without tip',
      { gasPrice: null, maxFeePerGas: 1n },
      [
        "CRITICAL Neither 'gasPrice' nor 'maxPriorityFeePerGas' specified.",
        'Info This network does not accept dynamic fee transactions; use gasPrice instead of maxFeePerGas',
      ],
    ],
    ['price and tip', { maxPriorityFeePerGas: 1n }, ["CRITICAL Both 'gasPrice' and 'maxPriorityFeePerGas' specified."]],
    ['empty data', { data: bytesOfHex('') }, []],
    [
      'three bytes',
      { data: bytesOfHex('aabbcc') },
      ['WARNING Transaction data is not valid ABI (missing the 4 byte call prefix)', unknownMethod('0xaabbcc')],
    ],
    [
      'odd argument length and an unknown method',
      { data: bytesOfHex('aabbccdd00') },
      [
        'WARNING Transaction data is not valid ABI (length should be a multiple of 32 (was 1))',
        'WARNING Transaction contains data, but the ABI signature could not be found: signature aabbccdd not found',
        unknownMethod('0xaabbccdd'),
      ],
    ],
    [
      'the signature of another method',
      { data: bytesOfHex('aabbccdd'), methodSignature: 'transfer(address,uint256)' },
      [
        'WARNING Transaction contains data, but provided ABI signature could not be matched: no method with id: 0xaabbccdd',
        unknownMethod('0xaabbccdd'),
      ],
    ],
    [
      'creation without anything',
      { to: null, value: 0n },
      ['CRITICAL Transaction will create a contract with empty code', UNKNOWN_CODE],
    ],
    [
      'creation with little code and a method, whatever its fees',
      { to: null, value: 0n, data: bytesOfHex('00'.repeat(39)), methodSignature: 'a()', gasPrice: null },
      [
        'WARNING Transaction will create a contract, but the payload is suspiciously small (39 bytes)',
        'WARNING Transaction will create a contract, but method selector supplied, indicating an intent to call a method',
        UNKNOWN_CODE,
      ],
    ],
    ['creation with code', { to: null, value: 0n, data: bytesOfHex('00'.repeat(40)) }, [UNKNOWN_CODE]],
  ])('finds: %s', (_what, change, expected) => {
    expect(messages(change)).toEqual(expected)
  })

  it('rejects a creation with value and no code in any mode', () => {
    expect(() => messages({ to: null })).toThrow('transaction will create a contract with value but empty code')
  })

  it('says nothing about the form if the network knows it, or in strict mode', () => {
    const fees = { gasPrice: null, maxFeePerGas: 2n, maxPriorityFeePerGas: 1n }

    expect(messages(fees, { london: true, strict: false })).toEqual([])
    expect(messages(fees, { london: false, strict: true })).toEqual([])
  })
})

describe('a name that the caller gives', () => {
  const word = (digits: string) => digits.padStart(64, '0')
  /** Both names have the selector 095ea7b3, and these two words are arguments of either. */
  const data = bytesOfHex(`095ea7b3${word(`aabbccdd${'0'.repeat(32)}`)}${word('5')}`)

  it("doesn't hide that a call lets someone take tokens", async () => {
    const selectors = new SelectorDatabase({ builtin: 'full', customFile: null }, { log: silentLogger })
    await selectors.load()
    const transaction = aTransaction({ data, methodSignature: 'sign_szabo_bytecode(bytes16,uint128)' })

    const { findings, call } = checkTransaction(transaction, { ...OPTIONS, selectors })

    expect(call?.namedBy).toBe('caller')
    expect(refusals(findings)).toEqual([
      'It lets 0xaAbbCcdD00000000000000000000000000000000 take up to 5 units of this token from the account',
      'The caller calls the method sign_szabo_bytecode; it is known as approve(address,uint256)',
    ])
    expect(refusals(checkTransaction(transaction, { ...OPTIONS, strict: true, selectors }).findings)).toEqual([
      'It lets 0xaAbbCcdD00000000000000000000000000000000 take up to 5 units of this token from the account',
    ])
  })
})

describe('an unlimited approval', () => {
  const approval = `095ea7b3${'0'.repeat(24)}${'ab'.repeat(20)}${'f'.repeat(64)}`
  const DANGER = `It lets ${checksumAddress(`0x${'ab'.repeat(20)}`)} take an unlimited amount of this token from the account`
  const criticalOf = (change: Partial<TransactionRequest>, strict: boolean): readonly string[] =>
    checkTransaction(aTransaction(change), { ...OPTIONS, strict, selectors: SELECTORS })
      .findings.filter(({ severity }) => severity === 'CRITICAL')
      .map(({ message }) => message)

  it.each<[string, Partial<TransactionRequest>]>([
    ['as it is', { data: bytesOfHex(approval) }],
    ['with bytes behind it', { data: bytesOfHex(`${approval}${'0'.repeat(64)}`) }],
    ['with a few bytes behind it', { data: bytesOfHex(`${approval}00`) }],
    ['with dirty bits above the address', { data: bytesOfHex(approval.replace('0'.repeat(24), 'f'.repeat(24))) }],
    ['under the name of another method', { data: bytesOfHex(approval), methodSignature: 'claimReward()' }],
    ['under a name that cannot be read', { data: bytesOfHex(approval), methodSignature: 'claim)(' }],
  ])('is CRITICAL in both modes: %s', (_what, change) => {
    expect(criticalOf(change, false)).toEqual([DANGER])
    expect(criticalOf(change, true)).toEqual([DANGER])
  })

  it("is decoded under its shipped name if the caller's name doesn't match", async () => {
    const selectors = new SelectorDatabase({ builtin: 'full', customFile: null }, { log: silentLogger })
    await selectors.load()
    const transaction = aTransaction({ data: bytesOfHex(approval), methodSignature: 'claimReward()' })

    const { call } = checkTransaction(transaction, { ...OPTIONS, selectors })

    expect(call).toMatchObject({ signature: 'approve(address,uint256)', namedBy: 'database' })
  })
})

describe('findings', () => {
  it('are shown by severity and rejected in the order of the rules', () => {
    const { findings } = checkTransaction(aTransaction({ to: spelled(TO.toLowerCase()), gasPrice: null }), {
      ...OPTIONS,
      selectors: SELECTORS,
    })

    expect(bySeverity(findings).map((finding) => finding.severity)).toEqual(['CRITICAL', 'WARNING'])
    expect(refusals(findings)).toEqual([
      'Invalid checksum on recipient address',
      "Neither 'gasPrice' nor 'maxFeePerGas' specified.",
    ])
  })
})
