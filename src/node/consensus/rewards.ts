// The subsidy and its maturity: two storage slots of the lockbox account per height, paid out when that height is
// reached. Source: prlx consensus/xhash/consensus.go (Finalize); vectors chain/maturity.json
import { bytesFromBigint, concatBytes } from '../../base/bytes'
import { keccak256 } from '../codec/keccak'
import type { ConsensusParams } from './params'

/** 0x…42. Its 1 wei from genesis keeps it from being deleted as an empty account, along with the whole schedule. */
export const LOCKBOX_ADDRESS: Uint8Array = bytesFromBigint(0x42n, 20)

const MAX_HALVINGS = 63n
/** A slot's key is the hash of one of these and the height, 8 bytes. */
const ADDRESS = new TextEncoder().encode('maturity:addr:')
const AMOUNT = new TextEncoder().encode('maturity:amt:')

/** wei that the block at `number` earns; 0 for genesis. */
export function subsidyAt(
  params: Pick<ConsensusParams, 'initialSubsidy' | 'subsidyHalvingBlocks'>,
  number: bigint,
): bigint {
  if (number === 0n) return 0n
  const halvings = number / BigInt(params.subsidyHalvingBlocks)
  return halvings > MAX_HALVINGS ? 0n : params.initialSubsidy >> halvings
}

/** Height at which the subsidy of block `number` is paid. */
export function unlockHeight(params: Pick<ConsensusParams, 'coinbaseMaturityBlocks'>, number: bigint): bigint {
  return number + BigInt(params.coinbaseMaturityBlocks)
}

/** The slots with recipient and amount at `height`. */
export function payoutSlots(height: bigint): { readonly address: Uint8Array; readonly amount: Uint8Array } {
  const suffix = bytesFromBigint(height, 8)
  return { address: keccak256(concatBytes(ADDRESS, suffix)), amount: keccak256(concatBytes(AMOUNT, suffix)) }
}
