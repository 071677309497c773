// What an RPC method is: its arguments and what answers it. A namespace is a record of methods.
import type { Clock } from '../../base/time'
import type { ChainReader } from '../chain-reader'
import type { BlockSummary, ChainWork } from '../worker/shapes'
import type { AccountsPort } from './accounts-port'
import { RpcFault } from './errors'
import { type ParamList, readParams } from './params'
import type { ReportedRates } from './reported-rates'

/** The node as the RPC front sees it. */
export interface RpcNode {
  readonly reader: ChainReader
  head(): BlockSummary | null
  currentWork(): ChainWork | null
  coinbase(): Uint8Array | null
  submitWork(work: {
    readonly nonce: bigint
    readonly sealHash: Uint8Array
    readonly mixDigest: Uint8Array
  }): Promise<boolean>
  /** @throws TXPOOL_REFUSED */
  addTransaction(raw: Uint8Array): Promise<Uint8Array>
}

export interface RpcNetwork {
  readonly chainId: number
  readonly networkId: number
  readonly clientName: string
}

export interface RpcContext {
  readonly node: RpcNode
  readonly network: RpcNetwork
  /** Null = no accounts. */
  readonly accounts: AccountsPort | null
  readonly clock: Clock
  readonly rates: ReportedRates
  /** `eth_getWork` appends the block number. */
  readonly getworkHeight: boolean
  /** Namespaces that are served, for `rpc_modules`. */
  readonly modules: readonly string[]
}

/** JSON of the answer; bigint never appears, values are encoded by encoding.ts. */
export type RpcResult = unknown

export interface RpcMethod {
  /** @throws RpcFault RPC_INVALID_PARAMS, and whatever the method fails with */
  readonly call: (context: RpcContext, args: readonly unknown[]) => Promise<RpcResult>
}

export type RpcNamespace = Readonly<Record<string, RpcMethod>>

export interface MethodDefinition<T extends readonly unknown[]> {
  readonly params: ParamList<T>
  readonly handler: (args: T, context: RpcContext) => RpcResult | Promise<RpcResult>
}

/** Declares a method with its arguments. */
export function method<const T extends readonly unknown[]>(definition: MethodDefinition<T>): RpcMethod {
  return {
    call: async (context, args) => {
      const read = readParams(definition.params, args)
      if (!read.ok) throw new RpcFault('RPC_INVALID_PARAMS', { reason: read.error })
      return definition.handler(read.value, context)
    },
  }
}
