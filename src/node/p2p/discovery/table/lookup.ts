// Iterative search for the nodes nearest to a key: ask the nearest known ones, then the nearer ones they return, until
// none are nearer. Source: Kademlia (alpha = 3); devp2p, discovery v4, recursive lookup
import { nodeIdOf } from '../../../identity/enr'
import type { NodeAddress } from '../../node-address'
import { BUCKET_SIZE, nearestFirst, type TableNode, tableNode } from './node-table'

const ALPHA = 3
/** A liar could keep a lookup going endlessly. */
const MAX_QUESTIONS = 48

interface LookupDeps {
  /** Null when the node doesn't answer. */
  readonly ask: (node: NodeAddress, target: Uint8Array) => Promise<readonly NodeAddress[] | null>
  readonly isSelf: (node: NodeAddress) => boolean
}

/** @param target public key, 64 bytes @returns up to 16 nodes, nearest first; the last ones may not have been asked */
export async function lookup(
  target: Uint8Array,
  start: readonly NodeAddress[],
  deps: LookupDeps,
  signal: AbortSignal,
): Promise<readonly NodeAddress[]> {
  const targetHash = nodeIdOf(target)
  const asked = new Set<string>()
  const silent = new Set<string>()
  let nearest = merged([], start, targetHash, deps)
  while (asked.size < MAX_QUESTIONS && !signal.aborted) {
    const next = nearest.filter(({ name }) => !asked.has(name)).slice(0, ALPHA)
    if (next.length === 0) break
    for (const { name } of next) asked.add(name)
    const answers = await Promise.all(next.map(({ address }) => deps.ask(address, target)))
    for (const [i, node] of next.entries()) if (answers[i] === null) silent.add(node.name)
    const living = nearest.filter(({ name }) => !silent.has(name))
    const told = answers.flatMap((nodes) => nodes ?? []).filter((node) => !silent.has(tableNode(node)?.name ?? ''))
    nearest = merged(living, told, targetHash, deps)
  }
  return nearest.map(({ address }) => address)
}

function merged(
  known: readonly TableNode[],
  more: readonly NodeAddress[],
  targetHash: Uint8Array,
  deps: LookupDeps,
): TableNode[] {
  const byName = new Map(known.map((node) => [node.name, node]))
  for (const address of more) {
    const node = deps.isSelf(address) ? null : tableNode(address)
    if (node !== null && !byName.has(node.name)) byName.set(node.name, node)
  }
  return nearestFirst([...byName.values()], targetHash).slice(0, BUCKET_SIZE)
}
