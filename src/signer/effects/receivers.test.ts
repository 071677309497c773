// Calls that pay from a wallet or send what they yield to someone: what a person is told of each.
import { encodeFunctionData, parseAbiItem } from 'viem'
import { describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../base/hex'
import { transactionMeaning } from './call-effects'
import { effectFindings } from './effect-findings'

const ME = '0x9d8A62f656a8d1615C1294fd71e9CFb3E4855A4F'
const EVIL = '0xEEeEeeeEEEEeEEEeEeEEeEeEeEeEeEeEEeEEEEEE'.toLowerCase()
const TOKEN = '0x7777777777777777777777777777777777777777'
const THOUSAND = 1_000n * 10n ** 18n
const MAX = 2n ** 256n - 1n
const NOBODY = `0x${'0'.repeat(40)}`
const OTHER = `0x${'aa'.repeat(20)}`
const word = (value: bigint | string) => BigInt(value).toString(16).padStart(64, '0')

function callOf(signature: string, args: readonly unknown[]) {
  const item = parseAbiItem(`function ${signature}`)
  if (item.type !== 'function') throw new Error(`${signature} is no function`)
  return encodeFunctionData({ abi: [item], args: [...args] })
}

function meaningOf(signature: string, args: readonly unknown[], value = 0n) {
  const data = bytesOfHex(callOf(signature, args))
  const { effects, notUnderstood, isComplete } = transactionMeaning({ to: TOKEN, value, data })
  const said = effectFindings(effects, ME.toLowerCase()).map(({ severity, message }) => `${severity} ${message}`)
  return { said, notUnderstood, isComplete, receivers: effects.map(({ to }) => to) }
}

const MOVE = callOf('transfer(address,uint256)', [EVIL, 5n])

describe('a token that a wallet moves', () => {
  it.each<[string, readonly unknown[]]>([
    [
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
      [TOKEN, 0n, MOVE, 0, 0n, 0n, 0n, NOBODY, NOBODY, '0x'],
    ],
    ['executeBatch(address[],bytes[])', [[TOKEN], [MOVE]]],
  ])('is a finding: %s', (signature, args) => {
    expect(meaningOf(signature, args).said).toEqual([
      expect.stringMatching(
        /^WARNING A call inside it moves up to 5 units of the token 0x7{40} from 0x7{40} to 0x[eE]{40}$/,
      ),
    ])
  })

  it.each<[string, readonly unknown[]]>([
    ['transfer(address,uint256)', [EVIL, 5n]],
    ['transferFrom(address,address,uint256)', [ME, EVIL, 5n]],
    ['multicall(bytes[])', [[MOVE]]],
  ])('is none when it is the account that does, which is displayed: %s', (signature, args) => {
    expect(meaningOf(signature, args).said).toEqual([])
  })
})

const packed = (to: string, wei: bigint) => `${to}${wei.toString(16).padStart(64, '0')}`
const single = `0x${'00'.repeat(32)}`

describe('a wallet that pays', () => {
  it.each<[string, readonly unknown[]]>([
    [
      'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)',
      [EVIL, THOUSAND, '0x', 0, 0n, 0n, 0n, NOBODY, NOBODY, '0x'],
    ],
    ['execTransactionFromModule(address,uint256,bytes,uint8)', [EVIL, THOUSAND, '0x', 0]],
    ['execute(address,uint256,bytes)', [EVIL, THOUSAND, '0x']],
    ['execute(uint256,address,uint256,bytes)', [0n, EVIL, THOUSAND, '0x']],
    ['exec(address,bytes,uint256)', [EVIL, '0x', THOUSAND]],
    ['functionCallWithValue(address,bytes,uint256)', [EVIL, '0x', THOUSAND]],
    ['executeBatch(address[],uint256[],bytes[])', [[EVIL], [THOUSAND], ['0x']]],
    ['executeBatch(address[],uint256[],bytes[])', [[EVIL], [THOUSAND], []]],
    ['executeBatch((address,uint256,bytes)[])', [[[EVIL, THOUSAND, '0x']]]],
    ['aggregate3Value((address,bool,uint256,bytes)[])', [[[EVIL, true, THOUSAND, '0x']]]],
    ['execute(bytes32,bytes)', [single, packed(EVIL, THOUSAND)]],
    ['multiSend(bytes)', [`0x00${packed(EVIL, THOUSAND).slice(2)}${'0'.repeat(64)}`]],
  ])('is a payment: %s', (signature, args) => {
    const { said, isComplete, receivers } = meaningOf(signature, args)

    expect(said).toEqual([expect.stringMatching(/^WARNING A call inside it moves 1000 LAX from .* to 0x[eE]{40}$/)])
    expect(receivers).toContain(EVIL)
    expect(isComplete).toBe(false)
  })

  it.each<[string, string, string, RegExp]>([
    [
      'a token to a stranger',
      TOKEN,
      EVIL,
      /^CRITICAL It lets 0x[eE]{40} take all of the token 0x7{40} from 0x7{40}, as a/,
    ],
    ['LAX to a stranger', NOBODY, EVIL, /^CRITICAL It moves all LAX from 0x7{40} to 0x[eE]{40}, as a refund of gas/],
    [
      'a token to its sender',
      TOKEN,
      NOBODY,
      /^CRITICAL It lets someone take all of the token 0x7{40} from 0x7{40}, as a/,
    ],
  ])('refunds gas at any price: %s', (_title, token, receiver, said) => {
    const args = [ME, 0n, '0x', 0, 0n, MAX, 1n, token, receiver, '0x']
    const signature = 'execTransaction(address,uint256,bytes,uint8,uint256,uint256,uint256,address,address,bytes)'

    expect(meaningOf(signature, args).said).toEqual([expect.stringMatching(said)])
  })

  it('approves hashes that nobody sees', () => {
    const { said, notUnderstood } = meaningOf('approveHash(bytes32)', [`0x${'11'.repeat(32)}`])

    expect(said[0]).toMatch(/^CRITICAL .*approves what the hash 0x1111.* stands for/)
    expect(notUnderstood).toHaveLength(1)
  })
})

it.each<[string, readonly unknown[], string, readonly RegExp[]]>([
  ['adds and starts', [[EVIL, 0, ['0x12345678']]], ME, [/: 0x[eE]{40} is its code/, /: 0x9d8A\w{36} is its code/]],
  ['removes', [[NOBODY, 2, ['0x12345678']]], NOBODY, [/: loses a part of its code/]],
])('names the code that a diamond gets, when it %s', (_what, cuts, starts, said) => {
  const found = meaningOf('diamondCut((address,uint8,bytes4[])[],address,bytes)', [cuts, starts, '0x']).said

  expect(found).toEqual(said.map((each) => expect.stringMatching(each)))
  for (const each of found) expect(each).toMatch(/^CRITICAL It changes who controls 0x7{40}/)
})

describe('what a call yields', () => {
  const path = [TOKEN, ME]
  it.each<[string, (to: string) => readonly unknown[]]>([
    ['redeem(uint256,address,address)', (to) => [5n, to, ME]],
    ['withdraw(uint256,address,address)', (to) => [5n, to, ME]],
    ['deposit(uint256,address)', (to) => [5n, to]],
    ['mint(uint256,address)', (to) => [5n, to]],
    ['withdrawTo(address,uint256)', (to) => [to, THOUSAND]],
    ['withdrawTo(address,address,uint256)', (to) => [to, TOKEN, 5n]],
    ['withdraw(address,uint256,address)', (to) => [TOKEN, 5n, to]],
    ['swapExactTokensForTokens(uint256,uint256,address[],address,uint256)', (to) => [5n, 0n, path, to, 1n]],
    ['swapExactETHForTokens(uint256,address[],address,uint256)', (to) => [5n, path, to, 1n]],
    [
      'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))',
      (to) => [[TOKEN, ME, 5, to, 1n, 1n, 0n, 0n]],
    ],
    ['exactInput((bytes,address,uint256,uint256,uint256))', (to) => [['0x11', to, 1n, 1n, 0n]]],
    ['removeLiquidityETH(address,uint256,uint256,uint256,address,uint256)', (to) => [TOKEN, 1n, 0n, 0n, to, 1n]],
    ['unwrapWETH9(uint256,address)', (to) => [1n, to]],
    ['collect((uint256,address,uint128,uint128))', (to) => [[1n, to, 1n, 1n]]],
    ['exchange(int128,int128,uint256,uint256,address)', (to) => [0n, 1n, 1n, 0n, to]],
  ])('is flagged when someone else gets it: %s', (signature, args) => {
    const foreign = meaningOf(signature, args(EVIL))

    expect(foreign.said).toContainEqual(
      expect.stringMatching(/^WARNING It gives what comes out of it to 0x[eE]{40}, not to/),
    )
    expect(foreign.receivers).toContain(EVIL)
    expect(meaningOf(signature, args(ME)).said).toEqual([])
  })

  const small = (number: number): string => `0x${String(number).padStart(40, '0')}`
  const first = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint256,uint160))'
  const later = 'exactInputSingle((address,address,uint24,address,uint256,uint256,uint160))'
  const collect = 'collect((uint256,address,uint128,uint128))'
  const swapped = '(address,address,address,address,uint256,uint256,uint256)'

  it.each<[string, string, (to: string) => readonly unknown[], readonly number[]]>([
    ['the zero address', 'withdrawTo(address,uint256)', (to) => [to, THOUSAND], [0, 1, 2]],
    ['addresses of no key', 'deposit(uint256,address)', (to) => [5n, to], [0, 1, 2]],
    ['those that the first router takes as they are', first, (to) => [[TOKEN, ME, 5, to, 1n, 1n, 0n, 0n]], [1, 2]],
    ['that which the later router takes as it is', later, (to) => [[TOKEN, ME, 5, to, 1n, 0n, 0n]], [0]],
  ])('is flagged when nobody gets it: %s', (_what, signature, args, receivers) => {
    for (const receiver of receivers.map(small)) {
      expect(meaningOf(signature, args(receiver)).said).toEqual([
        `WARNING It gives what comes out of it to ${receiver}, not to the account`,
      ])
    }
  })

  it.each<[string, (to: string) => readonly unknown[], number]>([
    [later, (to) => [[TOKEN, ME, 5, to, 1n, 0n, 0n]], 1],
    [`swap(address,${swapped} desc,bytes)`, (to) => [ME, [TOKEN, ME, ME, to, 1n, 1n, 0n], '0x'], 0],
  ])('is the account that the contract writes in its own way: %s', (signature, args, caller) => {
    expect(meaningOf(signature, args(small(caller))).said).toEqual([])
  })

  it.each<[string, (to: string) => readonly unknown[], number]>([
    [first, (to) => [[TOKEN, ME, 5, to, 1n, 1n, 0n, 0n]], 0],
    [later, (to) => [[TOKEN, ME, 5, to, 1n, 0n, 0n]], 2],
    [collect, (to) => [[1n, to, 1n, 1n]], 0],
    ['execute(bytes,bytes[])', (to) => ['0x00', [`0x${to.slice(2).padStart(64, '0')}${'0'.repeat(256)}`]], 2],
  ])('is flagged when the contract keeps it for whoever comes next: %s', (signature, args, itself) => {
    expect(meaningOf(signature, args(small(itself))).said).toEqual([
      `WARNING It gives what comes out of it to ${TOKEN}, not to the account`,
    ])
  })

  const swapTo = (receiver: number, amount = 1n) => callOf(later, [[TOKEN, ME, 5, small(receiver), amount, 0n, 0n]])

  it.each<[string, readonly string[]]>([
    ['unwrapped', [swapTo(2), callOf('unwrapWETH9(uint256,address)', [1n, ME])]],
    ['swept', [swapTo(2), callOf('sweepToken(address,uint256)', [ME, 1n])]],
    ['swapped again', [swapTo(2), callOf(later, [[ME, TOKEN, 5, small(1), 0n, 0n, 0n]])]],
  ])('stays in the router for the call that follows: %s', (_what, calls) => {
    expect(meaningOf('multicall(bytes[])', [calls]).said).toEqual([])
  })

  it.each<[string, readonly string[]]>([
    ['alone', [swapTo(2)]],
    ['before the swap', [callOf('sweepToken(address,uint256)', [ME, 1n]), swapTo(2)]],
    ['of another token', [swapTo(2), callOf('sweepToken(address,uint256)', [OTHER, 1n])]],
    ['by a swap that the account pays', [swapTo(2), callOf(later, [[ME, TOKEN, 5, small(1), 1n, 0n, 0n]])]],
    ['LAX alone', [swapTo(2), callOf('refundETH()', [])]],
    [
      'of two tokens one',
      [callOf(collect, [[1n, small(0), 1n, 1n]]), callOf('unwrapWETH9(uint256,address)', [1n, ME])],
    ],
  ])('is flagged when no later call of a batch takes it out: %s', (_what, calls) => {
    expect(meaningOf('multicall(bytes[])', [calls]).said).toEqual([
      `WARNING A call inside it gives what comes out of it to ${TOKEN}, not to the account`,
    ])
  })

  const hop = (receiver: string, paysItself = false) =>
    [word(receiver), word(1n), word(0n), word(160n), word(paysItself ? 0n : 1n)].join('') +
    word(43n) +
    `${TOKEN.slice(2)}000bb8${ME.slice(2)}`.padEnd(128, '0')
  const sweep = (token: string) => word(token) + word(ME) + word(1n)

  it.each<[string, string, readonly string[], number]>([
    ['swept', '0x0004', [hop(small(2)), sweep(ME)], 0],
    ['unwrapped', '0x000c', [hop(small(2)), word(ME) + word(1n)], 0],
    ['wrapped, then swapped', '0x0b00', [word(small(2)) + word(1n), hop(small(1), true)], 0],
    ['nobody takes it', '0x0002', [hop(small(2)), word(TOKEN) + word(small(1)) + word(1n)], 1],
    ['another token is swept', '0x0004', [hop(small(2)), sweep(OTHER)], 1],
    ['wrapped for nobody', '0x0b00', [word(small(2)) + word(1n), hop(small(1))], 1],
  ])('is followed through the commands of the router: %s', (_what, kinds, inputs, found) => {
    const { said } = meaningOf('execute(bytes,bytes[])', [kinds, inputs.map((input) => `0x${input}`)])

    expect(said).toEqual(Array(found).fill(`WARNING It gives what comes out of it to ${TOKEN}, not to the account`))
  })

  it.each<[string, string, string, readonly string[]]>([
    ['to a stranger', '0x02', word(OTHER) + word(EVIL) + word(5n), ['moves']],
    ['to a stranger, in a batch', '0x0d', [32n, 1n, ME, EVIL, 5n, OTHER].map(word).join(''), ['moves']],
    ['to the account', '0x02', word(OTHER) + word(small(1)) + word(5n), []],
    ['to the router, which keeps it', '0x02', word(OTHER) + word(small(2)) + word(5n), ['gives']],
    ['what no name is known of', '0x13', word(1n), ['carries']],
    ['with a bit that no name is known of', '0x40', hop(ME), ['carries']],
  ])('is a finding for each command of the router that no decoded call shows: %s', (_what, kinds, input, found) => {
    const { said } = meaningOf('execute(bytes,bytes[])', [kinds, [`0x${input}`]])
    const sentences: Readonly<Record<string, RegExp>> = {
      moves: /^WARNING It moves up to 5 units of the token 0xaA\w{38} from \S+(?: account)? to 0x[eE]{40}$/i,
      gives: /^WARNING It gives what comes out of it to 0x7{40}, not to the account$/,
      carries: /^WARNING It carries out the command 0x[14][03] of a router, which may move/,
    }

    expect(said).toEqual(found.map((each) => expect.stringMatching(sentences[each] ?? /^$/)))
  })

  it('is flagged in a command of the router', () => {
    const swap = `0x${EVIL.slice(2).padStart(64, '0')}${'0'.repeat(64 * 4)}`
    const { said } = meaningOf('execute(bytes,bytes[],uint256)', ['0x00', [swap], 1n])

    expect(said).toEqual([expect.stringMatching(/^WARNING It gives what comes out of it to 0x[eE]{40}/)])
    expect(meaningOf('execute(bytes,bytes[],uint256)', ['0x3f', ['0x'], 1n]).notUnderstood).toEqual([
      'the command 0x3f of the router',
    ])
  })

  it.each<[string, readonly unknown[], string]>([
    ['approveDelegation(address,uint256)', [EVIL, MAX], 'CRITICAL'],
    ['setAuthorization(address,bool)', [EVIL, true], 'CRITICAL'],
    ['allow(address,bool)', [EVIL, true], 'CRITICAL'],
  ])('may be taken by someone: %s', (signature, args, severity) => {
    expect(meaningOf(signature, args).said[0]).toMatch(new RegExp(`^${severity} It lets 0x[eE]{40} take`))
  })

  it("isn't understood for an unknown method, whatever it is called", () => {
    expect(meaningOf('claim()', [], 5n).notUnderstood).toEqual([`the method 0x4e71d92d of ${TOKEN}`])
  })
})
