import { describe, expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { type Answer, JsonText, StreamedResult } from '../../../net/json-rpc/json-rpc'
import { RpcFault } from '../../rpc-fault'
import { subscriptionMethod } from '../filters/subscribe'
import { CallCounts, Dispatcher } from './dispatch'
import { CallScope, method, type RpcContext, type RpcNamespace } from './method'

const clock = new FakeClock()
const forever = () => new Promise<never>(() => undefined)

async function* pieces(texts: readonly string[]) {
  yield* texts
}

let seenSignal: AbortSignal | null = null
const methods: RpcNamespace = {
  t_text: method({ params: [], handler: () => new JsonText('{"kept":true}') }),
  t_stream: method({ params: [], handler: () => new StreamedResult(pieces(['[1', ',2', ']'])) }),
  t_longStream: method({ params: [], handler: () => new StreamedResult(pieces(['"', 'x'.repeat(200_000), '"'])) }),
  t_broken: method({
    params: [],
    handler: () =>
      new StreamedResult({
        [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new RpcFault('RPC_FAILED', { reason: 'no' })) }),
      }),
  }),
  t_big: method({ params: [], handler: () => 'x'.repeat(400) }),
  t_bigStream: method({ params: [], handler: () => new StreamedResult(pieces(['"', 'x'.repeat(2_000), '"'])) }),
  t_reverts: method({
    params: [],
    handler: () => {
      throw new RpcFault('RPC_REVERTED', { reason: 'execution reverted: why', revertData: '0x08c379a0' })
    },
  }),
  t_slow: method({
    params: [],
    timeLimitMs: 1_000,
    handler: (_args, _context, { signal }) => {
      seenSignal = signal
      return forever()
    },
  }),
  t_person: method({ params: [], timeLimitMs: null, handler: forever }),
  t_secret: method({
    params: [],
    handler: async () => {
      throw new Error('EACCES: permission denied, open secret.txt')
    },
  }),
}

const dispatcher = new Dispatcher({
  methods: new Map(Object.entries(methods)),
  otherMethod: () => null,
  // The methods above use nothing of it except the clock.
  context: { clock } as unknown as RpcContext,
  batchLimit: 10,
  batchAnswerLimit: 1_000,
  log: silentLogger,
})

const newScope = () =>
  new CallScope('http', null, () => ({ transport: 'http', remote: '', local: '', userAgent: '', origin: '' }))
const ask = (...names: string[]) => {
  const calls = names.map((name) => ({ id: name, method: `t_${name}` }))
  return dispatcher.answer(JSON.stringify(calls.length === 1 ? calls[0] : calls), newScope())
}
const whole = async (given: Answer | Promise<Answer>) => {
  const answer = await given
  if (answer === null || typeof answer === 'string') return JSON.parse(answer ?? 'null')
  let text = ''
  for await (const piece of answer) text += piece
  return JSON.parse(text)
}

describe('the dispatcher', () => {
  it('counts names that callers make up as one', async () => {
    const counts = new CallCounts(clock)
    const counting = new Dispatcher({
      methods: new Map(Object.entries(methods)),
      otherMethod: subscriptionMethod,
      context: { clock } as unknown as RpcContext,
      batchLimit: 10,
      batchAnswerLimit: 1_000,
      log: silentLogger,
      counts,
    })
    const names = ['t_text', 'eth_subscribe', 'a_subscribe', 'b_subscribe', 'c_unsubscribe', 'd_none']
    for (const method of names) await counting.answer(JSON.stringify({ id: 1, method }), newScope())

    expect(counts.list().map(({ method, total }) => [method, total])).toEqual([
      ['other', 4],
      ['eth_subscribe', 1],
      ['t_text', 1],
    ])
  })

  it('answers at once if nothing has to be waited for', () => {
    expect(ask('text')).toBe('{"jsonrpc":"2.0","id":"text","result":{"kept":true}}')
  })

  it('streams a result into its answer', async () => {
    const answer = await ask('longStream')
    expect(typeof answer).toBe('object')
    expect((await whole(answer)).result).toHaveLength(200_000)
  })

  it('answers a stream of short pieces as a whole', async () => {
    expect(await ask('stream')).toBe('{"jsonrpc":"2.0","id":"stream","result":[1,2]}')
  })

  it('answers a failing stream with its error, beside the answers to other calls of the batch', async () => {
    expect(await whole(ask('text', 'broken', 'text'))).toMatchObject([
      { id: 'text', result: { kept: true } },
      { id: 'broken', error: { code: -32000, message: 'no' } },
      { id: 'text', result: { kept: true } },
    ])
    expect(await whole(ask('broken'))).toMatchObject({ id: 'broken', error: { code: -32000, message: 'no' } })
  })

  it('returns revert data', async () => {
    const error = { code: 3, message: 'execution reverted: why', data: '0x08c379a0' }
    expect(await whole(ask('reverts'))).toMatchObject({ error })
  })

  it("hides the text of errors that aren't ours", async () => {
    expect(await whole(ask('secret'))).toMatchObject({ error: { code: -32000, message: 'internal error' } })
  })

  it("bounds a batch's answers together, including streams", async () => {
    const answers = await whole(ask('stream', 'bigStream', 'big', 'big', 'text'))

    expect(answers).toMatchObject([
      { id: 'stream', result: [1, 2] },
      { id: 'bigStream', error: { code: -32003, message: 'response too large' } },
      { id: 'big', result: expect.any(String) },
      { id: 'big', error: { code: -32003 } },
      { id: 'text', result: { kept: true } },
    ])
  })

  it('ends a call at its time limit and aborts its signal', async () => {
    const answer = ask('slow')
    clock.advance(1_000)

    expect(await whole(answer)).toMatchObject({
      error: { code: -32000, message: 'request was not answered within 1000 ms' },
    })
    expect(seenSignal?.aborted).toBe(true)
  })

  it('ends calls when the client goes away, including those without a limit and the rest of a batch', async () => {
    const scope = newScope()
    const answer = dispatcher.answer('[{"id":1,"method":"t_person"},{"id":2,"method":"t_text"}]', scope)
    scope.clientGone()

    expect(await whole(answer)).toMatchObject([{ error: { message: 'the client went away' } }, { error: {} }])
    expect(clock.pending).toBe(0)
  })
})
