import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AnswerCache } from '../pool/query-pool'
import type { AskRequest } from '../query-wire'

const balance = (last: number, tag: 'latest' | 'pending' = 'latest'): AskRequest => ({
  kind: 'balance',
  at: { kind: 'tag', tag },
  address: Uint8Array.from({ length: 20 }, (_, i) => (i === 19 ? last : 0)),
})

/** Counts its queries. */
function counting() {
  const state = { asked: 0 }
  return { state, ask: async () => `"${++state.asked}"` }
}

it('asks once for the same query at one head', async () => {
  const cache = new AnswerCache()
  const { state, ask } = counting()

  const answers = [await cache.get(balance(1), () => 'a', ask), await cache.get(balance(1), () => 'a', ask)]

  expect(answers).toEqual(['"1"', '"1"'])
  expect(state.asked).toBe(1)
})

it('returns known answers without a promise', async () => {
  const cache = new AnswerCache()
  const { ask } = counting()
  await cache.get(balance(1), () => 'a', ask)

  expect(cache.get(balance(1), () => 'a', ask)).toBe('"1"')
})

it('returns an answer as it gets it, and knows it from then on', () => {
  const cache = new AnswerCache()

  expect(
    cache.get(
      balance(1),
      () => 'a',
      () => '"now"',
    ),
  ).toBe('"now"')
  expect(
    cache.get(
      balance(1),
      () => 'a',
      () => '"later"',
    ),
  ).toBe('"now"')
})

it('distinguishes any two queries, and recognizes a repeated one', async () => {
  const bytes = fc.uint8Array({ maxLength: 40 })
  const at = fc.oneof(
    fc.constantFrom('latest', 'earliest', 'safe', 'finalized').map((tag) => ({ kind: 'tag', tag })),
    fc.nat(20).map((number) => ({ kind: 'number', number })),
    fc.record({ kind: fc.constant('hash'), hash: bytes, requireCanonical: fc.boolean() }),
  )
  const call = fc.record({
    to: fc.option(bytes),
    gas: fc.option(fc.bigInt(0n, 9n)),
    data: bytes,
    accessList: fc.option(fc.array(fc.record({ address: bytes, storageKeys: fc.array(bytes, { maxLength: 2 }) }))),
  })
  const question = fc.oneof(
    fc.record({ kind: fc.constantFrom('balance', 'nonce', 'code'), at, address: bytes }),
    fc.record({ kind: fc.constant('storage'), at, address: bytes, slot: bytes }),
    fc.record({ kind: fc.constant('call'), at, call, overrides: fc.constant([]) }),
    fc.record({
      kind: fc.constant('proof'),
      at,
      address: bytes,
      keys: fc.array(fc.record({ text: fc.string(), slot: bytes }), { maxLength: 2 }),
    }),
  ) as unknown as fc.Arbitrary<AskRequest> // lengths that no caller may send make it harder
  await fc.assert(
    fc.asyncProperty(question, question, async (one, other) => {
      const cache = new AnswerCache()
      const first = await cache.get(
        one,
        () => 'a',
        async () => 'first',
      )
      const second = await cache.get(
        other,
        () => 'a',
        async () => 'second',
      )
      expect([first, second]).toEqual(['first', isDeepStrictEqual(one, other) ? 'first' : 'second'])
    }),
    { numRuns: 400 },
  )
})

it('distinguishes queries that differ in one byte', async () => {
  const cache = new AnswerCache()
  const { ask } = counting()

  expect(await cache.get(balance(1), () => 'a', ask)).not.toBe(await cache.get(balance(2), () => 'a', ask))
})

it('drops its answers when the head changes', async () => {
  const cache = new AnswerCache()
  const { state, ask } = counting()
  await cache.get(balance(1), () => 'a', ask)

  await cache.get(balance(1), () => 'b', ask)

  expect(state.asked).toBe(2)
})

it('keeps no answer that came after the head had moved', async () => {
  const cache = new AnswerCache()
  const { state, ask } = counting()
  let head = 'a'
  await cache.get(
    balance(1),
    () => head,
    async () => {
      head = 'b'
      return '"old"'
    },
  )

  expect(await cache.get(balance(1), () => head, ask)).toBe('"1"')
  expect(state.asked).toBe(1)
})

it('always asks about the pending block', async () => {
  const cache = new AnswerCache()
  const { state, ask } = counting()
  await cache.get(balance(1, 'pending'), () => 'a', ask)
  await cache.get(balance(1, 'pending'), () => 'a', ask)

  expect(state.asked).toBe(2)
})

it('stays within its size', async () => {
  const cache = new AnswerCache(300)
  const { state, ask } = counting()
  for (let i = 0; i < 20; i++) await cache.get(balance(i), () => 'a', ask)

  await cache.get(balance(0), () => 'a', ask)

  expect(state.asked).toBe(21)
})
