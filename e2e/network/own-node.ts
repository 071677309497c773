// The built program as one node of a private network: a child of plain Node, queried over its JSON-RPC.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { type Outcome, Program } from '../../test/cli/program'
import { eventually } from '../harness'

export interface OwnNodeOptions {
  /** Its data directory is created there. */
  readonly folder: string
  /** Genesis file, JSON text. */
  readonly genesis: string
  readonly networkId: number
  /** Arguments after those that every node here has. */
  readonly more?: readonly string[]
  /** Files of the network's folder that exist before the start, by name; the content is written as JSON. */
  readonly files?: Readonly<Record<string, unknown>>
}

export interface OwnNode {
  /** As in the ready file. */
  readonly enode: string
  readonly rpc: (method: string, ...params: unknown[]) => Promise<unknown>
  /** Its log so far. */
  readonly log: () => string
  readonly stop: () => Promise<Outcome>
}

const readySchema = z.object({ http: z.string(), p2p: z.string() })
const answerSchema = z.object({ result: z.unknown().optional(), error: z.object({ message: z.string() }).optional() })

/** Resolves once it listens; uses the loopback interface only. */
export async function ownNode({ folder, genesis, networkId, more = [], files = {} }: OwnNodeOptions): Promise<OwnNode> {
  const dataDir = join(folder, 'data')
  mkdirSync(join(dataDir, 'custom'), { recursive: true })
  writeFileSync(join(folder, 'genesis.json'), genesis)
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(dataDir, 'custom', name), JSON.stringify(content))
  const program = new Program([
    ...['node', '--datadir', dataDir, '--genesis', join(folder, 'genesis.json'), '--networkid', String(networkId)],
    ...['--http', '--http.port', '0', '--http.api', 'eth,net,web3,admin,txpool', '--ipcdisable'],
    ...['--p2p.addr', '127.0.0.1', '--port', '0', '--nat', 'none', '--log.level', 'debug', '--ready-file', '-'],
    ...more,
  ])
  const hasEnded = () => program.child.exitCode !== null || program.child.signalCode !== null
  await eventually('a node is ready', async () => (program.stdout.includes('\n') || hasEnded() ? true : null))
  if (hasEnded()) throw new Error(program.stderr)
  const { http, p2p } = readySchema.parse(JSON.parse(program.stdout))
  const rpc = async (method: string, ...params: unknown[]): Promise<unknown> => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await fetch(`http://${http}/`, { method: 'POST', headers, body })
    const { result, error } = answerSchema.parse(await answer.json())
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }
  return { enode: p2p, rpc, log: () => program.stderr, stop: () => program.stop() }
}

const peersSchema = z.array(
  z.object({ enode: z.string(), network: z.object({ trusted: z.boolean(), static: z.boolean() }) }),
)

/** From `admin_peers`: the node's public key (128 hex digits) and its standing. */
export async function peersOf(node: Pick<OwnNode, 'rpc'>) {
  return peersSchema
    .parse(await node.rpc('admin_peers'))
    .map(({ enode, network }) => ({ name: nameIn(enode), ...network }))
}

/** The 128 hex digits of an enode URL. */
export function nameIn(enode: string): string {
  return /^enode:\/\/([0-9a-f]{128})@/.exec(enode)?.[1] ?? ''
}

const headSchema = z.object({ hash: z.string(), number: z.string() })

/** Of either program. */
export async function headOf(node: Pick<OwnNode, 'rpc'>): Promise<{ readonly hash: string; readonly number: number }> {
  const { hash, number } = headSchema.parse(await node.rpc('eth_getBlockByNumber', 'latest', false))
  return { hash, number: Number(number) }
}
