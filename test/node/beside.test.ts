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

const stateOf = ({ node }: QueryNode): BesideState['state'] | undefined => node.beside()?.state

describe('the node beside, over real sockets', () => {
  const other = new QueryNode(chain)
  beforeAll(() => other.start())
  afterAll(() => other.stop())

  it('agrees with a node that has the same chain', { timeout: 60_000 }, async () => {
    const ours = new QueryNode({ ...chain, beside: other.url() })
    try {
      await ours.start()
      const url = other.url().replace(/\/$/, '')
      const wanted = { url, state: 'agrees', checkedTo: 42, differences: [], reason: '' }
      await expect.poll(() => ours.node.beside()).toMatchObject(wanted)
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
    try {
      await ours.start()
      await expect.poll(() => stateOf(ours)).toBe('differs')
      const where = expect.stringMatching(/ cumulativeGasUsed$/)
      expect(ours.node.beside()?.differences[0]).toMatchObject({ what: 'receipts', where, theirs: '0x1' })
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
      await expect.poll(() => stateOf(ours)).toBe('unreachable')
      expect(ours.node.beside()?.reason).toMatch(/cannot be reached: connection refused$/)
    } finally {
      await ours.stop()
    }
  })
})
