// What the node supplies to JSON-RPC besides the chain: block files, its identity, the rules for sending.
import { dirname } from 'node:path'
import { WEI_PER_LAX } from '../base/units'
import type { ChainReader } from './chain-reader'
import type { NodeIdentity } from './identity/node-record'
import type { P2pService } from './p2p/p2p-service'
import { peersPort } from './p2p/peers-port'
import type { CompilerPort } from './ports/compiler-port'
import { type BlockSource, chainFiles } from './rpc/methods/chain-files'
import type { RpcEndpoint, RpcFrontOptions } from './rpc/rpc-front'
import type { RpcServices } from './rpc/rpc-services'
import type { SendRules } from './rpc/sending/send-rules'

/** The reference's: nobody pays more than one coin of fees by mistake. */
export const DEFAULT_SEND_RULES: SendRules = { feeCapWei: WEI_PER_LAX, allowUnprotected: false }

/** What these services are made from. */
export interface NodeRpcInput {
  /** absolute; the chain database's own folder. The node's key is beside it. */
  readonly chainDir: string
  readonly reader: ChainReader
  readonly importBlocks: BlockSource['importBlocks']
  readonly configureMining: RpcServices['configureMining']
  readonly sending: SendRules
  readonly compiler: CompilerPort | null
  /** Null = no peers. */
  readonly p2p: P2pService | null
  readonly identity: () => NodeIdentity
}

/** The node's services for the RPC front. */
export function nodeRpcServices(input: NodeRpcInput): RpcServices {
  const { chainDir, reader, importBlocks, configureMining, sending, compiler, p2p, identity } = input
  const dataDir = dirname(chainDir)
  return {
    compiler,
    sending,
    files: chainFiles({
      importBlocks,
      blockBytes: (number) => reader.blockBytes(number),
      headNumber: async () => (await reader.head()).number,
    }),
    peers: p2p === null ? null : peersPort(p2p),
    identity,
    dataDir,
    configureMining,
  }
}

type Address = { readonly port: number } | null

/** A listener with an arbitrary port keeps its current one. @param before the previously requested address */
export function withPorts(
  doors: RpcFrontOptions,
  before: RpcFrontOptions | null,
  has: { readonly http: Address; readonly ws: Address },
): RpcFrontOptions {
  const kept = <T extends RpcEndpoint>(wanted: T, old: RpcEndpoint | null, at: Address): T =>
    wanted.port === 0 && at !== null && old?.host === wanted.host ? { ...wanted, port: at.port } : wanted
  return {
    ...doors,
    http: doors.http === null ? null : kept(doors.http, before?.http ?? null, has.http),
    ws: doors.ws === null ? null : kept(doors.ws, before?.ws ?? null, has.ws),
  }
}
