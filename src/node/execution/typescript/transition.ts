// One transaction against the state: the checks before it, gas and fees around it, the EVM in the middle.
// Source: go-ethereum 1.10.18 core/state_transition.go (Berlin); chain.md 7
import type { EVM } from '@ethereumjs/evm'
import { Account, Address } from '@ethereumjs/util'
import { equalBytes } from '../../../base/bytes'
import { toBareHex, toHex } from '../../../base/hex'
import { checksumAddress } from '../../chain/checksum'
import type { Receipt } from '../../chain/receipt'
import type { SignedTransaction } from '../../chain/sender'
import { fail, ok, type Result } from '../../codec/result'
import { EMPTY_CODE_HASH } from '../account'
import type { ExecutionHeader } from '../engine'
import { intrinsicGas } from '../intrinsic-gas'
import type { EvmState } from './evm-state'
import { Interrupted } from './interrupt'

const MAX_NONCE = 2n ** 64n - 1n
/** The refusal of a transaction that was given up; never seen outside of building. */
export const INTERRUPTED = 'interrupted'
const REFUND_QUOTIENT = 2n

export interface TransitionHost {
  readonly evm: EVM
  readonly state: EvmState
}

export type TransactionOutcome = Omit<Receipt, 'cumulativeGasUsed'>

/**
 * Applies `signed`; a refusal leaves the state as it was.
 * @param gasPool gas left in the block
 */
export async function applyTransaction(
  host: TransitionHost,
  header: ExecutionHeader,
  signed: SignedTransaction,
  gasPool: bigint,
): Promise<Result<TransactionOutcome>> {
  const fault = preCheck(host.state, signed, gasPool)
  if (fault !== null) return fail(fault)
  const { evm } = host
  await evm.journal.cleanup()
  warmUp(evm, signed)
  await evm.journal.checkpoint()
  try {
    const outcome = await execute(host, header, signed)
    await evm.journal.commit()
    await evm.journal.cleanup() // deletes touched empty accounts (EIP-158)
    return ok(outcome)
  } catch (error: unknown) {
    host.state.overlay.revertAll() // also what calls inside left open
    if (error instanceof Interrupted) return fail(INTERRUPTED)
    throw error
  } finally {
    evm.journal.cleanJournal()
    host.state.originalStorageCache.clear()
  }
}

/** In the reference's order, which decides the text when two things are wrong. */
function preCheck(state: EvmState, { tx, sender }: SignedTransaction, gasPool: bigint): string | null {
  const account = state.overlay.account(sender)
  const nonce = account?.nonce ?? 0n
  const who = () => `address ${checksumAddress(sender)}`
  if (tx.nonce > nonce) return `nonce too high: ${who()}, tx: ${tx.nonce} state: ${nonce}`
  if (tx.nonce < nonce) return `nonce too low: ${who()}, tx: ${tx.nonce} state: ${nonce}`
  if (nonce + 1n > MAX_NONCE) return `nonce has max value: ${who()}, nonce: ${nonce}`
  const codeHash = account?.codeHash ?? EMPTY_CODE_HASH
  if (!equalBytes(codeHash, EMPTY_CODE_HASH)) return `sender not an eoa: ${who()}, codehash: ${toHex(codeHash)}`
  const balance = account?.balance ?? 0n
  const want = tx.gasLimit * tx.gasPrice + tx.value
  if (balance < want) return `insufficient funds for gas * price + value: ${who()} have ${balance} want ${want}`
  if (gasPool < tx.gasLimit) return 'gas limit reached'
  const needed = intrinsicGas(tx)
  return tx.gasLimit < needed ? `intrinsic gas too low: have ${tx.gasLimit}, want ${needed}` : null
}

/** EIP-2929 and 2930. The coinbase is not warm: that came later. */
function warmUp(evm: EVM, { tx, sender }: SignedTransaction): void {
  for (const address of evm.precompiles.keys()) evm.journal.addAlwaysWarmAddress(address)
  evm.journal.addAlwaysWarmAddress(toBareHex(sender))
  if (tx.to !== null) evm.journal.addAlwaysWarmAddress(toBareHex(tx.to))
  for (const entry of tx.accessList) {
    const address = toBareHex(entry.address)
    evm.journal.addAlwaysWarmAddress(address, true)
    for (const key of entry.storageKeys) evm.journal.addAlwaysWarmSlot(address, toBareHex(key), true)
  }
}

async function execute(
  { evm, state }: TransitionHost,
  header: ExecutionHeader,
  { tx, sender }: SignedTransaction,
): Promise<TransactionOutcome> {
  const caller = new Address(sender)
  const account = (await state.getAccount(caller)) ?? new Account()
  account.balance -= tx.gasLimit * tx.gasPrice
  account.nonce += 1n
  await evm.journal.putAccount(caller, account)
  const base = intrinsicGas(tx)
  const result = await evm.runCall({
    block: blockView(header),
    caller,
    ...(tx.to === null ? {} : { to: new Address(tx.to) }),
    gasLimit: tx.gasLimit - base,
    gasPrice: tx.gasPrice,
    value: tx.value,
    data: tx.data,
    skipNonceIncrement: true,
  })
  const { execResult } = result
  const spent = base + execResult.executionGasUsed
  const refund = execResult.gasRefund ?? 0n
  const gasUsed = spent - (refund < spent / REFUND_QUOTIENT ? refund : spent / REFUND_QUOTIENT)
  await credit(evm, caller, (tx.gasLimit - gasUsed) * tx.gasPrice)
  await credit(evm, new Address(header.coinbase), gasUsed * tx.gasPrice)
  for (const address of execResult.selfdestruct?.keys() ?? [])
    await evm.journal.deleteAccount(new Address(bytesOfAddress(address)))
  const logs = (execResult.logs ?? []).map(([address, topics, data]) => ({ address, topics, data }))
  const contractAddress = tx.to === null ? (result.createdAddress?.bytes ?? null) : null
  return { type: tx.type, succeeded: execResult.exceptionError === undefined, gasUsed, logs, contractAddress }
}

/** Crediting nothing still touches: an empty coinbase is not created. */
async function credit(evm: EVM, address: Address, wei: bigint): Promise<void> {
  const account = (await evm.stateManager.getAccount(address)) ?? new Account()
  account.balance += wei
  await evm.journal.putAccount(address, account)
}

function blockView(header: ExecutionHeader) {
  return {
    header: {
      number: header.number,
      coinbase: new Address(header.coinbase),
      timestamp: header.timestamp,
      difficulty: header.difficulty,
      prevRandao: new Uint8Array(32), // 0x44 is DIFFICULTY under these rules
      gasLimit: header.gasLimit,
      getBlobGasPrice: () => undefined,
    },
  }
}

function bytesOfAddress(text: string): Uint8Array {
  const digits = text.startsWith('0x') ? text.slice(2) : text
  return Uint8Array.from(Buffer.from(digits, 'hex'))
}
