// Asks our node what a pending transaction would change. Read-only: nothing is sent or stored.
import { z } from 'zod'
import { bytesOfHex } from '../../base/hex'
import { type SimulationView, simulationSchema } from '../../contract/signer-tools'
import type { NodeService } from '../../node/node-service'
import type { CallArguments } from '../../node/query/query-wire'
import type { TransactionDetails } from '../../signer/model/request'
import type { TransactionEdits } from '../../signer/model/transaction-edits'

const quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/)
  .transform(BigInt)

/** @throws what the query layer throws: CHAIN_NOT_OPEN, RPC_FAILED (a limit), the signal's reason */
export async function simulateTransaction(
  node: NodeService,
  transaction: TransactionDetails,
  edits: TransactionEdits | null,
  signal: AbortSignal,
): Promise<SimulationView> {
  const call = callOf(transaction, edits)
  return simulationSchema.parse(JSON.parse(await node.queries().ask({ kind: 'simulate', call }, { signal })))
}

/** A transaction to simulate. */
export interface DraftInput {
  readonly from: string
  readonly to: string
  /** Decimal wei. */
  readonly value: string
  readonly data: string
}

/** `to` null: a creation. */
type CallInput = Omit<DraftInput, 'to'> & { readonly to: string | null }

/** Gas that a transaction needs, and why it would fail, if so. */
export async function estimateTransaction(node: NodeService, input: CallInput, signal: AbortSignal): Promise<bigint> {
  const call = { ...plainCall(input), gas: null, gasPrice: null }
  return quantity.parse(
    JSON.parse(await node.queries().ask({ kind: 'estimate', at: { kind: 'tag', tag: 'latest' }, call }, { signal })),
  )
}

/** Simulation and signature use the same numbers: the edited ones, if any. */
function callOf(tx: TransactionDetails, edits: TransactionEdits | null): CallArguments {
  const price = edits?.maxFeePerGas ?? tx.maxFeePerGas ?? edits?.gasPrice ?? tx.gasPrice
  return {
    ...plainCall(tx),
    gas: BigInt(edits?.gas ?? tx.gas),
    gasPrice: BigInt(price ?? 0),
    nonce: BigInt(edits?.nonce ?? tx.nonce),
    accessList:
      tx.accessList?.map(({ address, storageKeys }) => ({
        address: bytesOfHex(address),
        storageKeys: storageKeys.map(bytesOfHex),
      })) ?? null,
  }
}

function plainCall({ from, to, value, data }: CallInput): CallArguments {
  return {
    from: bytesOfHex(from.toLowerCase()),
    to: to === null ? null : bytesOfHex(to.toLowerCase()),
    gas: null,
    gasPrice: null,
    feeCap: null,
    tip: null,
    value: BigInt(value),
    nonce: null,
    data: bytesOfHex(data),
    accessList: null,
  }
}
