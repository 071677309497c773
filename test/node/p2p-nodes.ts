// Nodes that connect over the loopback interface: ours, each with its own chain worker, and prlx's.
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { XhashMode } from '../../src/config/schema'
import type { NodeService, NodeServiceDeps, NodeServiceOptions } from '../../src/node/node-service'
import { formatEnode } from '../../src/node/p2p/node-address'
import type { P2pService } from '../../src/node/p2p/p2p-service'
import { publicKeyOf } from '../../src/node/p2p/rlpx/handshake'
import { freePort } from '../free-port'
import { ask } from '../json-rpc'
import { linkPeerCaches, peerProgram } from '../peer-programs'
import { practiceNode } from './practice-node'

export const PEER = peerProgram('prlx') ?? 'prlx'
export const HAS_PEER = peerProgram('prlx') !== null

export interface MeetingNode {
  readonly node: NodeService
  readonly p2p: P2pService
  readonly enode: string
}

export interface MeetingNodeOptions {
  readonly folder: string
  /** Last byte of the node key. */
  readonly key: number
  /** Genesis file, JSON text. */
  readonly genesis: string
  readonly networkId: number
  readonly xhashMode?: XhashMode
  readonly changes?: Partial<NodeServiceOptions>
  readonly maxPeers?: number
  readonly other?: Partial<NodeServiceDeps>
}

/** Started; ends with `node.stop()`. */
export async function meetingNode(options: MeetingNodeOptions): Promise<MeetingNode> {
  const { folder, key, genesis, networkId, xhashMode = 'full', changes = {}, maxPeers = 25, other } = options
  const nodeKey = new Uint8Array(32).fill(1).fill(key, 31)
  const node = practiceNode(
    folder,
    {
      network: 'custom',
      custom: { genesis, networkId, xhashMode },
      genesis: () => null,
      coinbase: () => null,
      p2p: {
        listen: { host: '127.0.0.1', port: 0 },
        maxPeers,
        nodeKey,
        nodeKeyFile: null,
        discovery: {
          bootnodes: [],
          noDiscover: true,
          dnsTrees: [],
          nat: { kind: 'none', host: null },
          netRestrict: [],
        },
      },
      ...changes,
    },
    other,
  )
  await node.start(new AbortController().signal)
  const p2p = node.network()
  if (p2p === null) throw new Error('no network layer')
  const enode = formatEnode({ id: publicKeyOf(nodeKey), host: '127.0.0.1', tcpPort: p2p.port, udpPort: 0 })
  return { node, p2p, enode }
}

/** @throws Error with `what` if it takes longer */
export async function until(
  what: string,
  holds: () => boolean | Promise<boolean>,
  timeoutMs = 240_000,
  periodMs = 20,
): Promise<void> {
  const end = performance.now() + timeoutMs
  while (!(await holds())) {
    if (performance.now() > end) throw new Error(`${what}: not within ${timeoutMs} ms`)
    await new Promise((next) => setTimeout(next, periodMs))
  }
}

export interface ReferenceOptions {
  readonly folder: string
  readonly genesis: string
  readonly networkId: number
  /** Block file to start with. */
  readonly blocks?: string
  readonly more?: readonly string[]
  /** Default `full`; `snap` is the program's default. */
  readonly syncMode?: 'full' | 'snap'
}

export interface ReferenceNode {
  readonly enode: string
  readonly log: () => string
  rpc(method: string, ...params: unknown[]): Promise<unknown>
  stop(): Promise<void>
}

/** A running prlx that uses only the loopback interface. */
export async function referenceNode(options: ReferenceOptions): Promise<ReferenceNode> {
  const { folder, genesis, networkId, blocks, more = [], syncMode = 'full' } = options
  mkdirSync(folder, { recursive: true })
  const genesisFile = join(folder, 'genesis.json')
  writeFileSync(genesisFile, genesis)
  const dataDir = join(folder, 'data')
  const peer = (...args: string[]) => promisify(execFile)(PEER, ['--datadir', dataDir, ...args])
  linkPeerCaches(dataDir)
  await peer('init', genesisFile)
  if (blocks !== undefined) await peer('--syncmode', 'full', 'import', blocks)
  const [port, rpcPort, authPort] = [await freePort(), await freePort(), await freePort()]
  const config = join(folder, 'config.toml')
  writeFileSync(
    config,
    `[Node.P2P]\nMaxPeers = 10\nNoDiscovery = true\nBootstrapNodes = []\nListenAddr = "127.0.0.1:${port}"\n`,
  )
  const child = spawn(PEER, [
    ...['--datadir', dataDir, '--config', config, '--networkid', String(networkId), '--nodiscover', '--nat', 'none'],
    ...['--xhash.dagdir', join(dataDir, 'dag')],
    ...['--bootnodes', '', ...(syncMode === 'snap' ? [] : ['--syncmode', syncMode])],
    ...['--ipcdisable', '--authrpc.port', String(authPort)],
    ...[
      '--http',
      '--http.addr',
      '127.0.0.1',
      '--http.port',
      String(rpcPort),
      '--http.api',
      'eth,net,admin,txpool,miner',
    ],
    ...more,
  ])
  let log = ''
  child.stderr.on('data', (chunk: Buffer) => {
    log = (log + chunk.toString()).slice(-200_000)
  })
  const rpc = rpcOf(rpcPort)
  await until(
    'prlx answers',
    () =>
      rpc('admin_nodeInfo').then(
        () => true,
        () => false,
      ),
    30_000,
  )
  const info = await rpc('admin_nodeInfo')
  const enode = typeof info === 'object' && info !== null && 'enode' in info ? String(info.enode) : ''
  return { enode: enode.replace(/@.*$/, `@127.0.0.1:${port}`), log: () => log, rpc, stop: () => ended(child) }
}

function rpcOf(port: number): ReferenceNode['rpc'] {
  return async (method, ...params) => {
    const { result, error } = await ask(`http://127.0.0.1:${port}`, method, params)
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 10_000)
  await gone
  clearTimeout(late)
}
