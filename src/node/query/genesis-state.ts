// The genesis state for a node that keeps only recent ones: made again from the genesis file, which the database holds.
import { bytesName, equalBytes } from '../../base/bytes'
import { createGenesis, parseGenesis } from '../chain/genesis'
import { historyFrom } from '../chain/state-history'
import type { BlockArgument } from '../model/block-argument'
import { metaKeys, stateKeys } from '../store/keys'
import { nodesOf } from '../store/node-list'
import type { StoreReader } from '../store/store'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { failed } from './block-state'
import type { AskRequest, StreamRequest } from './query-wire'
import type { QuerySession } from './session'
import { noRanges } from './snapshots'

/** Longest genesis file whose state is made again, bytes: a worker holds forty times as much then. */
const MAX_GENESIS_BYTES = 4 * 1024 * 1024

/** Requests that need trie nodes, which the history doesn't give. */
const OF_TRIES: readonly string[] = ['proof', 'dump', 'storageRange', 'intermediateRoots']

/** Makes the genesis state readable for a request that needs it. @throws RpcFault RPC_FAILED for too long a file */
export async function prepareGenesis(session: QuerySession, request: AskRequest | StreamRequest): Promise<void> {
  if (session.genesis !== null || !readsGenesis(session, request)) return
  const { store, reads } = session.view()
  const hash = reads.canonicalHash(0n)
  const root = hash === null ? undefined : reads.header(hash)?.stateRoot
  if (root === undefined || equalBytes(root, EMPTY_TRIE_ROOT)) return
  if (store.get(stateKeys.node(root)) !== undefined) return // still stored
  const bytes = store.get(metaKeys.genesis)
  if (bytes === undefined) return
  if (bytes.length > MAX_GENESIS_BYTES) {
    if (historyFrom(store) === 0n && !OF_TRIES.includes(request.kind)) return
    throw failed(
      `the state of a genesis file of ${bytes.length} bytes isn't kept, only of up to ${MAX_GENESIS_BYTES}: use --gcmode archive`,
    )
  }
  const file = parseGenesis(Buffer.from(bytes).toString('utf8'))
  if (!file.ok) throw failed(`the stored genesis file is damaged: ${file.error}`)
  const { changes } = await createGenesis(file.value)
  const entries = new Map<string, Uint8Array>()
  for (const [name, node] of nodesOf(changes.nodes)) entries.set(bytesName(stateKeys.node(name)), node)
  for (const [name, code] of changes.codes) entries.set(bytesName(stateKeys.code(name)), code)
  session.setGenesis(readerOf(entries))
}

function readerOf(entries: ReadonlyMap<string, Uint8Array>): StoreReader {
  const get = (key: Uint8Array): Uint8Array | undefined => entries.get(bytesName(key))
  return { get, getStored: get, keysWithPrefix: noRanges }
}

/** Whether the answer comes from the genesis state: asked for it, or for tries that block 1 starts from. */
function readsGenesis(session: QuerySession, request: AskRequest | StreamRequest): boolean {
  if (request.kind === 'storageRange' || request.kind === 'intermediateRoots')
    return session.view().reads.header(request.hash)?.number === 1n
  return 'at' in request && isGenesis(session, request.at)
}

function isGenesis(session: QuerySession, at: BlockArgument): boolean {
  if (at.kind === 'number') return at.number === 0
  if (at.kind === 'hash') return session.view().reads.header(at.hash)?.number === 0n
  if (at.kind === 'neither' || at.tag === 'pending' || at.tag === 'latest') return false
  return session.blocks().header(at.tag)?.header.number === 0n
}
