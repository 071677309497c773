import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { rpcExchange } from '../net/rpc-client'
import { type BesideCall, BesideNode, type BesideSide, batchSide } from './beside-node'

const hex = (value: number): string => `0x${value.toString(16)}`
const SENDER = `0x${'5e'.repeat(20)}`

type Json = Record<string, unknown>

/** A chain that answers as a node does; its blocks, receipts, logs and balances can be replaced. */
class Chain {
  height = 20
  id = '0x1'
  readonly blocks = new Map<number, Json>()
  readonly receipts = new Map<string, Json | null>()
  readonly balances = new Map<string, string | null>()
  logs: Json[] = [{ address: SENDER, topics: [], data: '0x', logIndex: '0x0', removed: false }]
  asked = 0

  block(number: number): Json | null {
    if (number > this.height) return null
    const hash = `0xb10c${number}`
    const transactions = [{ hash: `0x7a${number}`, from: SENDER, to: null }]
    return this.blocks.get(number) ?? { number: hex(number), hash, miner: SENDER, stateRoot: '0x1', transactions }
  }

  answer([method, first, second]: BesideCall): unknown {
    this.asked++
    if (method === 'eth_chainId') return this.id
    if (method === 'eth_blockNumber') return hex(this.height)
    if (method === 'eth_getBlockByNumber') return this.block(Number(first))
    if (method === 'eth_getLogs') return this.logs
    if (method === 'eth_getTransactionReceipt') {
      const plain = { transactionHash: first, status: '0x1', gasUsed: '0x5208', logs: [] }
      return this.receipts.has(String(first)) ? this.receipts.get(String(first)) : plain
    }
    const balance = this.balances.get(`${String(first)} ${Number(second)}`)
    return balance === undefined ? '0x64' : balance
  }

  readonly side: BesideSide = async (calls) => calls.map((call) => this.answer(call))
}

function bench(theirs: BesideSide | Chain = new Chain()) {
  const ours = new Chain()
  const records: LogRecord[] = []
  const log = createLogger('beside', {
    minLevel: 'info',
    now: () => 0,
    sink: { write: (one) => void records.push(one) },
  })
  const other = theirs instanceof Chain ? theirs.side : theirs
  const clock = new FakeClock(1_000)
  const deps = { ours: ours.side, theirs: other, head: () => ours.height, clock, log }
  const node = new BesideNode('http://b.example:8545/secret', deps)
  const differed = () => node.state().differences
  const lines = () => records.map(({ message }) => message)
  return { ours, theirs: theirs as Chain, node, clock, differed, lines }
}

describe('the node beside', () => {
  it('is compared block by block, and agrees', async () => {
    const { ours, theirs, node, lines } = bench()
    expect(node.state()).toMatchObject({ state: 'starting', reason: 'not asked yet', checkedTo: null })

    await node.poll()
    expect(node.state()).toMatchObject({ url: 'http://b.example:8545', state: 'agrees', checkedTo: 20, theirHead: 20 })
    ours.height = theirs.height = 25
    await node.poll()

    expect(node.state()).toMatchObject({ checkedTo: 25, counts: { same: 6, different: 0, unanswered: 0, skipped: 0 } })
    expect(lines()).toEqual([])
  })

  it.each([
    ['header', (chain: Chain) => chain.blocks.set(20, { ...chain.block(20), stateRoot: '0x2' }), 'stateRoot'],
    ['header', (chain: Chain) => chain.blocks.set(20, { ...chain.block(20), extraData: '0x2' }), 'extraData'],
    ['logs', (chain: Chain) => void chain.logs.push({ address: SENDER }), 'log 1 address'],
    ['logs', (chain: Chain) => void chain.logs.pop(), 'log 0 address'],
    [
      'receipts',
      (chain: Chain) => chain.receipts.set('0x7a20', { transactionHash: '0x7a20', status: '0x0' }),
      '0x7a20 status',
    ],
    ['receipts', (chain: Chain) => chain.receipts.set('0x7a20', null), '0x7a20 transactionHash'],
    ['balance', (chain: Chain) => chain.balances.set(`${SENDER} 20`, '0x65'), SENDER],
  ])('differs in its %s', async (what, spoil, where) => {
    const { theirs, node, differed, lines } = bench()
    spoil(theirs)

    await node.poll()
    await node.poll()

    expect(differed()).toMatchObject([{ height: 20, what, where, isHealed: false }])
    expect(node.state()).toMatchObject({ state: 'differs', counts: { different: 1 } })
    expect(lines()).toEqual(['the node beside differs'])
    theirs.height = 21 // later blocks that are alike don't hide it
    await node.poll()
    expect(node.state().state).toBe('differs')
  })

  it('may have another block at the head, but not six blocks below it; and heals', async () => {
    const { ours, theirs, node, differed, lines } = bench()
    for (let height = 20; height <= 27; height++)
      theirs.blocks.set(height, { ...theirs.block(20), hash: `0xf0${height}` })
    await node.poll()
    expect([node.state().state, differed()]).toEqual(['starting', []])

    ours.height = theirs.height = 26
    await node.poll()
    expect(differed()).toMatchObject([{ height: 20, what: 'head', ours: '0xb10c20', theirs: '0xf020' }])
    ours.height = theirs.height = 27
    await node.poll()
    expect(differed()).toHaveLength(1) // those above it differ because it does

    theirs.blocks.clear()
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'agrees', differences: [{ isHealed: true }], checkedTo: 27 })
    expect(lines()).toEqual(['the node beside differs', 'the node beside has the same chain again'])
  })

  it('is compared again where blocks were replaced', async () => {
    const { node, theirs } = bench()
    await node.poll()
    theirs.balances.set(`${SENDER} 19`, '0x1')
    node.replaced(19)
    await node.poll()

    expect(node.state().differences).toMatchObject([{ height: 19, what: 'balance' }])
  })

  it('is named when nothing is known: unreachable, another chain, an answer that is missing', async () => {
    const lost = bench(async () => {
      throw new Error('b cannot be reached: refused')
    })
    await lost.node.poll()
    await lost.node.poll()
    expect(lost.node.state()).toMatchObject({ state: 'unreachable', reason: 'b cannot be reached: refused' })
    expect(lost.lines()).toEqual(['the node beside cannot be compared'])

    const other = bench()
    other.theirs.id = '0x2'
    await other.node.poll()
    expect(other.node.state()).toMatchObject({ state: 'other chain', checkedTo: null })
    expect(other.node.state().reason).toContain('theirs is chain 0x2')

    const pruned = bench()
    const { side } = pruned.theirs
    const failing: BesideSide = async (calls, signal) => {
      if (calls.some(([method]) => method === 'eth_getBalance')) throw new Error('eth_getBalance: missing trie node')
      return side(calls, signal)
    }
    const half = bench(failing)
    await half.node.poll()
    expect(half.node.state()).toMatchObject({ state: 'unanswered', counts: { same: 0, unanswered: 1 } })
    expect(half.node.state().reason).toBe('block 20: eth_getBalance: missing trie node')
  })

  it.each([
    ['theirs stands still', (ours: Chain) => ours, "our head is block 27, the other node's is block 20"],
    ['ours stands still', (_: Chain, theirs: Chain) => theirs, "our head is block 20, the other node's is block 27"],
  ])('does not agree about the latest blocks while %s', async (_, ahead, reason) => {
    const { ours, theirs, node, lines } = bench()
    const far = ahead(ours, theirs)
    far.height = 26
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'agrees', checkedTo: 20 })

    far.height = 27
    await node.poll()
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'unanswered', reason, checkedTo: 20, counts: { same: 1 } })
    expect(lines()).toEqual(['the node beside is far from our head: the latest blocks are not compared'])

    ours.height = theirs.height = 27
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'agrees', reason: '', checkedTo: 27 })
  })

  it.each([
    ['receipt', (chain: Chain) => chain.receipts.set('0x7a20', null), 'neither has the receipt of 0x7a20'],
    ['balance', (chain: Chain) => chain.balances.set(`${SENDER} 20`, null), `neither has the balance of ${SENDER}`],
    ['list of logs', (chain: Chain) => Object.assign(chain, { logs: null }), 'eth_getLogs: no list of logs: null'],
  ])('does not take a missing %s on both sides for the same', async (_, spoil, reason) => {
    const { ours, theirs, node } = bench()
    for (const chain of [ours, theirs]) spoil(chain)
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'unanswered', reason: `block 20: ${reason}`, counts: { same: 0 } })
  })

  it('tells a difference though something else is missing on both sides', async () => {
    const { ours, theirs, node } = bench()
    for (const chain of [ours, theirs]) {
      Object.assign(chain, { logs: null })
      chain.receipts.set('0x7a20', null)
    }
    theirs.blocks.set(20, { ...theirs.block(20), stateRoot: '0x2' })
    await node.poll()
    expect(node.state()).toMatchObject({ state: 'differs', differences: [{ what: 'header', where: 'stateRoot' }] })
  })

  it('does not get more blocks at once than it can answer, and what is passed over is counted', async () => {
    const { ours, theirs, node, lines } = bench()
    await node.poll()
    ours.height = theirs.height = 5_000
    await node.poll()

    expect(node.state().counts).toMatchObject({ skipped: 5_000 - 21 - 2_048, same: 33 })
    expect(lines()).toEqual(['blocks are not compared with the node beside'])
  })

  it('that stalls is given up after 20 seconds, and asked again', async () => {
    const stalling: BesideSide = (_calls, signal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
    const { node, clock } = bench(stalling)
    const polled = node.poll()
    await node.poll() // one at a time
    clock.advance(20_000)
    await polled

    expect(node.state()).toMatchObject({ state: 'unreachable', reason: 'no answer within 20 s' })
  })
})

describe('a side over HTTP', () => {
  const servers: Server[] = []
  afterEach(() => {
    for (const server of servers.splice(0)) server.close()
  })

  /** @param reply text of the answer to a request's text */
  async function sideOf(reply: (body: string) => string): Promise<BesideSide> {
    const server = createServer((request, response) => {
      let body = ''
      request.on('data', (part) => {
        body += part
      })
      request.on('end', () => response.end(reply(body)))
    })
    servers.push(server)
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return batchSide(rpcExchange(`http://127.0.0.1:${(server.address() as AddressInfo).port}`))
  }
  const ask = (side: BesideSide) => side([['a'], ['b', 1]], new AbortController().signal)

  it('matches the answers of a batch by their ids, in any order', async () => {
    const side = await sideOf((body) =>
      JSON.stringify(
        JSON.parse(body)
          .reverse()
          .map(({ id, method, params }: Json) => ({ id, result: [method, params] })),
      ),
    )
    expect(await ask(side)).toEqual([
      ['a', []],
      ['b', [1]],
    ])
  })

  it.each([
    ['<html>', /JSON/],
    ['{"error":{"code":-32600,"message":"batches are off"}}', /no list of answers: .*batches are off/],
    ['[]', /a: no answer/],
    ['[{"id":0,"result":1}]', /b: no answer/],
    ['[{"id":0,"result":1},{"id":1,"error":{"message":"limit exceeded"}}]', /b: limit exceeded/],
    ['[{"id":"0","result":1},{"id":"1","result":1}]', /a: no answer/],
  ])('rejects %s', async (text, reason) => {
    await expect(ask(await sideOf(() => text))).rejects.toThrow(reason)
  })
})
