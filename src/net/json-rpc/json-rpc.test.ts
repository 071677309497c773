import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Answerer, type Dialect, HELD_BACK, type Outcome, type RpcCall, StreamedResult } from './json-rpc'

const error = (message: string) => ({ code: -32600, message })
const strict: Dialect = {
  trailingText: 'refused',
  idFault: (id) => (typeof id === 'string' || typeof id === 'number' ? null : error('id')),
  idEcho: 'printed',
  needsVersion: true,
  takesEmptyMethod: true,
  responses: 'refused',
  answersBegin: 'id',
  maxBatch: 2,
  errors: { parse: error('parse'), invalid: error('invalid'), emptyBatch: error('empty'), largeBatch: error('large') },
}
const lenient: Dialect = {
  ...strict,
  trailingText: 'ignored',
  idFault: (id) => (typeof id === 'object' && id !== null ? error('id') : null),
  idEcho: 'received',
  needsVersion: false,
  takesEmptyMethod: false,
  responses: 'ignored',
  answersBegin: 'version',
}

const named = ({ method }: RpcCall): Outcome => ({ result: method })

async function ask(dialect: Dialect, text: string, run = named): Promise<unknown> {
  const batchAnswers = { maxCharacters: 1_000, tooLarge: error('too large') }
  const deps = { dialect, run, errorOf: () => error('failed'), batchAnswers, isOver: () => false }
  return new Answerer<null>(deps).answer(text, null)
}

const fault = (id: string, message: string) =>
  `{"jsonrpc":"2.0","id":${id},"error":{"code":-32600,"message":"${message}"}}`
const strictFault = (id: string, message: string) =>
  `{"id":${id},"jsonrpc":"2.0","error":{"code":-32600,"message":"${message}"}}`

describe('two dialects', () => {
  it.each([
    ['a call', '{"jsonrpc":"2.0","id":1,"method":"m"}', 'm', 'm'],
    ['a call without a version', '{"id":1,"method":"m"}', 'm', strictFault('1', 'invalid')],
    ['a call without an id', '{"jsonrpc":"2.0","method":"m"}', null, strictFault('null', 'id')],
    [
      'an id that is an object',
      '{"jsonrpc":"2.0","id":{},"method":"m"}',
      fault('null', 'id'),
      strictFault('null', 'id'),
    ],
    ['an empty name', '{"jsonrpc":"2.0","id":1,"method":""}', fault('1', 'invalid'), ''],
    ['a response', '{"jsonrpc":"2.0","id":1,"result":2}', null, strictFault('1', 'invalid')],
    ['two values', '{"jsonrpc":"2.0","id":1,"method":"m"} {', 'm', strictFault('null', 'parse')],
    ['half a value', '{"id":1,', fault('null', 'parse'), strictFault('null', 'parse')],
    ['an empty batch', '[]', fault('null', 'empty'), strictFault('null', 'empty')],
    ['a batch of three', '[1,2,3]', fault('null', 'large'), strictFault('null', 'large')],
    [
      'more values than are read',
      `{"jsonrpc":"2.0","id":1,"method":"m","params":[${'{},'.repeat(100_000)}0]}`,
      fault('null', 'a request has at most 200000 JSON values'),
      strictFault('null', 'a request has at most 200000 JSON values'),
    ],
    [
      'as many signs in a text',
      `{"jsonrpc":"2.0","id":1,"method":"m","params":["${'{,[\\"'.repeat(100_000)}"]}`,
      'm',
      'm',
    ],
    ['nothing', ' \n', null, null],
    ['null', 'null', fault('null', 'invalid'), strictFault('null', 'invalid')],
  ])('answer %s, each in its own way', async (_, text, first, second) => {
    const expected = (answer: string | null, head: string) =>
      answer === null || answer.startsWith('{') ? answer : `{${head},"result":"${answer}"}`

    expect(await ask(lenient, text)).toBe(expected(first, '"jsonrpc":"2.0","id":1'))
    expect(await ask(strict, text)).toBe(expected(second, '"id":1,"jsonrpc":"2.0"'))
  })
})

describe('ids', () => {
  const answered = (id: string) => `{"jsonrpc":"2.0","id":${id},"result":"m"}`

  it.each([
    ['first', (id: string) => `{"jsonrpc":"2.0","id":${id},"method":"m","params":[{"id":7}]}`],
    ['last', (id: string) => `{"method":"m","params":[{"id":7}],"id":${id}}`],
    ['in the middle', (id: string) => `{"method":"m", "id": ${id} ,"params":[{"id":1}]}`],
    ['behind another one', (id: string) => `{"jsonrpc":"2.0","id":"other","method":"m","id":${id} }`],
    ['under an escaped name', (id: string) => `{"method":"m","params":[{"id":1}],"\\u0069d":${id}}`],
  ])('that are %s come back as they were spelled', async (_, place) => {
    for (const id of ['1', '1.50', '1e3', '-0', '12345678901234567890', '"a\\u0062c"', '"a"', '""', 'true', 'null'])
      expect(await ask(lenient, place(id))).toBe(answered(id))
  })

  it('come back as JSON prints them where the dialect says so', async () => {
    expect(await ask(strict, '{"jsonrpc":"2.0","id":"\\u0061","method":"m"}')).toContain('"id":"a"')
    expect(await ask(strict, '{"jsonrpc":"2.0","id":1e3,"method":"m"}')).toContain('"id":1000,')
  })

  it("of any spelling never make an answer that isn't JSON or has another id", async () => {
    await fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.jsonValue(), async (id, params) => {
        const text = JSON.stringify({ params, id, method: 'm' })
        const answer = JSON.parse(String(await ask(lenient, text)))
        expect(answer.id).toEqual(typeof id === 'object' ? null : JSON.parse(JSON.stringify(id)))
      }),
      { numRuns: 300 },
    )
  })
})

describe('a failing stream', () => {
  /** Yields `before` texts of this length, then fails. */
  async function* failing(before: number, length = 10): AsyncGenerator<string> {
    for (let i = 0; i < before; i++) yield 'x'.repeat(length)
    throw new Error('midway')
  }
  const run =
    (chunks: () => AsyncIterable<string>) =>
    ({ method }: RpcCall): Outcome => ({ result: method === 'm' ? 'fine' : new StreamedResult(chunks()) })

  it.each([0, 1, 30])('is an error of its own call in a batch, after %i chunks too', async (before) => {
    const batch = '[{"id":1,"method":"m"},{"id":2,"method":"stream"},{"id":3,"method":"m"}]'
    const answers = JSON.parse(
      String(
        await ask(
          { ...lenient, maxBatch: 3 },
          batch,
          run(() => failing(before)),
        ),
      ),
    )

    expect(answers).toMatchObject([
      { id: 1, result: 'fine' },
      { id: 2, error: { message: 'failed' } },
      { id: 3, result: 'fine' },
    ])
  })

  it.each([
    ['before its first chunk', 0, 0],
    ['after short chunks', 5, 10],
    ['after a long chunk', 1, HELD_BACK - 1],
  ])('is an error %s', async (_, before, length) => {
    const call = '{"id":2,"method":"stream"}'
    expect(
      await ask(
        lenient,
        call,
        run(() => failing(before, length)),
      ),
    ).toBe(fault('2', 'failed'))
  })

  it('cuts an answer only once as much as is held back was made', async () => {
    const call = '{"id":2,"method":"stream"}'
    const answer = await ask(
      lenient,
      call,
      run(() => failing(2, HELD_BACK)),
    )

    const read = async () => {
      for await (const _ of answer as AsyncIterable<string>);
    }
    await expect(read()).rejects.toThrow('midway')
  })
})

describe('a result that is no JSON', () => {
  it.each(['{"id":1,"method":"m"}', '[{"id":1,"method":"m"}]'])('is an error: %s', async (call) => {
    const answer = JSON.parse(String(await ask(lenient, call, () => ({ result: 1n }))))

    expect([answer].flat()).toMatchObject([{ id: 1, error: { message: 'failed' } }])
  })
})

describe('limits', () => {
  it('rejects nesting deeper than 10,000 levels before parsing', async () => {
    const nested = (depth: number) => `{"id":1,"method":"m","params":${'['.repeat(depth)}${']'.repeat(depth)}}`

    expect(await ask(lenient, nested(9_999))).toContain('"result":"m"')
    expect(await ask(lenient, nested(10_000))).toBe(fault('null', 'parse'))
    expect(await ask(lenient, `{"id":1,"method":"m","params":["${'['.repeat(30_000)}"]}`)).toContain('"result":"m"')
  })

  it("bounds a batch's answers together", async () => {
    const big = () => ({ result: 'x'.repeat(600) })

    const answers = JSON.parse(String(await ask(lenient, '[{"id":1,"method":"m"},{"id":2,"method":"m"}]', big)))

    expect(answers).toMatchObject([
      { id: 1, result: expect.any(String) },
      { id: 2, error: { message: 'too large' } },
    ])
  })

  it("doesn't start the rest of a batch when the caller has left", async () => {
    const called: string[] = []
    const answerer = new Answerer<null>({
      dialect: lenient,
      run: ({ method }) => {
        called.push(method)
        return { result: 1 }
      },
      errorOf: () => error('failed'),
      batchAnswers: { maxCharacters: 1_000, tooLarge: error('too large') },
      isOver: () => called.length > 0,
    })

    await answerer.answer('[{"id":1,"method":"a"},{"id":2,"method":"b"}]', null)

    expect(called).toEqual(['a'])
  })
})
