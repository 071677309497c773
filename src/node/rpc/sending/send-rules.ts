// Transaction checks made only by RPC, before the pool's own.
import { WEI_PER_LAX } from '../../../base/units'
import { decodeTransaction } from '../../model/transaction'
import { rpcFailed } from '../../rpc-fault'

export interface SendRules {
  /** A fee above this is considered a mistake; 0 = no cap. wei */
  readonly feeCapWei: bigint
  /** Transactions without a chain id, valid on any chain. */
  readonly allowUnprotected: boolean
}

/** @param fee wei @throws RpcFault RPC_FAILED */
export function checkFee(fee: bigint, { feeCapWei }: SendRules): void {
  if (feeCapWei === 0n || fee <= feeCapWei) return
  throw rpcFailed(`tx fee (${inLaxes(fee)} laxes) exceeds the configured cap (${inLaxes(feeCapWei)} laxes)`)
}

/** @throws RpcFault RPC_FAILED; unlike clef's, `invalid sender` says why */
export function checkRaw(raw: Uint8Array, rules: SendRules, chainId: number): void {
  const tx = decodeTransaction(raw)
  if (!tx.ok) throw rpcFailed(tx.error)
  if (tx.value.kind === 'unsupported') {
    if (tx.value.type !== 2) return // the pool rejects it
    throw rpcFailed('invalid sender: this chain has no transactions of type 2 (maxFeePerGas): set gasPrice instead')
  }
  checkFee(tx.value.gasLimit * tx.value.gasPrice, rules)
  const signedFor = tx.value.chainId
  if (signedFor !== null && signedFor !== BigInt(chainId))
    throw rpcFailed(`invalid sender: the transaction is signed for chain ${signedFor}, this is chain ${chainId}`)
  if (signedFor !== null || rules.allowUnprotected) return
  throw rpcFailed('only replay-protected (EIP-155) transactions allowed over RPC')
}

/** Two decimals, rounded half up. */
function inLaxes(wei: bigint): string {
  const cents = (wei * 100n + WEI_PER_LAX / 2n) / WEI_PER_LAX
  return `${cents / 100n}.${String(cents % 100n).padStart(2, '0')}`
}
