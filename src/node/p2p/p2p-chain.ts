// What the network layer needs of the chain, and the chain worker as that.
import type { WireClient } from '../../base/wire/client'
import type { ChainWire } from '../worker/chain-wire'
import type { ImportReport } from '../worker/import-shapes'
import type { HeadersParams, HeadersVerdict, HeaderVerdict } from '../worker/p2p-wire'
import type { BlockSummary } from '../worker/shapes'

/** Bytes are RLP where nothing else is said, hashes 32 bytes. */
export interface P2pChain {
  head(): Promise<BlockSummary>
  headers(query: HeadersParams): Promise<readonly Uint8Array[]>
  bodies(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  receipts(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  pooled(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  nodeData(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  knownBlocks(hashes: readonly Uint8Array[]): Promise<readonly boolean[]>
  canonical(numbers: readonly bigint[]): Promise<readonly (Uint8Array | null)[]>
  judgeHeader(header: Uint8Array): Promise<HeaderVerdict>
  /** Headers in a row, before their blocks are here; the first stands on a stored block or on the last of the call before. */
  checkHeaders(headers: readonly Uint8Array[]): Promise<HeadersVerdict>
  /** Of the branch that ends in this block; null when it is not stored. */
  totalDifficulty(hash: Uint8Array): Promise<bigint | null>
  /** Blocks one after another. */
  importBlocks(blocks: Uint8Array): Promise<ImportReport>
  /** Height of the oldest canonical block that the chain can go back to. */
  statesFrom(): Promise<number>
  blockBytes(hash: Uint8Array): Promise<Uint8Array | null>
  unknownTransactions(hashes: readonly Uint8Array[]): Promise<readonly Uint8Array[]>
  addTransactions(raws: readonly Uint8Array[]): Promise<readonly (string | null)[]>
  pendingHashes(): Promise<readonly Uint8Array[]>
}

/** @param client asked at each call; throws CHAIN_NOT_OPEN when there is none */
export function workerChain(client: () => WireClient<ChainWire>): P2pChain {
  return {
    head: async () => client().call('chain.head', {}),
    headers: async (query) => client().call('chain.p2pHeaders', query),
    bodies: async (hashes) => client().call('chain.p2pBodies', { hashes: [...hashes] }),
    receipts: async (hashes) => client().call('chain.p2pReceipts', { hashes: [...hashes] }),
    pooled: async (hashes) => client().call('chain.p2pPooled', { hashes: [...hashes] }),
    nodeData: async (hashes) => client().call('chain.p2pNodeData', { hashes: [...hashes] }),
    knownBlocks: async (hashes) => client().call('chain.p2pKnownBlocks', { hashes: [...hashes] }),
    canonical: async (numbers) => client().call('chain.p2pCanonical', { numbers: [...numbers] }),
    judgeHeader: async (header) => client().call('chain.p2pJudgeHeader', { header }),
    checkHeaders: async (headers) => client().call('chain.p2pCheckHeaders', { headers: [...headers] }),
    totalDifficulty: async (hash) => (await client().call('chain.summary', { id: hash }))?.totalDifficulty ?? null,
    importBlocks: async (blocks) => client().call('chain.import', { blocks }),
    statesFrom: async () => (await client().call('chain.reach', {})).statesFrom,
    blockBytes: async (hash) => client().call('chain.blockBytes', { id: hash }),
    unknownTransactions: async (hashes) => client().call('chain.p2pUnknownTransactions', { hashes: [...hashes] }),
    addTransactions: async (raws) => client().call('chain.p2pAddTransactions', { raws: [...raws] }),
    pendingHashes: async () => client().call('chain.p2pPendingHashes', {}),
  }
}
