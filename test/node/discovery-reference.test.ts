// Discovery against prlx: it answers us, keeps us in its table, and lets two of our nodes find each other
// through it. Needs prlx in PEER_PROGRAMS (a folder).
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../src/base/hex'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { recordForkId, recordText } from '../../src/node/identity/enr'
import { netRestrict } from '../../src/node/identity/ip-address'
import { Discovery } from '../../src/node/p2p/discovery/discovery'
import { Discv4, UdpPort } from '../../src/node/p2p/discovery/discv4'
import { LocalRecord } from '../../src/node/p2p/discovery/local-record'
import { formatEnode, type NodeAddress, nodeName, parseEnode } from '../../src/node/p2p/node-address'
import { type ForkId, forkIdAt, forkSchedule } from '../../src/node/protocol/fork-id'
import { freePort } from '../free-port'
import { ask } from '../json-rpc'
import { HAS_PEER, meetingNode, PEER, until } from './p2p-nodes'

const GENESIS_FILE = join(import.meta.dirname, '..', 'vectors', 'rpc', 'genesis.json')
const GENESIS = readFileSync(GENESIS_FILE, 'utf8')
const NETWORK = 3110
const TIMES = { revalidateMs: 500, eagerSearchMs: 300, calmSearchMs: 300, refreshMs: 60_000 }

async function rpc(port: number, method: string, ...params: unknown[]): Promise<unknown> {
  return (await ask(`http://127.0.0.1:${port}`, method, params)).result
}

describe.skipIf(!HAS_PEER)(`discovery with prlx${HAS_PEER ? '' : ' (skipped: it is not there)'}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'discovery-reference-'))
  const running: Discovery[] = []
  let child: ChildProcess | null = null
  let reference: NodeAddress
  let referenceEnr = ''
  let rpcPort = 0
  let fork: ForkId

  beforeAll(async () => {
    const [port, authPort] = [await freePort(), await freePort()]
    rpcPort = await freePort()
    await promisify(execFile)(PEER, ['--datadir', join(folder, 'data'), 'init', GENESIS_FILE])
    const config = join(folder, 'config.toml')
    writeFileSync(config, `[Node.P2P]\nMaxPeers = 10\nBootstrapNodes = []\nListenAddr = "127.0.0.1:${port}"\n`)
    child = spawn(PEER, [
      ...['--datadir', join(folder, 'data'), '--config', config, '--networkid', String(NETWORK), '--nat', 'none'],
      ...['--bootnodes', '', '--ipcdisable', '--authrpc.port', String(authPort), '--syncmode', 'full'],
      ...['--http', '--http.addr', '127.0.0.1', '--http.port', String(rpcPort), '--http.api', 'admin,eth'],
    ])
    child.stderr?.resume()
    const info = () => rpc(rpcPort, 'admin_nodeInfo').catch(() => null)
    await until('prlx answers', async () => (await info()) !== null, 240_000)
    const said = (await info()) as { enode: string; enr: string }
    const node = parseEnode(said.enode)
    if (!node.ok) throw new Error(node.error)
    reference = { ...node.value, host: '127.0.0.1', tcpPort: port, udpPort: port }
    referenceEnr = said.enr
    const block = (await rpc(rpcPort, 'eth_getBlockByNumber', '0x0', false)) as { hash: string }
    fork = forkIdAt(forkSchedule(bytesOfHex(block.hash), []), 0n)
  })

  afterAll(async () => {
    await Promise.all(running.map((one) => one.stop()))
    const gone = new Promise((done) => child?.once('exit', done))
    child?.kill('SIGTERM')
    await gone
    rmSync(folder, { recursive: true, force: true })
  })

  it('is pinged, queried and asked for its record, and proves our endpoint', async () => {
    const key = new Uint8Array(randomBytes(32))
    const clock = systemClock()
    const pinged: Uint8Array[] = []
    const port = new UdpPort({ host: '127.0.0.1', port: 0 }, { log: silentLogger })
    const record = new LocalRecord(key, 1n)
    const deps = { key, record, port, restrict: netRestrict([]), clock, log: silentLogger, closest: () => [] }
    const protocol = new Discv4(deps)
    protocol.events.on('nodeVerified', ({ node }) => pinged.push(node.id))
    await protocol.open()

    const isAlive = await protocol.ping(reference)
    const nodes = await protocol.findNode(reference, record.id)
    const theirs = await protocol.requestRecord(reference)
    await protocol.close()

    expect(isAlive).toBe(true)
    expect(pinged.map(nodeName)).toContain(nodeName(reference.id))
    expect(nodes).not.toBeNull()
    expect(theirs === null ? null : recordText(theirs)).toBe(referenceEnr)
    expect(theirs === null ? null : recordForkId(theirs)).toEqual(fork)
  })

  it('keeps our nodes in its table: two of them find each other through it', async () => {
    const ours = [1, 2].map(() => {
      const one = new Discovery(
        {
          key: new Uint8Array(randomBytes(32)),
          udp: { host: '127.0.0.1', port: 0 },
          bootnodes: [reference],
          dnsTrees: [],
          nodesFile: null,
          restrict: netRestrict([]),
          times: TIMES,
        },
        {
          acceptsForkId: ({ hash }) => toHex(hash) === toHex(fork.hash),
          resolveTxt: async () => [],
          randomBytes: (length) => new Uint8Array(randomBytes(length)),
          clock: systemClock(),
          log: silentLogger,
        },
      )
      one.record.update({ forkId: fork })
      running.push(one)
      return one
    })
    await Promise.all(ours.map((one) => one.start(new AbortController().signal)))
    for (const one of ours) one.record.update({ tcpPort: one.record.content.udpPort })

    const [first, second] = ours.map((one) => nodeName(one.record.id))
    const knows = (one: Discovery | undefined, name: string | undefined): boolean =>
      one?.nodes().some(({ id }) => nodeName(id) === name) ?? false
    await until('found', () => knows(ours[0], second) && knows(ours[1], first), 240_000)
    expect(ours.every((one) => knows(one, nodeName(reference.id)))).toBe(true)
  })

  it('leads full nodes to each other: they dial what they find', async () => {
    const settings = {
      listen: { host: '127.0.0.1', port: 0 },
      maxPeers: 5,
      nodeKeyFile: null,
      staticNodes: [],
      discovery: {
        bootnodes: [formatEnode(reference)],
        noDiscover: false,
        dnsTrees: [],
        netRestrict: ['127.0.0.0/8'],
        nat: { kind: 'none', host: null },
      },
    } as const
    const meet = (key: number) =>
      meetingNode({
        folder: join(folder, `whole-${key}`),
        key,
        genesis: GENESIS,
        networkId: NETWORK,
        changes: { p2p: { ...settings, nodeKey: new Uint8Array(32).fill(1).fill(key, 31) } },
      })
    const [first, second] = await Promise.all([meet(41), meet(42)])

    const idOf = (enode: string): string => enode.slice('enode://'.length, 'enode://'.length + 128)
    const hasPeer = (node: typeof first, id: string): boolean => node.p2p.peers().some(({ name }) => name === id)
    const said = async (): Promise<string> => JSON.stringify(await rpc(rpcPort, 'admin_peers'))
    await until(
      'our nodes met',
      () => hasPeer(first, idOf(second.enode)) && hasPeer(second, idOf(first.enode)),
      240_000,
    )
    await until('both are peers of prlx', async () => {
      const peers = await said()
      return [first, second].every(({ enode }) => peers.includes(idOf(enode)))
    })
    expect(hasPeer(first, nodeName(reference.id)) && hasPeer(second, nodeName(reference.id))).toBe(true)
    await Promise.all([first.node.stop(), second.node.stop()])
  })
})
