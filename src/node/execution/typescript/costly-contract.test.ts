import { expect, it } from 'vitest'
import { bytesOfHex } from '../../../base/hex'
import { openTestChain } from '../../testing/test-chain'
import { intrinsicGas } from '../intrinsic-gas'

/**
 * Creation code that raises 2 to a power of a million bytes modulo 7, and leaves the result, 4, as the contract's code. Its gas was
 * counted by the reference's own machine.
 */
const LONG_POWER = bytesOfHex(
  '6001600052620f42406020526001604052600260605360806061536007620f42a15360016000620f42a2600060055afa5060016000f3',
)
const LONG_POWER_GAS = 4_668_443n
const GAS_PER_CODE_BYTE = 200n

it('executes a block whose only transaction is a power with an exponent of a million bytes', async () => {
  const { chain, engine, rich, store } = await openTestChain()
  const tx = rich.sign({ to: null, value: 0n, gasLimit: 5_000_000n, data: LONG_POWER })
  const header = { number: 1n, timestamp: 1n, coinbase: new Uint8Array(20), difficulty: 1n, gasLimit: 30_000_000n }
  const context = { state: store, parentRoot: chain.head.header.stateRoot, header, ancestorHash: () => null }

  const executed = await engine.executeBlock(context, [tx])

  expect(executed.ok && executed.value.receipts[0]?.succeeded).toBe(true)
  expect(executed.ok && executed.value.gasUsed).toBe(LONG_POWER_GAS + intrinsicGas(tx) + GAS_PER_CODE_BYTE)
  expect(executed.ok && executed.value.changes.codes.map(([, code]) => [...code])).toEqual([[4]])
})
