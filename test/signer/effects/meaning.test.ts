// How the meaning engine judges single requests: harmless ones, wrapped ones, and ones too large to parse.
import { encodeFunctionData, parseAbiItem } from 'viem'
import { describe, expect, it } from 'vitest'
import { concatBytes } from '../../../src/base/bytes'
import { bytesOfHex } from '../../../src/base/hex'
import { transactionMeaning } from '../../../src/signer/effects/call-effects'
import { effectFindings } from '../../../src/signer/effects/effect-findings'
import { callDangers, OWNER, SPENDER, TOKEN, typedDangers } from './dangers'
import { rankOf, rankOfCall, rankOfDocument } from './severity'

const data = (signature: string, ...args: readonly unknown[]): Uint8Array => {
  const item = parseAbiItem(`function ${signature}`)
  if (item.type !== 'function') throw new Error(`${signature} is no function`)
  return bytesOfHex(encodeFunctionData({ abi: [item], args: [...args] }))
}
const hex = (bytes: Uint8Array): string => `0x${Buffer.from(bytes).toString('hex')}`
const sayings = (bytes: Uint8Array): readonly string[] =>
  effectFindings(transactionMeaning({ to: TOKEN.toLowerCase(), value: 0n, data: bytes }).effects).map(
    ({ severity, message }) => `${severity} ${message}`,
  )
const MAX = 2n ** 256n - 1n
const HASH = `0x${'22'.repeat(32)}`

describe('a harmless call', () => {
  it.each<[string, readonly unknown[]]>([
    ['transfer(address,uint256)', [SPENDER, MAX]],
    ['transferFrom(address,address,uint256)', [OWNER, SPENDER, 5n]],
    ['safeTransferFrom(address,address,uint256)', [OWNER, SPENDER, 5n]],
    ['safeTransferFrom(address,address,uint256,uint256,bytes)', [OWNER, SPENDER, 5n, 1n, '0x']],
    ['safeBatchTransferFrom(address,address,uint256[],uint256[],bytes)', [OWNER, SPENDER, [5n, 6n], [1n, 2n], '0x']],
    ['approve(address,uint256)', [SPENDER, 0n]],
    ['setApprovalForAll(address,bool)', [SPENDER, false]],
    ['revokeOperator(address)', [SPENDER]],
    ['decreaseAllowance(address,uint256)', [SPENDER, MAX]],
    ['deposit()', []],
    ['withdraw(uint256)', [MAX]],
    ['mint(address,uint256)', [OWNER, 1n]],
    ['burn(uint256)', [1n]],
    ['claim()', []],
    ['stake(uint256)', [MAX]],
    ['vote(uint256,bool)', [1n, true]],
    ['register(string,address)', ['name', OWNER]],
    ['multicall(bytes[])', [[hex(data('transfer(address,uint256)', SPENDER, 1n))]]],
    [
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
      [SPENDER, 0n, '0x', 0, 0n, 0n, 0n, OWNER, OWNER, '0x'],
    ],
  ])('gets no warning for its effects: %s', (signature, args) => {
    expect(sayings(data(signature, ...args))).toEqual([])
  })
})

describe('a plain danger', () => {
  it.each(callDangers)('has its severity: $severity $title', ({ severity, data: bytes }) => {
    expect(rankOfCall(bytes)).toBe(rankOf(severity))
  })

  it.each(typedDangers)('has its severity: $severity $title', (danger) => {
    expect(rankOfDocument(danger)).toBe(rankOf(danger.severity))
  })
})

describe('a call inside a call', () => {
  const approval = data('approve(address,uint256)', SPENDER, MAX)

  it('is reported with the token that it is about', () => {
    const batch = data('aggregate((address,bytes)[])', [[OWNER, hex(approval)]])

    expect(sayings(batch)).toEqual([
      `CRITICAL A call inside it lets ${SPENDER} take an unlimited amount of the token ${OWNER} from ${TOKEN}`,
    ])
  })

  it('is reported once, however often it occurs', () => {
    expect(sayings(data('multicall(bytes[])', [hex(approval), hex(approval), hex(approval)]))).toEqual([
      `CRITICAL A call inside it lets ${SPENDER} take an unlimited amount of the token ${TOKEN} from the account`,
    ])
  })

  it('is found below any depth that is followed', () => {
    let nested = approval
    for (let depth = 0; depth < 40; depth++) nested = data('multicall(bytes[])', [hex(nested)])

    expect(rankOfCall(nested)).toBe(rankOf('CRITICAL'))
  })

  it("is found among the Universal Router's commands, which have no selectors", () => {
    const word = (text: string): string => text.replace(/^0x/, '').padStart(64, '0')
    const permit = [TOKEN, `${'f'.repeat(40)}`, 'ffffffffffff', '0', SPENDER, '1', 'e0', '0'].map(word).join('')
    const plan = data('execute(bytes,bytes[],uint256)', '0x8a', [`0x${permit}`], 9n)

    expect(sayings(plan)).toEqual([
      `CRITICAL It lets ${SPENDER} take an unlimited amount of the token ${TOKEN} from the account, without an end`,
    ])
  })
})

describe('data too large to parse', () => {
  it('is CRITICAL for that alone, and read in bounded time', () => {
    const transfer = data('transfer(address,uint256)', SPENDER, 1n)
    const many = concatBytes(Uint8Array.of(0xf0, 1, 2, 3), ...Array.from({ length: 30_000 }, () => transfer))

    expect(sayings(many)).toEqual(['CRITICAL It holds more calls than can be read'])
  })

  it("doesn't let the first calls hide those after them", () => {
    const few = data('approve(address,uint256)', SPENDER, 5n)
    const many = concatBytes(Uint8Array.of(0xf0, 1, 2, 3), ...Array.from({ length: 300 }, () => few))

    expect(rankOfCall(concatBytes(many, bytesOfHex(`a22cb465${HASH.slice(2)}${HASH.slice(2)}`)))).toBe(
      rankOf('CRITICAL'),
    )
  })
})
