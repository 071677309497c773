// Two backends that connect over the loopback interface, observed and controlled through the user interface's contract.
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { WireClient } from '../../src/base/wire/client'
import type { Contract } from '../../src/contract/contract'
import type { PeersView, SyncView } from '../../src/contract/network'
import type { Backend } from '../../src/host/backend'
import { ask } from '../json-rpc'
import { connect, makeBackend, notBuilt, temporaryDataDir } from './backend-fixture'

const CHAIN = join(import.meta.dirname, '..', 'vectors', 'chain', 'chain-small')
const BLOCKS = 130
const WORDS = [
  ...['--genesis', join(CHAIN, 'genesis.json'), '--networkid', '77', '--xhash.mode', 'test'],
  ...['--p2p.addr', '127.0.0.1', '--port', '0', '--nat', 'none', '--nodiscover', '--http', '--http.api', 'admin'],
]

describe.skipIf(notBuilt !== null)(
  `the network in the user interface${notBuilt === null ? '' : ` (${notBuilt})`}`,
  () => {
    const ends: (() => Promise<unknown>)[] = []
    afterEach(async () => {
      for (const end of ends.splice(0).reverse()) await end()
    })

    async function started(more: readonly string[] = []): Promise<Backend> {
      const { dir, remove } = temporaryDataDir()
      const { backend } = await makeBackend(dir, [...WORDS, ...more], 'node')
      ends.push(async () => {
        await backend.stop()
        remove()
      })
      await backend.start(new AbortController().signal)
      return backend
    }
    const enodeOf = (backend: Backend): string => backend.ready().p2p ?? ''
    const idOf = (backend: Backend): string => enodeOf(backend).slice('enode://'.length).split('@')[0] ?? ''

    it('shows peers with what they report, and a sync to its end', async () => {
      const [giver, taker] = [await started(), await started()]
      await importInto(giver)
      const client = connect(taker, { control: true })

      await client.call('node.addPeer', { enode: enodeOf(giver) })

      const sync = await whenSync(client, ({ phase, currentBlock }) => phase === 'idle' && currentBlock === BLOCKS)
      expect(sync).toMatchObject({ startingBlock: 0, highestBlock: BLOCKS, headersDone: BLOCKS, bodiesDone: BLOCKS })
      // The serving node's head is named by its hash; once it is here, its number is known too.
      const { peers, self, maxPeers } = await whenPeers(client, (view) => view.peers[0]?.head.number === BLOCKS)
      expect([self?.enode, maxPeers]).toEqual([enodeOf(taker), 50])
      expect(self?.enr).toMatch(/^enr:/)
      expect(peers).toMatchObject([
        {
          id: idOf(giver),
          host: '127.0.0.1',
          direction: 'outbound',
          isTrusted: false,
          isStatic: true,
          client: expect.stringMatching(/^headframe\//),
          capabilities: ['parallax/66', 'parallax-snap/1', 'snap/1'],
        },
      ])
      expect(peers[0]?.bytesIn).toBeGreaterThan(BLOCKS * 100)
      const [other] = (await whenPeers(connect(giver), (view) => view.peers.length === 1)).peers
      expect(other).toMatchObject({ id: idOf(taker), direction: 'inbound', isStatic: false })
    })

    it("changes whom we connect to for users with control, and says what isn't a node", async () => {
      const [one, two] = [await started(), await started()]
      const [reader, client] = [connect(one), connect(one, { control: true })]
      const enode = enodeOf(two)

      await expect(reader.call('node.addPeer', { enode })).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
      await expect(client.call('node.addPeer', { enode: 'enode://x' })).rejects.toMatchObject({ code: 'P2P_ENODE' })
      await client.call('node.addPeer', { enode })
      await client.call('node.trustPeer', { id: idOf(two), isTrusted: true })
      const met = await whenPeers(client, (view) => view.peers[0]?.isTrusted === true)
      expect(met.peers).toHaveLength(1)

      await client.call('node.removePeer', { id: idOf(two) })
      expect((await whenPeers(client, (view) => view.peers.length === 0)).bans).toEqual([])

      await client.call('node.addPeer', { enode })
      await whenPeers(client, (view) => view.peers.length === 1)
      await client.call('node.trustPeer', { id: idOf(two), isTrusted: true })
      await client.call('node.banPeer', { id: idOf(two) })
      const { bans } = await whenPeers(client, (view) => view.peers.length === 0 && view.bans.length === 1)
      expect(bans).toMatchObject([{ id: idOf(two), reason: 'refused by hand' }])
    })

    it('says that it is off without peers', async () => {
      const client = connect(await started(['--maxpeers', '0']), { control: true })

      expect(await whenPeers(client, () => true)).toMatchObject({ self: null, maxPeers: 0, peers: [] })
      expect(await whenSync(client, () => true)).toMatchObject({ phase: 'off', highestBlock: 0 })
      const refused = client.call('node.liftBan', { id: '0'.repeat(128) })
      await expect(refused).rejects.toMatchObject({ code: 'HOST_SERVICE_OFF' })
    })
  },
)

async function importInto(backend: Backend): Promise<void> {
  const answer = await ask(`http://${backend.ready().http}/`, 'admin_importChain', [join(CHAIN, 'blocks.rlp')])
  expect(answer).toMatchObject({ result: true })
}

function whenPeers(client: WireClient<Contract>, holds: (view: PeersView) => boolean): Promise<PeersView> {
  return new Promise((resolve) => {
    client.on('node.peers', (view) => void (holds(view) && resolve(view)))
  })
}

function whenSync(client: WireClient<Contract>, holds: (view: SyncView) => boolean): Promise<SyncView> {
  return new Promise((resolve) => {
    client.on('node.sync', (view) => void (holds(view) && resolve(view)))
  })
}
