// Descriptors: what they add to a call, which files are rejected, and that nothing they say changes a warning.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Interface } from 'ethers'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOfHex } from '../../base/hex'
import { createLogger, type LogRecord } from '../../base/logger'
import { parseSignature } from '../abi/signature'
import type { TransactionRequest } from '../model/transaction'
import { DescriptorFolder, parseDescriptor } from './descriptor-folder'

const PERMIT2 = '0x000000000022D473030F116dDEE9F6B43aC78BA3'
const CONTRACT = `0x${'ab'.repeat(20)}`
const TOKEN = `0x${'11'.repeat(20)}`
const PERSON = `0x${'22'.repeat(20)}`
const SWAP = 'swap(address to,uint256 amount,(address token,uint48 until)[] legs,uint8 mode)'
const abi = new Interface([
  `function ${SWAP.replace('(address token,uint48 until)[] legs', 'tuple(address token,uint48 until)[] legs')}`,
])
const LEGS = [[TOKEN, 1_700_000_000]]

const field = (path: string, label: string, more = {}) => ({ path, label, ...more })
const file = (
  change: { fields?: unknown; formats?: unknown; deployments?: unknown; owner?: string; more?: object } = {},
) => ({
  context: { contract: { deployments: change.deployments ?? [{ chainId: 2110, address: CONTRACT }] } },
  metadata: { owner: change.owner ?? 'Tester', enums: { modes: { 1: 'all or nothing' } } },
  display: {
    formats: change.formats ?? {
      [SWAP]: {
        intent: 'Swap',
        fields: change.fields ?? [
          field('to', 'Receiver', { format: 'addressName' }),
          field('#.amount', 'Amount', { format: 'tokenAmount', params: { tokenPath: 'legs.[0].token' } }),
          field('legs.[0].until', 'Until', { format: 'date', params: { encoding: 'timestamp' } }),
          field('legs', 'Legs'),
          field('mode', 'Mode', { format: 'enum', params: { $ref: '$.metadata.enums.modes' } }),
          field('@.value', 'Coins', { format: 'amount' }),
        ],
      },
    },
  },
  ...change.more,
})

const tx = (data: string, to = CONTRACT): TransactionRequest => ({
  from: { text: PERSON, bytes: bytesOfHex(PERSON) },
  to: { text: to, bytes: bytesOfHex(to.toLowerCase()) },
  gas: 0n,
  gasPrice: 0n,
  maxFeePerGas: null,
  maxPriorityFeePerGas: null,
  value: 1_500_000_000_000_000_000n,
  nonce: 0n,
  data: bytesOfHex(data),
  input: null,
  accessList: null,
  chainId: null,
  methodSignature: null,
})
const call = abi.encodeFunctionData('swap', [PERSON, 5n, LEGS, 1])

describe('a folder of descriptors', () => {
  let folder = ''
  const records: LogRecord[] = []
  const log = createLogger('', {
    minLevel: 'info',
    now: () => 0,
    sink: { write: (record) => void records.push(record) },
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'descriptors-'))
    records.length = 0
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))
  const loaded = async (files: Readonly<Record<string, unknown>>, path: string | null = folder) => {
    for (const [name, content] of Object.entries(files)) {
      writeFileSync(join(folder, name), typeof content === 'string' ? content : JSON.stringify(content))
    }
    const descriptors = new DescriptorFolder(path, { log })
    await descriptors.load()
    return (transaction: TransactionRequest, chainId = 2110n) =>
      descriptors.describe(transaction, chainId).map(({ severity, message }) => `${severity} ${message}`)
  }

  it('adds one line to a call of its contract, with values as specified', async () => {
    const describing = await loaded({ 'a.json': file() })

    expect(describing(tx(call))).toEqual([
      `Info In the words of "Tester": "Swap", "Receiver: ${PERSON}", "Amount: 5 units of ${TOKEN}", ` +
        '"Until: 2023-11-14T22:13:20.000Z", "Legs: 1 items", "Mode: all or nothing", "Coins: 1.5 LAX"',
    ])
  })

  it("ignores other chains, contracts, methods, creations, and data that doesn't decode", async () => {
    const describing = await loaded({ 'a.json': file() })

    expect(describing(tx(call), 1n)).toEqual([])
    expect(describing(tx(call, TOKEN))).toEqual([])
    expect(describing(tx('0xa9059cbb'))).toEqual([])
    expect(describing({ ...tx(call), to: null })).toEqual([])
    expect(describing(tx(call.slice(0, 140)))).toEqual([])
    expect(describing(tx('0x'))).toEqual([])
    expect(describing(tx(`${call}${'00'.repeat(32)}`))).toEqual([])
  })

  it("omits what it can't use, gives the reason, and uses the rest", async () => {
    const describing = await loaded({
      'a.json': '{',
      'b.json': file(),
      'c.json': 'x'.repeat(300_000),
      'd.txt': 'not looked at',
    })

    expect(describing(tx(call))).toHaveLength(1)
    expect(records.map(({ fields }) => fields.reason)).toEqual(['300000 bytes, want up to 262144', 'not JSON'])
    expect((await loaded({}, join(folder, 'missing')))(tx(call))).toEqual([])
    expect((await loaded({}, null))(tx(call))).toEqual([])
  })

  it('has its own words for Permit2', async () => {
    const permit2 = new Interface(['function approve(address token,address spender,uint160 amount,uint48 expiration)'])
    const describing = await loaded({})

    expect(describing(tx(permit2.encodeFunctionData('approve', [TOKEN, PERSON, 7n, 1_700_000_000]), PERMIT2))).toEqual([
      expect.stringContaining('"Let someone take tokens through Permit2"'),
    ])
    expect(records).toEqual([])
  })

  it('reads files that include others beside them: the including one counts, fields are joined by path', async () => {
    const { context, ...common } = file({ fields: [field('to', 'Receiver'), field('mode', 'Mode')] })
    const including = {
      context,
      includes: './common.json',
      display: { formats: { [SWAP]: { fields: [field('to', 'Payee')] } } },
    }
    const describing = await loaded({ 'a.json': including, 'common.json': common })

    expect(describing(tx(call))).toEqual([`Info In the words of "Tester": "Swap", "Payee: ${PERSON}", "Mode: 1"`])
    expect(records).toEqual([])
  })

  it.each([
    ['another folder', '../common.json', 'not in this folder'],
    ['an address', 'https://example.org/common.json', 'not in this folder'],
    ['a missing file', 'missing.json', 'not in this folder'],
    ['itself', 'a.json', 'circle'],
    ['nothing', 7, 'not in this folder'],
  ])('omits a file that includes %s', async (_what, includes, reason) => {
    const describing = await loaded({ 'a.json': { ...file(), includes }, 'b.json': { includes: 'a.json' } })

    expect(describing(tx(call))).toEqual([])
    expect(records.map(({ fields }) => fields.reason)).toContainEqual(expect.stringContaining(reason))
  })

  it('shows no hidden characters and has a limited length', async () => {
    const describing = await loaded({
      'a.json': file({ owner: `Good\u202edoog\u0000${'x'.repeat(900)}`, fields: [field('to', 'A\u200bB\n')] }),
    })

    const [line = ''] = describing(tx(call))
    expect(line).toMatch(/^Info In the words of "Gooddoogx{72}": "Swap", "AB: 0x2{40}"$/)
  })
})

describe('a descriptor', () => {
  it.each([
    ['no JSON', '{', 'not JSON'],
    ['another file', '{"a":1}', 'context'],
    ['one that includes others', file({ more: { includes: './other.json' } }), 'includes'],
    ['one for no contract', file({ deployments: [] }), 'deployments'],
    ['one for something that is no address', file({ deployments: [{ chainId: 2110, address: '0x11' }] }), 'address'],
    ['a format that is not known', file({ fields: [field('to', 'x', { format: 'nftName' })] }), 'format'],
    ['a path to nothing', file({ fields: [field('nobody', 'x')] }), 'names no parameter'],
    ['a list as a whole', file({ fields: [field('legs.[].token', 'x')] }), 'names no parameter'],
    ['a path without end', file({ fields: [field('to.'.repeat(90), 'x')] }), 'path'],
    ['a signature that is none', file({ formats: { 'swap(': { intent: 'x', fields: [] } } }), 'expected'],
    ['types that do not exist', file({ formats: { 'swap(uint7 a)': { intent: 'x', fields: [] } } }), 'uint7'],
    ['tuples without end', file({ formats: { [`f${'('.repeat(900)}`]: { intent: 'x', fields: [] } } }), 'deeper'],
    ['fields without end', file({ fields: Array.from({ length: 41 }, () => field('to', 'x')) }), 'fields'],
  ])("isn't accepted as %s", (_what, content, reason) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content)
    expect(() => parseDescriptor(text)).toThrow(reason)
  })

  it('rejects keywords of the language as parameter names', () => {
    expect(() => parseDescriptor(JSON.stringify(file({ fields: [field('__proto__', 'x')] })))).toThrow(
      'names no parameter',
    )
    expect(parseDescriptor(JSON.stringify(file({ fields: [] }))).methods[0]?.fields).toEqual([])
  })
})

describe('a signature with names', () => {
  it.each([
    ['f()', 'f()'],
    ['f(uint a)', 'f(uint256)'],
    ['f( address to , uint256[2][] xs )', 'f(address,uint256[2][])'],
    ['f((address a,(bytes b)[] c)[] d,bool)', 'f((address,(bytes)[])[],bool)'],
  ])('%s is %s', (text, canonical) => {
    expect(parseSignature(text, true).text).toBe(canonical)
  })

  it.each(['', 'f', 'f(', 'f(uint a', 'f(uint a))', 'f(uint a b)', 'f(,)', '(uint a)'])("%j isn't one", (text) => {
    expect(() => parseSignature(text, true)).toThrow()
  })
})
