// One transaction of a block: validation, then its message. An invalid transaction leaves the world unchanged. Source:
// go-ethereum 1.10.18 core/state_transition.go (Berlin)

import { checksumAddress } from '../../../../src/base/checksum-address'
import { toHex } from '../../../../src/base/hex'
import { fail, ok, type Result } from '../../../../src/node/codec/result'
import { intrinsicGas } from '../../../../src/node/execution/message'
import type { Receipt } from '../../../../src/node/model/receipt'
import type { SignedTransaction } from '../../../../src/node/model/sender'
import { createdAddress, Machine, type MachineOptions } from '../interpreter/machine'
import { runMessage } from '../interpreter/transition'
import { addressBytes, bytesOfWord, wordOfBytes } from '../interpreter/word'
import type { World, WorldLog } from '../interpreter/world'

const MAX_NONCE = 2n ** 64n - 1n
/** The fault of an aborted transaction; internal to the engine. */
export const INTERRUPTED = 'interrupted'

/** A receipt without the block's cumulative gas. */
export type TransactionOutcome = Omit<Receipt, 'cumulativeGasUsed'>

/** What all transactions of a block share. */
type TransitionHost = Omit<MachineOptions, 'origin' | 'gasPrice' | 'tracer'>

/** @param gasPool gas left in the block */
export function applyTransaction(
  host: TransitionHost,
  signed: SignedTransaction,
  gasPool: bigint,
): Result<TransactionOutcome> {
  const { tx } = signed
  const { world } = host
  const needed = intrinsicGas(tx)
  const fault = preCheck(world, signed, { gasPool, needed })
  if (fault !== null) return fail(fault)
  const origin = wordOfBytes(signed.sender)
  const machine = new Machine({ ...host, origin, gasPrice: tx.gasPrice, tracer: null })
  const { gasPrice, value, data, accessList } = tx
  const message = { from: origin, to: tx.to === null ? null : wordOfBytes(tx.to), gas: tx.gasLimit }
  const result = runMessage(machine, { ...message, gasPrice, value, data, accessList }, needed)
  if (machine.aborted) {
    world.undo()
    return fail(INTERRUPTED)
  }
  const logs = world.logs().map(logBytes)
  world.finish()
  return ok({
    type: tx.type,
    succeeded: result.error === null,
    gasUsed: result.gasUsed,
    logs,
    // Set even when the creation failed because the address was taken.
    contractAddress: tx.to === null ? addressBytes(createdAddress(host.keccak256, origin, tx.nonce)) : null,
  })
}

/** In prlx's order, which decides the text when two things are wrong. */
function preCheck(
  world: World,
  { tx, sender }: SignedTransaction,
  gas: { readonly gasPool: bigint; readonly needed: bigint },
): string | null {
  const { nonce, balance, hasCode, codeHash } = world.account(wordOfBytes(sender))
  const who = () => `address ${checksumAddress(sender)}`
  if (tx.nonce > nonce) return `nonce too high: ${who()}, tx: ${tx.nonce} state: ${nonce}`
  if (tx.nonce < nonce) return `nonce too low: ${who()}, tx: ${tx.nonce} state: ${nonce}`
  if (nonce + 1n > MAX_NONCE) return `nonce has max value: ${who()}, nonce: ${nonce}`
  if (hasCode) return `sender not an eoa: ${who()}, codehash: ${toHex(codeHash)}`
  const want = tx.gasLimit * tx.gasPrice + tx.value
  if (balance < want) return `insufficient funds for gas * price + value: ${who()} have ${balance} want ${want}`
  if (gas.gasPool < tx.gasLimit) return 'gas limit reached'
  return tx.gasLimit < gas.needed ? `intrinsic gas too low: have ${tx.gasLimit}, want ${gas.needed}` : null
}

function logBytes({ address, topics, data }: WorldLog) {
  return { address: addressBytes(address), topics: topics.map((topic) => bytesOfWord(topic)), data }
}
