import { describe, expect, it } from 'vitest'
import { turn } from './testing/fake-query-worker'
import { call, failable, never, poolOf, proof, settled } from './testing/query-pools'

describe('small queries', () => {
  it('that are sent together travel together, divided among the workers', async () => {
    const { pool, made, end } = await poolOf(2)
    const numbers = Array.from({ length: 12 }, (_, number) => number)
    const answers = await Promise.all(numbers.map((number) => pool.ask(call(number), never)))

    expect(answers.every((answer) => answer.startsWith('"worker'))).toBe(true)
    expect(made[1]?.batches[0]).toBe(6)
    await end()
  })

  it('leave a batch whose first one takes long, after a moment', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const long = failable(pool, call(1), never).catch(() => null)
    const small = [2, 3, 4].map((number) => pool.ask(call(number), never))
    await settled()
    expect(made[1]?.batches[0]).toBe(4)

    clock.advance(5)
    await settled()

    expect(await Promise.all(small)).toEqual(['"worker 2"', '"worker 2"', '"worker 2"'])
    await end()
    await long
  })

  it('are asked again if their worker is lost before it started them', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const started = failable(pool, call(1), never).catch((error: unknown) => error)
    const others = [2, 3, 4].map((number) => pool.ask(call(number), never))
    await turn()
    made[1]?.die()
    await settled()
    clock.advance(500)
    await settled()

    expect(await Promise.all(others)).toHaveLength(3)
    expect(await started).toMatchObject({ code: 'CONTRACT_CLOSED' })
    await end()
  })

  it('leave a batch with their client, while the others stay', async () => {
    const { pool, made, clock, end } = await poolOf(2, {
      deaf: (request) => 'call' in request && request.call.gas === 1n,
    })
    const long = failable(pool, call(1), never).catch(() => null)
    const client = new AbortController()
    const second = failable(pool, call(2), client).catch((error: unknown) => error)
    const rest = [3, 4].map((number) => pool.ask(call(number), never))
    await settled()

    client.abort(new Error('gone'))

    expect(await second).toMatchObject({ message: 'gone' })
    clock.advance(10)
    expect(await Promise.all(rest)).toHaveLength(2)
    expect(made.flatMap(({ answered }) => answered)).toHaveLength(2)
    await end()
    await long
  })

  it('make room like others once they take long, and continue by themselves', async () => {
    const { pool, made, clock, end } = await poolOf(2, { heeding: ({ kind }) => kind === 'call' })
    const long = [1, 2, 3, 4].map((number) => failable(pool, call(number), never).catch(() => null))
    await settled()
    for (let moment = 0; moment < 4; moment++) {
      clock.advance(500)
      await settled()
    }

    const answer = pool.ask(proof(1), { ...never, caller: 'modest' })
    clock.advance(500)
    await settled()

    expect(await answer).toMatch(/worker/)
    expect(made.some(({ wasStopped }) => wasStopped)).toBe(true)
    await end()
    await Promise.all(long)
  })
})
