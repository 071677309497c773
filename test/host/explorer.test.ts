// What the window requests from a real node about its chain: every transaction traced and found again at its sender,
// blocks with their payouts, the next block, the console, and a node that is stopped and started by hand.
import { resolve } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { contract } from '../../src/contract/contract'
import { SupervisedService } from '../../src/host/system/supervised-service'
import { nodeHandlers } from '../../src/host/ui/node/node-handlers'
import { PRACTICE_CONSENSUS } from '../../src/node/consensus/params'
import { QueryNode } from '../node/query-node'

const folder = resolve(import.meta.dirname, '../vectors/rpc')
const never = new AbortController().signal
const clock = systemClock()
const ACCESS = { control: true, approve: true, canSignIn: false }

describe('the window over a real node', () => {
  const server = new QueryNode({ folder, blocks: 'chain.rlp', networkId: 3110 })
  const { node } = server
  const supervised = new SupervisedService(node, { isFatal: () => false }, { clock, log: silentLogger })
  const part = nodeHandlers({
    node,
    supervised,
    signer: null,
    watched: null,
    consensus: PRACTICE_CONSENSUS,
    listeners: () => [],
    clock,
  })
  const calls = part.calls(ACCESS)
  beforeAll(() => server.start())
  afterAll(() => server.stop())

  const blocks = async () => {
    const { blocks: rows } = await calls['node.blocks']({ from: null, count: 200 }, never)
    const found = await Promise.all(rows.map(({ number }) => calls['node.block']({ id: number }, never)))
    return found.flatMap(({ block }) => (block === null ? [] : [block]))
  }

  it('gives blocks with what their transactions paid', async () => {
    const all = await blocks()
    for (const block of all) {
      const receipts = await Promise.all(block.transactions.map(({ hash }) => calls['node.receipt']({ hash }, never)))
      const paid = receipts.reduce((sum, { receipt }) => sum + BigInt(receipt?.fee ?? 0), 0n)
      expect(block.fees).toBe(paid.toString())
      expect(block.isCanonical).toBe(true)
    }
    expect(all.some(({ fees }) => fees !== '0')).toBe(true)
  })

  it('traces transactions into what the contract allows', async () => {
    const transactions = (await blocks()).flatMap((block) => block.transactions).slice(0, 40)
    let steps = 0
    for (const { hash, from, succeeded } of transactions) {
      const tree = contract.calls['node.trace'].result.parse(await calls['node.trace']({ hash, kind: 'calls' }, never))
      const list = contract.calls['node.trace'].result.parse(await calls['node.trace']({ hash, kind: 'steps' }, never))
      const [top] = tree.kind === 'calls' ? tree.calls : []
      expect(top).toMatchObject({ depth: 0, from })
      expect(top?.error === '').toBe(succeeded)
      steps += list.kind === 'steps' ? list.steps.length : 0
    }
    expect(transactions.length).toBeGreaterThan(10)
    expect(steps).toBeGreaterThan(0)
  })

  it('finds transactions again at their senders', async () => {
    const transaction = (await blocks()).flatMap((block) => block.transactions)[0]
    if (transaction === undefined) throw new Error('a chain without transactions')

    const found = await calls['node.addressHistory']({ address: transaction.from, from: null }, never)

    expect(found.transactions.map(({ hash }) => hash)).toContain(transaction.hash)
    expect(found.transactions.every(({ from, to }) => [from, to].includes(transaction.from))).toBe(true)
  })

  it('shows the next block, and uses the console', async () => {
    const report = contract.calls['node.poolReport'].result.parse(await calls['node.poolReport']({}, never))
    const { answer } = await calls['node.console']({ method: 'eth_blockNumber', params: '' }, never)

    const head = Number(JSON.parse(answer).result)
    expect(report.template).toMatchObject({ number: head + 1, transactions: 0, fees: '0' })
    expect(contract.calls['node.rpcTraffic'].result.parse(await calls['node.rpcTraffic']({}, never))).toEqual({
      methods: [],
    })
  })

  it('stops the node and starts it again at its block', async () => {
    await supervised.stop()
    await calls['node.start']({}, never)
    const before = node.head()?.number

    await calls['node.stop']({}, never)
    expect(node.head()).toBeNull()
    await expect(calls['node.blocks']({ from: null, count: 1 }, never)).rejects.toMatchObject({
      code: 'CHAIN_NOT_OPEN',
    })
    await calls['node.start']({}, never)

    expect(node.head()?.number).toBe(before)
    expect(before).toBeGreaterThan(0)
  })
})
