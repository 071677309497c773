// Every method of prlx: ours answers it, or gives the reason why it is missing. Methods for developers and
// operators are compared with prlx in PEER_PROGRAMS (a folder), if any.
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { createMethodTable } from '../../src/node/rpc/methods/all-methods'
import { REFUSED_SUBSCRIPTIONS } from '../../src/node/rpc/methods/refused-methods'
import { ask, type Json } from '../json-rpc'
import { newFolder } from './practice-node'
import { QueryNode } from './query-node'
import { HAS_REFERENCE, ReferenceNode } from './reference/reference-node'
import { VECTORS } from './rpc-cases/case-node'

const listed = z
  .object({ methods: z.array(z.string()), subscriptions: z.array(z.string()) })
  .parse(JSON.parse(readFileSync(join(VECTORS, 'reference-methods.json'), 'utf8')))
const table = createMethodTable()
const OWN_SUBSCRIPTIONS = ['eth.logs', 'eth.newHeads', 'eth.newPendingTransactions', 'eth.syncing']

describe("prlx's methods", () => {
  it('are all here, or refused with a reason', ({ task }) => {
    task.meta.cases = listed.methods.length
    expect(listed.methods.length).toBe(159)
    expect(listed.methods.filter((name) => !table.has(name))).toEqual([])
    const known = [...OWN_SUBSCRIPTIONS, ...REFUSED_SUBSCRIPTIONS.keys()]
    expect(listed.subscriptions.filter((name) => !known.includes(name))).toEqual([])
  })

  it("refuse nothing that prlx doesn't have, and explain why", () => {
    const refused = [...table].filter(([, { refusal }]) => refusal !== undefined)
    expect(refused.map(([name]) => name).filter((name) => !listed.methods.includes(name))).toEqual([])
    for (const [name, { refusal }] of refused) expect(refusal, name).toMatch(/^\S+ \S+ \S+/)
  })
})

describe('a node over the recorded chain', () => {
  const chain = { folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 }
  const ours = new QueryNode(chain)
  const theirs = new ReferenceNode()
  const folder = newFolder()
  beforeAll(async () => {
    const files = { genesis: join(VECTORS, 'genesis.json'), blocks: join(VECTORS, 'chain.rlp'), networkId: 3110 }
    await Promise.all([ours.start(), HAS_REFERENCE ? theirs.start(files) : null])
  })
  afterAll(async () => {
    await Promise.all([ours.stop(), theirs.stop()])
    rmSync(folder, { recursive: true })
  })
  const mine = (method: string, ...params: unknown[]): Promise<Json> => ask(ours.url(), method, params)
  const both = async (method: string, ...params: unknown[]) =>
    Promise.all([mine(method, ...params), ask(theirs.urls.http, method, params)])

  it("gives the reason for what it doesn't do", async () => {
    const { error } = await mine('debug_memStats')
    expect(error).toEqual({ code: -32000, message: expect.stringContaining('Go runtime') })
  })

  it('dumps accounts page by page, each once, matching other methods', async () => {
    const names: string[] = []
    let next: string | undefined = ''
    while (next !== undefined) {
      const { result }: Json = await mine('debug_accountRange', 'latest', next, 10, true, true, false)
      names.push(...Object.keys(result.accounts))
      next = result.next
    }
    const { result: whole }: Json = await mine('debug_dumpBlock', 'latest')

    expect(new Set(names).size).toBe(names.length)
    expect([...names].sort()).toEqual(Object.keys(whole.accounts).sort())
    for (const [address, account] of Object.entries<Json>(whole.accounts)) {
      const { result: balance }: Json = await mine('eth_getBalance', address, 'latest')
      expect(BigInt(balance).toString()).toBe(account.balance)
      for (const [slot, value] of Object.entries(account.storage ?? {})) {
        const { result: stored }: Json = await mine('eth_getStorageAt', address, slot, 'latest')
        expect(BigInt(stored)).toBe(BigInt(`0x${value}`))
      }
    }
  })

  it('creates an access list only for callers who can pay, at the usual price', async () => {
    const head: Json = (await mine('eth_getBlockByNumber', '0x2a', true)).result
    const rich = head.transactions[0].from
    const poor = `0x${'77'.repeat(20)}`
    const listed = (from: string, more: object): Json => ['eth_createAccessList', { from, to: poor, ...more }, 'latest']
    const asked = [
      listed(rich, {}),
      listed(poor, {}),
      listed(poor, { gasPrice: '0x1' }),
      listed(poor, { gasPrice: '0x0' }),
    ]
    const answers: Json[] = []
    for (const [method, ...params] of asked) answers.push(await mine(method, ...params))

    const unpaid = expect.objectContaining({
      error: { code: -32000, message: 'insufficient funds for transfer' },
    })
    const done = expect.objectContaining({ result: { accessList: [], gasUsed: '0x5208' } })
    expect(answers).toEqual([done, unpaid, unpaid, done])
    const withGas = (await mine('eth_createAccessList', { from: poor, to: poor, gas: '0x186a0' }, 'latest')).error
    expect(withGas.message).toMatch(/insufficient funds for gas/)
    if (!HAS_REFERENCE) return
    for (const [index, [method, ...params]] of asked.entries())
      expect(answers[index]).toEqual(await ask(theirs.urls.http, method, params))
  })

  it.skipIf(!HAS_REFERENCE)('has the methods that prlx has', async () => {
    const missing: string[] = []
    for (const name of listed.methods) {
      // This many arguments are too many for any method: it is found, and not run.
      const { error }: Json = await ask(theirs.urls.http, name, Array(12).fill({}))
      if (error?.code === -32601) missing.push(name)
    }
    expect(missing).toEqual([])
    const { result: modules }: Json = await ask(theirs.urls.http, 'rpc_modules', [])
    const ourNamespaces = new Set([...table.keys()].map((name) => name.slice(0, name.indexOf('_'))))
    expect(Object.keys(modules).filter((name) => !ourNamespaces.has(name))).toEqual([])
  })

  it.skipIf(!HAS_REFERENCE)('gives the same states and changes as prlx', async () => {
    for (let number = 0; number <= 42; number++) {
      const at = `0x${number.toString(16)}`
      const [dump, theirDump] = await both('debug_dumpBlock', at)
      // Accounts and slots that no longer exist have no preimage in our node.
      for (const [address, account] of Object.entries(dump.result.accounts))
        expect(nameless(account), `${address} at ${number}`).toEqual(nameless(theirDump.result.accounts[address]))
      expect(dump.result.root).toBe(theirDump.result.root)
    }
    const [head, theirHead] = await both('debug_dumpBlock', 'latest')
    expect(head).toEqual(theirHead)
    for (const args of [
      ['latest', '', 3, true, true, false],
      ['latest', null, -1, false, true, false],
      ['latest', '0x00', 7, true, false, true],
      ['latest', [200, 1], 300, false, false, false],
      ['latest', '', null, false, false, false],
    ]) {
      const [range, theirRange] = await both('debug_accountRange', ...args)
      expect(range, JSON.stringify(args)).toEqual(theirRange)
    }
    for (const [method, ...args] of [
      ['debug_dumpBlock', '0x100'],
      ['debug_accountRange', `0x${'11'.repeat(32)}`, '', 1, false, false, false],
      ['debug_accountRange', 'latest', '', 1, false, false],
      ['debug_getModifiedAccountsByHash', `0x${'11'.repeat(32)}`],
      ['debug_getBadBlocks'],
      ['debug_setHead', '0x100'],
      ['debug_setHead'],
      ['eth_feeHistory', 2 ** 53, '0x17', []],
      ['eth_feeHistory', String(2n ** 53n + 1n), '0x17', []],
      ['eth_feeHistory', String(2n ** 63n), '0x17', []],
      ['eth_feeHistory', '0x8000000000000000', '0x17', []],
      ['eth_feeHistory', 2 ** 63, '0x17', []],
    ] as const) {
      const [answer, theirAnswer] = await both(method, ...args)
      expect(answer, `${method} ${args}`).toEqual(theirAnswer)
    }
    let compared = 0
    for (let number = 1; number <= 42; number++) {
      const { hash } = (await mine('eth_getBlockByNumber', `0x${number.toString(16)}`, false)).result
      const [changed, theirChanged] = await both('debug_getModifiedAccountsByHash', hash)
      // It fails if it never saw a name; so the comparison has to happen often enough.
      if (!Array.isArray(theirChanged.result)) continue
      compared++
      expect([...changed.result].sort(), `block ${number}`).toEqual([...theirChanged.result].sort())
    }
    expect(compared).toBeGreaterThan(20)
  })

  it('stores rejected blocks, and shows and traces them', async () => {
    const { result: raw }: Json = await mine('debug_getBlockRlp', 42)
    const bytes = Buffer.from(raw.slice(2), 'hex')
    const { stateRoot, hash } = (await mine('eth_getBlockByNumber', '0x2a', true)).result
    const at = bytes.indexOf(Buffer.from(stateRoot.slice(2), 'hex'))
    bytes.fill(9, at, at + 32)
    const file = join(folder, 'bad.rlp')
    writeFileSync(file, bytes)

    expect((await mine('debug_setHead', '0x29')).result).toBeNull()
    const report = await ours.node.importBlocks(bytes)

    expect(report.refused?.reason).toMatch(/^invalid merkle root/)
    const { result: bad }: Json = await mine('debug_getBadBlocks')
    expect(bad).toEqual([
      {
        hash: expect.not.stringMatching(hash),
        rlp: `0x${bytes.toString('hex')}`,
        block: expect.objectContaining({ number: '0x2a' }),
      },
    ])
    const { result: traces }: Json = await mine('debug_traceBadBlock', bad[0].hash, { tracer: 'callTracer' })
    expect(traces).toHaveLength(bad[0].block.transactions.length)
    if (!HAS_REFERENCE) return
    await ask(theirs.urls.http, 'debug_setHead', ['0x29'])
    await ask(theirs.urls.http, 'admin_importChain', [file])
    const [shown, theirShown] = await both('debug_getBadBlocks')
    const { sha3Uncles: _hash, uncles: _list, ...block } = shown.result[0].block
    expect({ ...shown.result[0], block }).toEqual(theirShown.result[0])
    const [traced, theirTraced] = await both('debug_traceBadBlock', bad[0].hash, { tracer: 'callTracer' })
    expect(traced).toEqual(theirTraced)
  })

  it('rewinds the chain to a block from which it can continue', async () => {
    expect((await mine('debug_setHead', '0x14')).result).toBeNull()
    expect((await mine('eth_blockNumber')).result).toBe('0x14')
    expect((await mine('eth_getBlockByNumber', '0x15', false)).result).toBeNull()

    const report = await ours.node.importBlocks(readFileSync(join(VECTORS, 'chain.rlp')))

    expect([report.refused, report.added, report.known]).toEqual([null, 22, 20])
    expect((await mine('eth_blockNumber')).result).toBe('0x2a')
  })
})

function nameless({ storage, ...account }: Json) {
  return { ...account, slots: Object.values(storage ?? {}).sort() }
}
