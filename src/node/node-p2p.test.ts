import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import type { P2pSettings } from './node-options'
import { createNodeP2p, type NodeP2pOptions } from './node-service'

const ENODE = `enode://${'11'.repeat(64)}@10.0.0.1:32110`
const DISCOVERY: P2pSettings['discovery'] = {
  bootnodes: null,
  noDiscover: false,
  dnsTrees: [],
  nat: { kind: 'none', host: null },
  netRestrict: [],
}

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'node-p2p-'))
})
afterEach(() => rm(folder, { recursive: true, force: true }))

/** The layer, and the log while it was created. */
async function layerOf(network: NodeP2pOptions['network'], change: Partial<P2pSettings['discovery']> = {}) {
  const said: string[] = []
  const sink = { write: ({ message }: { readonly message: string }) => void said.push(message) }
  const log = createLogger('test', { minLevel: 'warn', now: () => 0, sink })
  const listen = { host: '127.0.0.1', port: 0 }
  const p2p = { listen, maxPeers: 5, nodeKey: null, nodeKeyFile: null, discovery: { ...DISCOVERY, ...change } }
  const refusing = (): never => {
    throw new RangeError('not started in this test')
  }
  const facts = { key: new Uint8Array(32).fill(1), genesisHash: new Uint8Array(32), clock: new FakeClock(), log }
  const options = { network, chainDir: join(folder, 'chain'), clientName: 'headframe/test', rpc: null, p2p }
  const layer = await createNodeP2p(options, { ...facts, client: refusing, head: () => null })
  if (layer === null) throw new Error('no layer')
  return { layer, said }
}

const saidOf = async (...given: Parameters<typeof layerOf>) => (await layerOf(...given)).said

describe('the network layer of a node', () => {
  it('reports that a network has no published nodes to begin with', async () => {
    expect(await saidOf('test')).toEqual([expect.stringContaining('no bootnodes are published for this network')])
    expect(await saidOf('main')).toEqual([])
  })

  it.each([
    ['a port that nobody listens on', ENODE.replace('10.0.0.1:32110', '192.168.0.1:0'), 'port 0 cannot be dialed'],
    ['itself', '', 'it is this node'],
    ['a node outside of --netrestrict', ENODE, '10.0.0.1 is outside --netrestrict'],
  ])('takes no peer that can never be: %s', async (_why, enode, reason) => {
    const { layer } = await layerOf('main', { netRestrict: ['192.168.0.0/16'] })
    const other = enode === '' ? `enode://${layer.ownName}@192.168.0.1:32110` : enode
    expect(() => layer.addPeerAt(other)).toThrow(reason)
  })

  it('stays silent if nodes are named, or no search is wanted', async () => {
    const ways = [{ bootnodes: [ENODE] }, { bootnodes: [] }, { noDiscover: true }]
    expect((await Promise.all(ways.map((way) => saidOf('test', way)))).flat()).toEqual([])

    await writeFile(join(folder, 'static-nodes.json'), JSON.stringify([ENODE]))
    expect(await saidOf('test')).toEqual([])
  })
})
