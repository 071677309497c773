// Dynamic gas costs: Berlin. -1 = not affordable.
// Source: EIP-150, 160, 1884, 2200, 2929; go-ethereum 1.10 core/vm (order of charges and refunds)
import type { Frame } from './frame'
import type { MachineHost } from './host'
import { ADDRESS_MASK, byteLength } from './word'

export const OUT_OF_REACH = -1
const U64 = 1n << 64n
/** Bytes; above it no gas suffices, and the square would not be exact. */
const MAX_MEMORY = 0x1fffffffe0
const U64_LAST_WORD = U64 - 32n
/** Its square is below 2^53. */
const MAX_EXACT_WORDS = 94_906_265

const COLD_SLOAD = 2_100
const COLD_ACCOUNT = 2_600
const WARM = 100
const SSTORE_SET = 20_000
const SSTORE_RESET = 5_000
const SSTORE_SENTRY = 2_300
const CLEAR_REFUND = 15_000
const NEW_ACCOUNT = 25_000
const CALL_VALUE = 9_000
const DESTRUCT_REFUND = 24_000

/** Bytes of memory needed for a range, rounded up to words; -1 when it exceeds 64 bits. */
export function memoryFor(offset: bigint, length: bigint): number {
  if (length === 0n) return 0
  const end = offset + length
  if (end > U64_LAST_WORD) return OUT_OF_REACH
  return Math.ceil(Number(end) / 32) * 32
}

/** Gas for expanding memory to `size` bytes; a bigint where no gas suffices and a number isn't exact. */
function memoryGas(frame: Frame, size: number): number | bigint {
  const { memory } = frame
  if (size <= memory.size) return 0
  if (size > MAX_MEMORY) return OUT_OF_REACH
  const words = size / 32
  if (words > MAX_EXACT_WORDS) return 3n * BigInt(words) + BigInt(words) ** 2n / 512n - BigInt(memory.paid)
  const total = 3 * words + Math.floor((words * words) / 512)
  const gas = total - memory.paid
  memory.paid = total
  return gas
}

/** @param more a number that is exact */
function plus(gas: number | bigint, more: number): number | bigint {
  return typeof gas === 'number' ? gas + more : gas + BigInt(more)
}

const words = (length: bigint): number => Math.ceil(Number(length) / 32)

/** Memory expansion, plus `perWord` for each word of the length at stack position `depth`. */
export function perWordGas(depth: number, perWord: number) {
  return (_machine: MachineHost, frame: Frame, size: number): number | bigint => {
    const gas = memoryGas(frame, size)
    const length = frame.peek(depth)
    return gas < 0 || length >= U64 ? OUT_OF_REACH : plus(gas, perWord * words(length))
  }
}

/** Memory expansion only. @param size bytes needed, -1 = exceeds 64 bits */
export function growGas(_machine: MachineHost, frame: Frame, size: number): number | bigint {
  return memoryGas(frame, size)
}

/** EIP-160: 10, plus 50 per byte of the exponent. */
export function expGas(_machine: MachineHost, frame: Frame): number {
  return 10 + 50 * byteLength(frame.peek(1))
}

/** 375 per topic and 8 per byte, plus memory. @param topics 0 to 4 */
export function logGas(topics: number) {
  return (_machine: MachineHost, frame: Frame, size: number): number | bigint => {
    const gas = memoryGas(frame, size)
    const length = frame.peek(1)
    return gas < 0 || length >= U64 ? OUT_OF_REACH : plus(gas, 375 + 375 * topics + 8 * Number(length))
  }
}

/** Accesses the address on top of the stack. */
export function accountGas(machine: MachineHost, frame: Frame): number {
  return machine.world.warmAddress(frame.peek(0) & ADDRESS_MASK) ? 0 : COLD_ACCOUNT - WARM
}

/** Words copied, memory, and the account's cold or warm price (EIP-2929). */
export function extCodeCopyGas(machine: MachineHost, frame: Frame, size: number): number | bigint {
  const copy = perWordGas(3, 3)(machine, frame, size)
  return copy < 0 ? copy : plus(copy, accountGas(machine, frame))
}

/** EIP-2929: 2,100 for a cold slot, 100 for a warm one. Warms the slot. */
export function sloadGas(machine: MachineHost, frame: Frame): number {
  return machine.world.warmSlot(frame.address, frame.peek(0)) ? WARM : COLD_SLOAD
}

/** Also updates the refund, which a tracer sees with this very step. */
export function sstoreGas(machine: MachineHost, frame: Frame): number {
  if (frame.gas <= SSTORE_SENTRY) return OUT_OF_REACH
  machine.storeSlack = Math.min(machine.storeSlack, frame.gas - SSTORE_SENTRY - 1)
  const { world } = machine
  const key = frame.peek(0)
  const value = frame.peek(1)
  const current = world.slot(frame.address, key)
  const access = world.warmSlot(frame.address, key) ? 0 : COLD_SLOAD
  if (current === value) return access + WARM
  const original = world.originalSlot(frame.address, key)
  if (original === current) {
    if (original === 0n) return access + SSTORE_SET
    if (value === 0n) world.addRefund(CLEAR_REFUND)
    return access + SSTORE_RESET - COLD_SLOAD
  }
  if (original !== 0n) {
    if (current === 0n) world.addRefund(-CLEAR_REFUND)
    else if (value === 0n) world.addRefund(CLEAR_REFUND)
  }
  if (original === value) world.addRefund((original === 0n ? SSTORE_SET : SSTORE_RESET - COLD_SLOAD) - WARM)
  return access + WARM
}

/** EIP-150 and EIP-2929: the recipient's cold price, plus 25,000 when it creates the recipient. */
export function selfdestructGas(machine: MachineHost, frame: Frame): number {
  const { world } = machine
  machine.seesGas = true // the sender's balance, by the price of its gas
  const receiver = frame.peek(0) & ADDRESS_MASK
  let gas = world.warmAddress(receiver) ? 0 : COLD_ACCOUNT
  const own = world.account(frame.address)
  if (world.isEmpty(receiver) && own.balance !== 0n) gas += NEW_ACCOUNT
  if (!own.destructed) world.addRefund(DESTRUCT_REFUND)
  return gas
}

interface CallCost {
  readonly hasValue: boolean
  /** Whether a transfer to a nonexistent account creates it. */
  readonly makesAccount: boolean
}

/** CALL and its variants; stores the forwarded gas in `frame.callGas`. */
export function callGas({ hasValue, makesAccount }: CallCost) {
  return (machine: MachineHost, frame: Frame, size: number): number | bigint => {
    const { world } = machine
    machine.seesGas = true
    const target = frame.peek(1) & ADDRESS_MASK
    const access = world.warmAddress(target) ? 0 : COLD_ACCOUNT - WARM
    if (frame.gas < access) return OUT_OF_REACH
    const movesValue = hasValue && frame.peek(2) !== 0n
    const grow = memoryGas(frame, size)
    if (grow < 0) return OUT_OF_REACH
    const account = makesAccount && movesValue && world.isEmpty(target) ? NEW_ACCOUNT : 0
    const base = plus(grow, account + (movesValue ? CALL_VALUE : 0))
    const asked = frame.peek(0)
    if (typeof base === 'bigint') return beyondReach(BigInt(frame.gas - access) - base, asked, BigInt(access) + base)
    const left = frame.gas - access - base
    if (left < 0) return beyondReach(BigInt(left), asked, BigInt(access + base))
    if (frame.reserve !== 0n) {
      const total = BigInt(left) + frame.reserve
      const all = total - total / 64n
      frame.callTotal = asked < all ? asked : all
      return access + base
    }
    const most = left - Math.floor(left / 64)
    frame.callGas = asked < BigInt(most) ? Number(asked) : most
    return access + base + frame.callGas
  }
}

/** An unaffordable call: prlx's 64-bit sum wraps around, which only shows as the cost in a trace. */
function beyondReach(left: bigint, asked: bigint, base: bigint): number | bigint {
  const wrapped = U64 + left
  const most = wrapped - wrapped / 64n
  const total = base + (asked < most ? asked : most)
  if (total >= U64) return OUT_OF_REACH
  return total < BigInt(Number.MAX_SAFE_INTEGER) ? Number(total) : total
}
