// A message around its call: checks, gas bought and given back, fees. Source: go-ethereum 1.10 core/state_transition.go (Berlin)
import { checksumAddress } from '../../chain/checksum'
import type { AccessListEntry } from '../../chain/transaction'
import { intrinsicGas } from '../../execution/intrinsic-gas'
import type { Machine } from './machine'
import { addressBytes, wordOfBytes } from './word'

/** A transaction, or a call that nobody signed. */
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

export interface MessageResult {
  /** After refunds. */
  readonly gasUsed: number
  /** Null when it went well. */
  readonly error: string | null
  readonly isRevert: boolean
  /** Of a revert too. */
  readonly output: Uint8Array
  readonly createdAddress: bigint | null
}

export type Applied =
  | { readonly kind: 'done'; readonly result: MessageResult }
  /** It could not start. */
  | { readonly kind: 'refused'; readonly reason: string; readonly isIntrinsic: boolean }

/** Runs `message` on the machine's world; the machine's origin and gas price must be the message's. */
export function applyMessage(machine: Machine, message: Message): Applied {
  const { world } = machine
  const { from, gas, gasPrice, value, to } = message
  const { balance } = world.account(from)
  const price = BigInt(gas) * gasPrice
  if (balance < price + value) {
    const who = `address ${checksumAddress(addressBytes(from))}`
    return refused(`insufficient funds for gas * price + value: ${who} have ${balance} want ${price + value}`)
  }
  const needed = Number(
    intrinsicGas({ to: to === null ? null : addressBytes(to), data: message.data, accessList: message.accessList }),
  )
  if (gas < needed) return { ...refused(`intrinsic gas too low: have ${gas}, want ${needed}`), isIntrinsic: true }
  world.addBalance(from, -price)
  warmUp(machine, message)
  if (to !== null) world.setNonce(from, world.account(from).nonce + 1n)
  const created = to === null ? machine.create(message.data, value, gas - needed) : null
  const ran = created ?? machine.call(to ?? 0n, value, message.data, gas - needed)
  const spent = gas - ran.gasLeft
  const gasUsed = spent - Math.min(Math.floor(spent / 2), world.refund)
  world.addBalance(from, BigInt(gas - gasUsed) * gasPrice)
  world.addBalance(machine.block.coinbase, BigInt(gasUsed) * gasPrice)
  const { error, isRevert, output } = ran
  return { kind: 'done', result: { gasUsed, error, isRevert, output, createdAddress: created?.address ?? null } }
}

/** EIP-2929 and 2930; the coinbase stays cold. */
function warmUp({ world, precompiles }: Machine, { from, to, accessList }: Message): void {
  for (const address of precompiles.keys()) world.warmAddress(address)
  world.warmAddress(from)
  if (to !== null) world.warmAddress(to)
  for (const entry of accessList) {
    const address = wordOfBytes(entry.address)
    world.warmAddress(address)
    for (const key of entry.storageKeys) world.warmSlot(address, wordOfBytes(key))
  }
}

function refused(reason: string): Extract<Applied, { kind: 'refused' }> {
  return { kind: 'refused', reason, isIntrinsic: false }
}
