import { describe, expect, it } from 'vitest'
import { openTestChain } from '../testing/test-chain'

/** JUMPDEST PUSH1 0 JUMP: creation code that runs until its gas is gone. */
const ENDLESS = Uint8Array.of(0x5b, 0x60, 0, 0x56)
/** 2 to a power of a million bytes, modulo 7: one built-in contract, four million gas. */
const LONG_POWER = Uint8Array.from(
  Buffer.from(
    '6001600052620f42406020526001604052600260605360806061536007620f42a15360016000620f42a2600060055afa',
    'hex',
  ),
)

describe('a stopped chain', () => {
  it.each([
    ['a loop', ENDLESS, [20_000_000n, 100_000n]],
    ['a built-in contract', LONG_POWER, [6_000_000n]],
  ] as const)('abandons a block in the middle of %s, and keeps nothing of it', async (_what, data, gasLimits) => {
    const builder = await openTestChain()
    const transactions = gasLimits.map((gasLimit, nonce) =>
      builder.rich.sign({ nonce: BigInt(nonce), to: null, value: 0n, gasLimit, data }),
    )
    const block = await builder.nextBlock({ transactions })
    expect(block.transactions).toHaveLength(gasLimits.length)
    let asked = 0
    let isStopping = true
    const stopping = () => isStopping && ++asked > 0
    const { chain } = await openTestChain({}, {}, { stopping })
    const genesis = chain.head.hash

    await expect(chain.importBlocks([block])).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    expect(asked).toBe(1)
    expect(chain.head.hash).toEqual(genesis)
    expect(chain.bad.reasonOf(block.hash)).toBeNull()

    isStopping = false
    expect(await chain.importBlock(block)).toEqual({ kind: 'head' })
  })

  it('is closed before a long block has ended', async () => {
    const builder = await openTestChain()
    const signed = [21_000_000n, 100_000n].map((gasLimit, nonce) =>
      builder.rich.sign({ nonce: BigInt(nonce), to: null, value: 0n, gasLimit, data: ENDLESS }),
    )
    const block = await builder.nextBlock({ transactions: signed })
    const { chain } = await openTestChain()

    const taken = chain.importBlock(block)
    taken.catch(() => undefined)
    await chain.close()

    await expect(taken).rejects.toMatchObject({ code: 'CHAIN_NOT_OPEN' })
    expect(chain.head.header.number).toBe(0n)
  })
})
