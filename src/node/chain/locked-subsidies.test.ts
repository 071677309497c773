import { expect, it } from 'vitest'
import { toHex } from '../../base/hex'
import { payoutSlots } from '../consensus/rewards'
import { lockedSubsidies } from '../worker/block-queries'

const miner = new Uint8Array(20).fill(7)

/** A lockbox that pays `miner` 50 at each of `heights`. */
function lockbox(heights: readonly bigint[]) {
  const slots = new Map<string, Uint8Array>()
  for (const height of heights) {
    const { address, amount } = payoutSlots(height)
    slots.set(toHex(address), miner)
    slots.set(toHex(amount), Uint8Array.of(50))
  }
  const state = {
    reads: 0,
    account: () => null,
    slot: (_address: Uint8Array, slot: Uint8Array) => {
      state.reads++
      return slots.get(toHex(slot)) ?? new Uint8Array(0)
    },
    code: () => new Uint8Array(0),
  }
  return state
}

it('adds up unpaid subsidies, the earliest first', () => {
  const state = lockbox([100n, 103n, 104n, 113n])

  const locked = lockedSubsidies(state, { coinbaseMaturityBlocks: 10 }, 103n, miner)

  expect(locked).toEqual({ total: 100n, next: { height: 104n, amount: 50n } })
})

it('looks no further than blocks can have scheduled, however long the maturity is', () => {
  const maturity = 2 ** 40
  const state = lockbox([BigInt(maturity) + 1n, BigInt(maturity) + 3n])

  const locked = lockedSubsidies(state, { coinbaseMaturityBlocks: maturity }, 3n, miner)

  expect(locked).toEqual({ total: 100n, next: { height: BigInt(maturity) + 1n, amount: 50n } })
  expect(state.reads).toBeLessThan(10)
})
