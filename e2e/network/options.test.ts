// Built programs that find each other, or keep away from each other, as their options say.
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { formatEnode } from '../../src/node/p2p/node-address'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import { IS_BUILT, temporaryFolder } from '../../test/cli/program'
import { until } from '../../test/node/p2p-nodes'
import { PATIENCE_MS } from '../../test/patience'
import { privateGenesis } from './genesis'
import { nameIn, type OwnNode, ownNode, peersOf } from './own-node'

const GENESIS = privateGenesis({ chainId: 4713, difficulty: 8, rich: `0x${'07'.repeat(20)}` })
const keyOf = (name: string): Buffer => createHash('sha256').update(name).digest()
/** A node whose key is known before it runs; nobody is dialed at the port. */
const enodeOfKey = (name: string): string =>
  formatEnode({ id: publicKeyOf(new Uint8Array(keyOf(name))), host: '127.0.0.1', tcpPort: 1, udpPort: 1 })

describe.skipIf(!IS_BUILT)('built programs on a private network', () => {
  const folder = temporaryFolder()
  const nodes: OwnNode[] = []
  afterEach(async () => {
    await Promise.all(nodes.splice(0).map((node) => node.stop()))
  })
  afterAll(folder.remove)

  async function start(name: string, more: readonly string[], files: Readonly<Record<string, unknown>> = {}) {
    const options = { folder: join(folder.path, name), genesis: GENESIS, networkId: 4713 }
    const node = await ownNode({ ...options, more, files })
    nodes.push(node)
    return node
  }
  const names = async (node: OwnNode): Promise<string[]> => (await peersOf(node)).map(({ name }) => name)

  it('find each other by discovery with one of them as bootnode', async () => {
    const keyFile = join(folder.path, 'hub.key')
    writeFileSync(keyFile, keyOf('hub').toString('hex'))
    const hub = await start('hub', ['--nodekey', keyFile, '--bootnodes', '', '--maxpeers', '7'])
    const [left, right] = await Promise.all([
      start('left', ['--bootnodes', hub.enode]),
      start('right', ['--bootnodes', hub.enode]),
    ])

    expect(nameIn(hub.enode)).toBe(nameIn(enodeOfKey('hub')))
    const others = [hub, right].map(({ enode }) => nameIn(enode)).sort()
    // Read once: if peers open connections to each other at the same time, one of the two is closed again.
    let peers: unknown = []
    const hasBoth = async (): Promise<boolean> => {
      peers = await left.rpc('admin_peers')
      return String((await names(left)).sort()) === String(others) && Array.isArray(peers) && peers.length === 2
    }
    await until('left met both', hasBoth, PATIENCE_MS)
    expect(await right.rpc('net_peerCount')).toMatch(/^0x[12]$/)
    const info = z.object({
      enode: z.string(),
      enr: z.string(),
      listenAddr: z.string(),
      ports: z.unknown(),
      protocols: z.unknown(),
    })
    const { enode, enr, ports, listenAddr, protocols } = info.parse(await left.rpc('admin_nodeInfo'))
    const port = Number(new URL(enode).port)
    expect([enode, listenAddr]).toEqual([left.enode, `127.0.0.1:${port}`])
    expect(ports).toMatchObject({ listener: port, discovery: expect.any(Number) })
    expect(enr).toMatch(/^enr:/)
    const xhash = { coinbaseMaturityBlocks: 3, retargetIntervalBlocks: 8, asertAnchorHeight: 12 }
    const config = { chainId: 4713, homesteadBlock: 0, berlinBlock: 0, xhash }
    expect(protocols).toMatchObject({ parallax: { network: 4713, difficulty: 8, config } })
    expect(peers).toMatchObject([
      { caps: ['parallax/66', 'parallax-snap/1', 'snap/1'] },
      { caps: ['parallax/66', 'parallax-snap/1', 'snap/1'] },
    ])
  })

  it('accept as many as --maxpeers says, and those of trusted-nodes.json in addition', async () => {
    const full = await start('full', ['--nodiscover', '--maxpeers', '1'], {
      'trusted-nodes.json': [enodeOfKey('trusted')],
    })
    const dials = { 'static-nodes.json': [full.enode] }
    const first = await start('first', ['--nodiscover'], dials)
    await until('the first is in', async () => (await names(full)).includes(nameIn(first.enode)), PATIENCE_MS)

    const [second, trusted] = await Promise.all([
      start('second', ['--nodiscover'], dials),
      start('trusted', ['--nodiscover', '--nodekeyhex', keyOf('trusted').toString('hex')], dials),
    ])

    await until('the second is told why not', () => second.log().includes('reason 4'), PATIENCE_MS)
    await until('the trusted one is in', async () => (await peersOf(full)).length === 2, PATIENCE_MS)
    const inside = await peersOf(full)
    expect(inside.map(({ name, trusted: isTrusted }) => [name, isTrusted]).sort()).toEqual(
      [
        [nameIn(first.enode), false],
        [nameIn(trusted.enode), true],
      ].sort(),
    )
    expect(await peersOf(first)).toMatchObject([{ name: nameIn(full.enode), static: true }])
  })

  it('do not communicate outside --netrestrict, in either direction', async () => {
    const inward = await start('inward', ['--nodiscover', '--netrestrict', '10.0.0.0/8'])
    const other = await start('other', ['--nodiscover'])

    await expect(inward.rpc('admin_addPeer', other.enode)).rejects.toThrow(/127\.0\.0\.1 is outside --netrestrict/)
    const { port } = new URL(inward.enode)
    const heard = await new Promise<number>((done, fail) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port) })
      socket.once('error', fail).once('close', () => done(socket.bytesRead))
    })

    expect([heard, await names(inward), await names(other)]).toEqual([0, [], []])
  })

  it('connect and disconnect by admin_addPeer and admin_removePeer', async () => {
    const [one, two] = await Promise.all([start('one', ['--nodiscover']), start('two', ['--nodiscover'])])

    await one.rpc('admin_addPeer', two.enode)
    await until('met', async () => (await two.rpc('net_peerCount')) === '0x1', PATIENCE_MS)
    await two.rpc('admin_addTrustedPeer', one.enode)
    expect(await peersOf(two)).toMatchObject([{ trusted: true, static: false }])
    await one.rpc('admin_removePeer', two.enode)

    await until('parted', async () => (await two.rpc('net_peerCount')) === '0x0', PATIENCE_MS)
    expect([await one.rpc('net_listening'), await one.rpc('net_version')]).toEqual([true, '4713'])
    await expect(one.rpc('admin_addPeer', 'enode://nobody')).rejects.toThrow(/invalid enode/)
  })
})
