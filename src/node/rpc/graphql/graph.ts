// What the views of one GraphQL request share, and their access to the node.
import { type BlockArgument, heightFromCaller } from '../../model/block-argument'
import type { AskRequest } from '../../query/query-wire'
import type { BlockDetail, OutcomeInfo, ReceiptInfo, TransactionInfo } from '../../worker/wire/shapes'
import type { MethodContext, RpcContext } from '../dispatch/method'
import type { Budget } from './budget'

/** The `block` argument of a field; default: the head. */
export interface AtArguments {
  readonly block?: bigint | null
}

/** The members of `CallData`. */
export interface CallData {
  readonly from?: Uint8Array | null
  readonly to?: Uint8Array | null
  readonly gas?: bigint | null
  readonly gasPrice?: bigint | null
  readonly maxFeePerGas?: bigint | null
  readonly maxPriorityFeePerGas?: bigint | null
  readonly value?: bigint | null
  readonly data?: Uint8Array | null
}

/** Per request. Views are plain objects whose members are the schema's fields. */
export interface Graph {
  readonly rpc: RpcContext
  readonly caller: MethodContext
  readonly budget: Budget
  /** A query worker's answer as a JSON value. */
  ask(request: AskRequest): Promise<unknown>
  /** Null for a block that was never executed. Outcomes are read once, many at a time. */
  outcome(place: Pick<OutcomeInfo['place'], 'blockHash' | 'index'>): Promise<OutcomeInfo | null>
  /** A receipt with its logs. @throws RpcFault RPC_ANSWER_TOO_LARGE for one with many logs */
  receipt(hash: Uint8Array): Promise<ReceiptInfo | null>
  account(address: Uint8Array, at: BlockArgument): object
  block(detail: BlockDetail): object
  transaction(tx: TransactionInfo): object
  /** @param text a log's JSON as in `eth_getLogs` */
  log(text: string): object
}

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }

/** A height in the queries' form. */
export function heightArgument(number: bigint): BlockArgument {
  return { kind: 'number', number: heightFromCaller(number) }
}

/** The block that an optional argument means. */
export function atOf({ block }: AtArguments): BlockArgument {
  return block === undefined || block === null ? LATEST : heightArgument(block)
}
