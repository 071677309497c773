// The cases of the network bench: how fast blocks travel through thirty nodes in this process, and what fifty peers
// cost one node in its own process. Built and started by tools/bench/network.mjs; prints figures as JSON.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toHex } from '../../src/base/hex'
import { type Logger, silentLogger } from '../../src/base/logger'
import { decodeBlock } from '../../src/node/model/block'
import { CODES, encodeHashes, encodeHeadersQuery, encodeNewBlock, type Status } from '../../src/node/protocol/messages'
import { madeBlocks, madeGenesis } from '../node/made-blocks'
import { dice, type Link, ringLinks, SimulatedNetwork } from '../node/p2p-network'
import { meetingNode, until } from '../node/p2p-nodes'
import { splitBlocks } from '../node/split-blocks'
import { honestStatus, StrangePeer } from '../node/strange-peer'

const NODES = 30
const BLOCKS = 40
const PEERS = 50
const NETWORK = 4713
const HASHES = 4096

export interface Spread {
  /** ms */
  readonly p50: number
  readonly p95: number
  readonly max: number
}

/** Links of every node to later ones on the ring: to two, and to each of the next eight. */
const SHAPES: Readonly<Record<string, () => Link[]>> = {
  sparse: () => [...ringLinks(0, NODES), ...[0, 3, 6, 9, 12].map((index): Link => [index, index + NODES / 2])],
  dense: () =>
    Array.from({ length: NODES }, (_, from) => from).flatMap((from) =>
      Array.from({ length: 8 }, (_, step): Link => [from, (from + step + 1) % NODES]),
    ),
}

/** Blocks through a network of the shape `name`. */
export async function spreadCase(name: string): Promise<string> {
  const links = (SHAPES[name] ?? SHAPES.sparse)?.() ?? []
  const folder = mkdtempSync(join(tmpdir(), 'headframe-network-'))
  const blocks = splitBlocks(new Uint8Array(await madeBlocks({ count: BLOCKS, tag: 1, paidEvery: 1 })))
  const forwards: { checkMs: number; sendMs: number }[] = []
  const network = await SimulatedNetwork.start({ folder, count: NODES, log: () => forwardLog(forwards) })
  try {
    await network.connect(links)
    const before = trafficOf(network)
    const delays: number[] = []
    const roll = dice(11)
    for (const block of blocks) delays.push(...(await delaysOf(network, block, roll(NODES))))
    return JSON.stringify({
      nodes: NODES,
      links: links.length,
      blocks: blocks.length,
      propagation: spreadOf(delays),
      check: spreadOf(forwards.map(({ checkMs }) => checkMs)),
      forward: spreadOf(forwards.map(({ sendMs }) => sendMs)),
      bodiesPerBlock: network.bodies().length / blocks.length,
      bytesPerBlock: (trafficOf(network) - before) / blocks.length,
    })
  } finally {
    await network.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** From the maker's import to that of each other, ms. */
async function delaysOf(network: SimulatedNetwork, block: Uint8Array, maker: number): Promise<number[]> {
  const decoded = decodeBlock(block)
  if (!decoded.ok) throw new Error(decoded.error)
  const head = toHex(decoded.value.hash)
  const at = new Map<number, number>()
  const listeners = network.nodes.map(({ node }, index) =>
    node.events.on('headChanged', (change) => {
      if (toHex(change.head.hash) === head) at.set(index, performance.now())
    }),
  )
  await network.make(maker, block)
  await network.agree(head)
  for (const listener of listeners) listener.dispose()
  const start = at.get(maker) ?? 0
  at.delete(maker)
  return [...at.values()].map((time) => time - start)
}

function forwardLog(into: { checkMs: number; sendMs: number }[]): Logger {
  const log: Logger = {
    ...silentLogger,
    child: () => log,
    debug(message, fields) {
      if (message !== 'block sent on' || fields === undefined) return
      into.push({ checkMs: Number(fields.checkMs), sendMs: Number(fields.sendMs) })
    },
  }
  return log
}

/** Bytes received by all nodes. */
function trafficOf(network: SimulatedNetwork): number {
  return network.nodes
    .flatMap(({ p2p }) => p2p.peers())
    .reduce((sum, { connection }) => sum + connection.traffic.bytesIn, 0)
}

function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b)
  const at = (part: number): number => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return { p50: at(0.5), p95: at(0.95), max: sorted.at(-1) ?? 0 }
}

interface Memory {
  readonly rss: number
  /** JavaScript heap and buffers. */
  readonly heap: number
}

/** What fifty peers cost the node that `script` runs. @param script file that calls `serveNode` */
export async function memoryCase(script: string): Promise<string> {
  const blocks = splitBlocks(new Uint8Array(await madeBlocks({ count: BLOCKS, tag: 1, paidEvery: 1 })))
  const child = fork(script, { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
  const next = (): Promise<unknown> => new Promise((resolve) => child.once('message', resolve))
  const memory = async (): Promise<Memory> => {
    const answer = next()
    child.send('memory')
    return JSON.parse(String(await answer))
  }
  const { enode, status } = revived(String(await next()))
  const alone = await memory()
  const peers: StrangePeer[] = []
  for (let index = 0; index < PEERS; index++) peers.push(await StrangePeer.meet({ enode, status }))
  await until('all are greeted', () => peers.every((peer) => peer.got.has(CODES.status)))
  const connected = await memory()
  let total = status.totalDifficulty
  for (const [index, block] of blocks.entries()) {
    const decoded = decodeBlock(block)
    if (!decoded.ok) throw new Error(decoded.error)
    total += decoded.value.header.difficulty
    peers[index % PEERS]?.send(CODES.newBlock, encodeNewBlock({ block, totalDifficulty: total }))
  }
  for (const peer of peers) {
    const query = { origin: 1n, amount: 192n, skip: 0n, reverse: false }
    for (let id = 1n; id <= 10n; id++) peer.send(CODES.getBlockHeaders, encodeHeadersQuery(id, query))
    const hashes = Array.from({ length: HASHES }, () => new Uint8Array(randomBytes(32)))
    peer.send(CODES.newPooledTransactionHashes, encodeHashes(hashes))
  }
  await until('all are answered', () => peers.every((peer) => peer.got.get(CODES.blockHeaders) === 10), 120_000)
  const busy = await memory()
  child.send('stop')
  await new Promise((resolve) => child.once('exit', resolve))
  for (const peer of peers) peer.socket.destroy()
  return JSON.stringify({ peers: PEERS, alone, connected, busy })
}

/** The other end of `memoryCase`. */
export async function serveNode(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-network-'))
  const own = { folder, key: 1, genesis: madeGenesis(), networkId: NETWORK, xhashMode: 'test' } as const
  // A third of the peers is reserved for those that a node dials itself.
  const met = await meetingNode({ ...own, maxPeers: (PEERS * 3) / 2 })
  process.on('message', (word) => {
    if (word === 'memory') {
      globalThis.gc?.()
      const { rss, heapUsed, external } = process.memoryUsage()
      process.send?.(JSON.stringify({ rss, heap: heapUsed + external }))
      return
    }
    met.node.stop().then(
      () => {
        rmSync(folder, { recursive: true, force: true })
        process.exit(0)
      },
      () => process.exit(1),
    )
  })
  const status = await honestStatus(met, NETWORK)
  process.send?.(JSON.stringify({ enode: met.enode, status }, (_, value) => plain(value)))
}

/** Bytes and bigints as text that `revived` reads. */
function plain(value: unknown): unknown {
  if (typeof value === 'bigint') return { big: String(value) }
  return value instanceof Uint8Array ? { bytes: Buffer.from(value).toString('hex') } : value
}

function revived(text: string): { readonly enode: string; readonly status: Status } {
  return JSON.parse(text, (_, value) => {
    if (typeof value?.big === 'string') return BigInt(value.big)
    return typeof value?.bytes === 'string' ? new Uint8Array(Buffer.from(value.bytes, 'hex')) : value
  })
}
