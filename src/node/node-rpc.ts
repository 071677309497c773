// What the node gives its JSON-RPC besides the chain: block files, its own name, the rules of sending.
import { randomBytes } from 'node:crypto'
import { dirname, join } from 'node:path'
import { WEI_PER_LAX } from '../base/units'
import type { ChainReader } from './chain-reader'
import { loadNodeKey } from './identity/node-key'
import { nodeIdentity } from './identity/node-record'
import { type BlockSource, chainFiles } from './rpc/chain-files'
import type { CompilerPort } from './rpc/compiler-port'
import type { RpcServices } from './rpc/rpc-services'
import type { SendRules } from './rpc/send-rules'

/** The reference's: nobody pays more than one coin for gas by mistake. */
export const DEFAULT_SEND_RULES: SendRules = { feeCapWei: WEI_PER_LAX, allowUnprotected: false }

export interface NodeRpcInput {
  /** absolute; the chain database's own folder. The node's key lies beside it. */
  readonly chainDir: string
  readonly reader: ChainReader
  readonly importBlocks: BlockSource['importBlocks']
  readonly configureMining: RpcServices['configureMining']
  readonly sending: SendRules
  readonly compiler: CompilerPort | null
}

/** @throws ChainError CHAIN_NODE_KEY */
export async function nodeRpcServices(input: NodeRpcInput): Promise<RpcServices> {
  const { chainDir, reader, importBlocks, configureMining, sending, compiler } = input
  const dataDir = dirname(chainDir)
  const key = await loadNodeKey(join(dataDir, 'nodekey'), randomBytes)
  return {
    compiler,
    sending,
    files: chainFiles({
      importBlocks,
      blockBytes: (number) => reader.blockBytes(number),
      headNumber: async () => (await reader.head()).number,
    }),
    // No network layer yet: nobody can connect, so the ports are 0.
    identity: nodeIdentity(key, { ip: '127.0.0.1', port: 0, discoveryPort: 0 }, 1n),
    dataDir,
    configureMining,
  }
}
