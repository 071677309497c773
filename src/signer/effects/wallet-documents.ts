// Documents that make a wallet or a relayer call something: Safe's SafeTx, ERC-4337 user operations, ERC-2771 requests.
import type { LowerAddress } from '../address'
import { blank } from './call-effects'
import { type Effect, gasRefund } from './effect'
import { addressIn, numberIn, type TypedStruct } from './typed-tree'
import { Words } from './words'

interface WalletPlace {
  readonly struct: TypedStruct
  readonly contract: LowerAddress | null
  readonly depth: number
}

const TARGETS = ['to', 'target', 'callee', 'dest']

/** Whether it has someone call a contract and pay it: its integers are no amounts of a token. */
export function isWalletCall(struct: TypedStruct): boolean {
  const isCall = ['data', 'calldata', 'call'].some((name) => struct.leaves.has(name))
  return isCall && addressIn(struct, TARGETS) !== null && numberIn(struct, ['value', 'wei']) !== null
}

/**
 * Safe's SafeTx and lookalikes, and meta-transactions: operation 1 runs foreign code in the wallet; a gas price pays a
 * refund from it. The value is paid by the wallet, or by the account that a relayer acts for.
 */
export function walletEffects({ struct, contract, depth }: WalletPlace): readonly Effect[] {
  const to = addressIn(struct, TARGETS)
  const operation = numberIn(struct, ['operation', 'calltype'])
  const isCall = operation !== null || ['data', 'calldata', 'call'].some((name) => struct.leaves.has(name))
  if (to === null || !isCall) return []
  const from = addressIn(struct, ['from', 'sender', 'account', 'wallet']) ?? contract
  const base = { ...blank('signature', depth), contract, source: struct.type }
  const effects: Effect[] = []
  const value = numberIn(struct, ['value', 'amount', 'wei']) ?? 0n
  if (value > 0n) effects.push({ ...base, kind: 'payment', from, to, amount: value })
  if (operation !== null && operation !== 0n) {
    const detail = 'runs its code with all rights of the wallet (delegatecall)'
    effects.push({ ...base, kind: 'control', to, detail })
  }
  if ((numberIn(struct, ['gasprice']) ?? 0n) > 0n) {
    const refund = gasRefund(addressIn(struct, ['gastoken']), addressIn(struct, ['refundreceiver']))
    effects.push({ ...base, ...refund, from: contract })
  }
  return effects
}

const LOW_128 = (1n << 128n) - 1n

/** An ERC-4337 user operation: its account runs the call data, and pays for the gas. Null for another struct. */
export function operationEffects({ struct, contract, depth }: WalletPlace): readonly Effect[] | null {
  const from = addressIn(struct, ['sender'])
  if (from === null || !struct.leaves.has('calldata') || numberIn(struct, ['preverificationgas']) === null) return null
  const base = { ...blank('signature', depth), source: struct.type }
  const fee = maximumFee(struct)
  const effects: Effect[] = []
  if (fee > 0n) effects.push({ ...base, kind: 'payment', from, to: contract, amount: fee, detail: 'for gas' })
  if (bytesIn(struct, 'initcode').length > 0) {
    effects.push({ ...base, kind: 'control', contract: from, detail: 'its code is created by the operation' })
  }
  return effects
}

/** Wei; the limits are members of their own, or two halves of a word each. */
function maximumFee(struct: TypedStruct): bigint {
  const [limits, fees] = [bytesIn(struct, 'accountgaslimits'), bytesIn(struct, 'gasfees')]
  const packed = new Words(limits).number(0)
  const price = numberIn(struct, ['maxfeepergas']) ?? new Words(fees).number(0) & LOW_128
  const own = (numberIn(struct, ['callgaslimit']) ?? 0n) + (numberIn(struct, ['verificationgaslimit']) ?? 0n)
  const gas = (numberIn(struct, ['preverificationgas']) ?? 0n) + own + (packed >> 128n) + (packed & LOW_128)
  return price * gas
}

function bytesIn({ leaves }: TypedStruct, name: string): Uint8Array {
  const found = leaves.get(name)?.find((leaf) => leaf.kind === 'bytes')
  return found?.kind === 'bytes' ? found.value : new Uint8Array(0)
}
