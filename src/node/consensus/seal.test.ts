// The seal of a header, by a scripted engine: what is compared with what.
import { describe, expect, it } from 'vitest'
import { bytesFromBigint } from '../../base/bytes'
import { XHASH_FULL } from '../../xhash/params'
import { sealHash } from '../model/header'
import { plainHeader } from '../testing/test-header'
import { type SealEngine, sealFault } from './header-rules'

const MIX = new Uint8Array(32).fill(7)
const header = plainHeader({ number: 720n, difficulty: 1_000n, mixHash: MIX, nonce: 9n })
/** floor((2^256 - 1) / 1000): the highest result that the difficulty allows. */
const TARGET = (2n ** 256n - 1n) / 1_000n

function engine(result: bigint, asked: unknown[] = []): SealEngine {
  return {
    params: XHASH_FULL,
    hashLight: async (...question) => {
      asked.push(question)
      return { mixDigest: MIX, result: bytesFromBigint(result, 32) }
    },
  }
}

describe('a seal', () => {
  it('is valid up to the target, and is computed for this header in its epoch', async () => {
    const asked: unknown[] = []
    expect(await sealFault(header, engine(TARGET, asked))).toBeNull()
    expect(asked).toEqual([[1, sealHash(header), 9n]])
  })

  it('is invalid one above the target', async () => {
    expect(await sealFault(header, engine(TARGET + 1n))).toBe('invalid proof-of-work')
  })

  it('is invalid with another mix digest, however low the result', async () => {
    const mixHash = MIX.map((byte, at) => (at === 31 ? 8 : byte))
    expect(await sealFault({ ...header, mixHash }, engine(0n))).toBe('invalid mix digest')
  })

  it('is rejected without hashing if there is no difficulty', async () => {
    const asked: unknown[] = []
    expect(await sealFault({ ...header, difficulty: 0n }, engine(0n, asked))).toBe('non-positive difficulty')
    expect(await sealFault({ ...header, difficulty: -1n }, engine(0n, asked))).toBe('non-positive difficulty')
    expect(asked).toEqual([])
  })
})
