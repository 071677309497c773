// `--beside` over real sockets: two nodes with the same chain, and a liar between them.
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { rpcExchange } from '../../src/net/rpc-client'
import type { BesideState } from '../../src/node/beside-node'
import { QueryNode } from './query-node'
import { VECTORS } from './rpc-cases/case-node'

const chain = { folder: VECTORS, blocks: 'chain.rlp', networkId: 3110 }

/** Hands requests on to `url`, and changes the text of the answers. */
async function startLiar(url: string, lie: (text: string) => string): Promise<{ server: Server; url: string }> {
  const exchange = rpcExchange(url)
  const server = createServer((request, response) => {
    let body = ''
    request.on('data', (part) => {
      body += part
    })
    request.on('end', () => {
      exchange(body, new AbortController().signal).then(
        (text) => response.end(lie(text)),
        () => response.destroy(),
      )
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

/** The first state that `isWanted`. */
function reached({ node }: QueryNode, isWanted: (state: BesideState) => boolean): Promise<BesideState> {
  const now = node.beside()
  if (now !== null && isWanted(now)) return Promise.resolve(now)
  return new Promise((done) => {
    const listening = node.events.on('besideChanged', (state) => {
      if (!isWanted(state)) return
      listening.dispose()
      done(state)
    })
  })
}

describe('the node beside, over real sockets', () => {
  const other = new QueryNode(chain)
  beforeAll(() => other.start())
  afterAll(() => other.stop())

  it('agrees with a node that has the same chain', { timeout: 60_000 }, async () => {
    const ours = new QueryNode({ ...chain, beside: other.url() })
    try {
      await ours.start()
      const state = await reached(ours, ({ state: now, checkedTo }) => now === 'agrees' && checkedTo === 42)
      expect(state).toMatchObject({ url: other.url().replace(/\/$/, ''), differences: [], reason: '' })
    } finally {
      await ours.stop()
    }
    expect(ours.node.beside()).toBeNull()
  })

  it('tells a difference, with what both say', { timeout: 60_000 }, async () => {
    const liar = await startLiar(other.url(), (text) =>
      text.replace(/"cumulativeGasUsed":"0x[0-9a-f]+"/, '"cumulativeGasUsed":"0x1"'),
    )
    const ours = new QueryNode({ ...chain, beside: liar.url })
    const told = new Promise((done) => ours.node.events.on('besideDiffered', done))
    try {
      await ours.start()
      await reached(ours, ({ state: now }) => now === 'differs')
      const where = expect.stringMatching(/ cumulativeGasUsed$/)
      expect(await told).toMatchObject({ what: 'receipts', where, theirs: '0x1' })
    } finally {
      await ours.stop()
      liar.server.close()
    }
  })

  it('is not taken to agree when it is gone', { timeout: 60_000 }, async () => {
    const { server, url } = await startLiar(other.url(), (text) => text)
    await new Promise((done) => server.close(done))
    const ours = new QueryNode({ ...chain, beside: url })
    try {
      await ours.start()
      const state = await reached(ours, ({ state: now }) => now === 'unreachable')
      expect(state.reason).toMatch(/cannot be reached: connection refused$/)
    } finally {
      await ours.stop()
    }
  })
})
