// A message around its call: validation, buying and refunding gas, fees; for a call and for a block's transaction
// alike. Source: go-ethereum 1.10 core/state_transition.go (Berlin)

import { checksumAddress } from '../../../../src/base/checksum-address'
import { intrinsicGas } from '../../../../src/node/execution/message'
import type { AccessListEntry } from '../../../../src/node/model/transaction'
import type { Machine } from './machine'
import { addressBytes, wordOfBytes } from './word'

/** A transaction, or an unsigned call. */
export interface Message {
  /** 160 bits */
  readonly from: bigint
  /** Null = creation. */
  readonly to: bigint | null
  readonly gas: number
  /** wei per gas */
  readonly gasPrice: bigint
  readonly value: bigint
  readonly data: Uint8Array
  readonly accessList: readonly AccessListEntry[]
}

/** The outcome of a transaction or an eth_call. */
export interface MessageResult {
  /** After refunds. */
  readonly gasUsed: number
  /** Before refunds. */
  readonly gasSpent: number
  /** Null on success. */
  readonly error: string | null
  readonly isRevert: boolean
  /** Also set for a revert. */
  readonly output: Uint8Array
}

/** Refused = a check before the first instruction failed, and nothing changed. */
export type Applied = { readonly kind: 'done'; readonly result: MessageResult } | Refused

/** It couldn't start. */
export interface Refused {
  readonly kind: 'refused'
  readonly reason: string
  readonly isIntrinsic: boolean
}

/** Runs `message` on the machine's world; the machine's origin and gas price must be the message's. */
export function applyMessage(machine: Machine, message: Message): Applied {
  const { world } = machine
  const { from, gas, gasPrice, value } = message
  const { balance } = world.account(from)
  if (balance < BigInt(gas) * gasPrice + value) return refusedForFunds(message, balance)
  const needed = gasBeforeRun(message)
  if (gas < needed) return refusedForGas(message)
  const result = runMessage(machine, { ...message, gas: BigInt(gas) }, BigInt(needed))
  const { gasUsed, gasSpent } = result
  return { kind: 'done', result: { ...result, gasUsed: Number(gasUsed), gasSpent: Number(gasSpent) } }
}

/** Refused because the sender can't pay. @param balance the sender's, wei */
export function refusedForFunds({ from, gas, gasPrice, value }: Message, balance: bigint): Refused {
  const who = `address ${checksumAddress(addressBytes(from))}`
  const want = BigInt(gas) * gasPrice + value
  return refused(`insufficient funds for gas * price + value: ${who} have ${balance} want ${want}`)
}

/** Refused because the gas doesn't cover what is charged before the first instruction. */
export function refusedForGas(message: Message): Refused {
  const reason = `intrinsic gas too low: have ${message.gas}, want ${gasBeforeRun(message)}`
  return { ...refused(reason), isIntrinsic: true }
}

function gasBeforeRun({ to, data, accessList }: Message): number {
  return Number(intrinsicGas({ to: to === null ? null : addressBytes(to), data, accessList }))
}

/** With gas as exact integers of any size, as in blocks. */
type Exact<T, K extends keyof T> = Omit<T, K> & { readonly [P in K]: bigint }

/** The same for a validated message. @param needed intrinsic gas */
export function runMessage(
  machine: Machine,
  message: Exact<Message, 'gas'>,
  needed: bigint,
): Exact<MessageResult, 'gasUsed' | 'gasSpent'> {
  const { world } = machine
  const { from, gas, gasPrice, value, to } = message
  world.addBalance(from, -gas * gasPrice)
  warmUp(machine, message)
  if (to !== null) world.setNonce(from, world.account(from).nonce + 1n)
  const gasLeft = gas - needed
  const ran =
    to === null ? machine.create(message.data, value, gasLeft) : machine.call(to, value, message.data, gasLeft)
  const spent = gas - BigInt(ran.gasLeft) - ran.reserveLeft
  const refund = BigInt(world.refund)
  const gasUsed = spent - (refund < spent / 2n ? refund : spent / 2n)
  world.addBalance(from, (gas - gasUsed) * gasPrice)
  world.addBalance(machine.block.coinbase, gasUsed * gasPrice)
  const { error, isRevert, output } = ran
  return { gasUsed, gasSpent: spent, error, isRevert, output }
}

/** EIP-2929 and 2930; the coinbase stays cold. */
function warmUp(
  { world, precompiles }: Machine,
  { from, to, accessList }: Pick<Message, 'from' | 'to' | 'accessList'>,
): void {
  for (const address of precompiles.keys()) world.warmAddress(address)
  world.warmAddress(from)
  if (to !== null) world.warmAddress(to)
  for (const entry of accessList) {
    const address = wordOfBytes(entry.address)
    world.warmAddress(address)
    for (const key of entry.storageKeys) world.warmSlot(address, wordOfBytes(key))
  }
}

function refused(reason: string): Refused {
  return { kind: 'refused', reason, isIntrinsic: false }
}
