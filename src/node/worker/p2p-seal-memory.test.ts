import { describe, expect, it } from 'vitest'
import { XHASH_TEST } from '../../xhash/params'
import type { SealEngine } from '../consensus/header-rules'
import { rememberSeals } from './chain-session'

const hash = (fill: number): Uint8Array => new Uint8Array(32).fill(fill)

/** Reports how often it was asked. */
function countingEngine() {
  const asked: bigint[] = []
  const engine: SealEngine = {
    params: XHASH_TEST,
    hashLight: async (_epoch, _sealHash, nonce) => {
      asked.push(nonce)
      return { mixDigest: hash(Number(nonce % 256n)), result: hash(1) }
    },
  }
  return { engine, asked }
}

describe('the memory of seals', () => {
  it('repeats each answer once, and computes it again after that', async () => {
    const { engine, asked } = countingEngine()
    const { remembering, recalling } = rememberSeals(engine)
    const first = await remembering.hashLight(0, hash(1), 7n)
    expect(await recalling.hashLight(0, hash(1), 7n)).toEqual(first)
    expect(asked).toEqual([7n])
    await recalling.hashLight(0, hash(1), 7n)
    expect(asked).toEqual([7n, 7n])
  })

  it('treats another nonce, seal hash or epoch as another seal', async () => {
    const { engine, asked } = countingEngine()
    const { remembering, recalling } = rememberSeals(engine)
    await remembering.hashLight(0, hash(1), 7n)
    await recalling.hashLight(0, hash(1), 8n)
    await recalling.hashLight(0, hash(2), 7n)
    await recalling.hashLight(1, hash(1), 7n)
    expect(asked).toEqual([7n, 8n, 7n, 7n])
  })

  it('evicts the oldest when there are too many', async () => {
    const { engine, asked } = countingEngine()
    const { remembering, recalling } = rememberSeals(engine)
    for (let nonce = 0n; nonce <= 16_384n; nonce++) await remembering.hashLight(0, hash(1), nonce)
    const before = asked.length
    await recalling.hashLight(0, hash(1), 1n)
    expect(asked.length).toBe(before)
    await recalling.hashLight(0, hash(1), 0n)
    expect(asked.length).toBe(before + 1)
  })
})
