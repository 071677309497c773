// What the views of one GraphQL request have of each other and of the node.
import type { BlockArgument } from '../../model/block-argument'
import type { AskRequest } from '../../query/query-wire'
import type { BlockDetail, ReceiptInfo, TransactionInfo } from '../../worker/wire/shapes'
import type { MethodContext, RpcContext } from '../dispatch/method'
import type { Budget } from './budget'

/** `block` of a field that takes one; the head where it is left out. */
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

/** Of one request. Views are plain objects whose members are the fields of the schema. */
export interface Graph {
  readonly rpc: RpcContext
  readonly caller: MethodContext
  readonly budget: Budget
  /** JSON value of a query worker's answer. */
  ask(request: AskRequest): Promise<unknown>
  /** Receipts of a block, read once. */
  receipts(blockHash: Uint8Array): Promise<readonly ReceiptInfo[]>
  account(address: Uint8Array, at: BlockArgument): object
  block(detail: BlockDetail): object
  transaction(tx: TransactionInfo): object
  /** @param text JSON of a log as `eth_getLogs` tells it */
  log(text: string): object
}

const LATEST: BlockArgument = { kind: 'tag', tag: 'latest' }
/** No chain reaches 2^53 blocks; beyond it the number only has to stay unknown. */
const LAST_HEIGHT = BigInt(Number.MAX_SAFE_INTEGER)

/** A height as the queries name it. */
export function heightArgument(number: bigint): BlockArgument {
  return { kind: 'number', number: Number(number > LAST_HEIGHT ? LAST_HEIGHT : number) }
}

export function atOf({ block }: AtArguments): BlockArgument {
  return block === undefined || block === null ? LATEST : heightArgument(block)
}
