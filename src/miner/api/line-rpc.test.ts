import fc from 'fast-check'
import { expect, it } from 'vitest'
import { answerLine, type LineSession } from './line-rpc'

const open: LineSession = {
  needsAuthorization: () => false,
  authorize: () => 'right',
  mayControl: () => true,
  methods: null,
}
const ask = async (line: string, session = open): Promise<unknown> => JSON.parse((await answerLine(line, session)).text)
const error = (id: unknown, code: number, message: string) => ({ id, jsonrpc: '2.0', error: { code, message } })
const request = (members: object): string => JSON.stringify({ id: 1, jsonrpc: '2.0', method: 'miner_ping', ...members })

it.each([
  ['no JSON', '{', error(null, -32700, 'Parse error')],
  ['a number', '5', error(null, -32600, 'Invalid Request')],
  ['a text', '"x"', error(null, -32600, 'Invalid Request')],
  ['null', 'null', error(null, -32600, 'Invalid Request')],
  ['an empty batch', '[]', error(null, -32600, 'Invalid Request')],
  ['a batch of 33', `[${'{},'.repeat(32)}{}]`, error(null, -32600, 'Invalid Request')],
  ['no id', '{"jsonrpc":"2.0","method":"x"}', error(null, -32600, 'Invalid Request (missing or empty id)')],
  ['id null', request({ id: null }), error(null, -32600, 'Invalid Request (missing or empty id)')],
  ['id 1.5', request({ id: 1.5 }), error(null, -32600, 'Invalid Request (id has invalid type)')],
  ['id -1', request({ id: -1 }), error(null, -32600, 'Invalid Request (id has invalid type)')],
  ['id true', request({ id: true }), error(null, -32600, 'Invalid Request (id has invalid type)')],
  ['id object', request({ id: {} }), error(null, -32600, 'Invalid Request (id has invalid type)')],
  ['jsonrpc 1.0', request({ jsonrpc: '1.0' }), error(1, -32600, 'Invalid Request')],
  ['no method', request({ method: undefined }), error(1, -32600, 'Invalid Request')],
  ['method 5', request({ method: 5 }), error(1, -32600, 'Invalid Request')],
  ['an unknown method', request({ method: 'toString' }), error(1, -32601, 'Method not found')],
  ['a ping', request({}), { id: 1, jsonrpc: '2.0', result: 'pong' }],
  ['a ping with id 0 and any params', request({ id: 0, params: [1] }), { id: 0, jsonrpc: '2.0', result: 'pong' }],
])('answers %s', async (_, line, answer) => {
  expect(await ask(line)).toEqual(answer)
})

it('answers a batch with an array, one answer each', async () => {
  expect(await ask(`[${request({ id: 1 })},5,${request({ id: 2, method: 'x' })}]`)).toEqual([
    { id: 1, jsonrpc: '2.0', result: 'pong' },
    error(null, -32600, 'Invalid Request'),
    error(2, -32601, 'Method not found'),
  ])
})

it.each([
  [undefined, "Missing 'params'"],
  [[], "Invalid type of value 'params'"],
  ['x', "Invalid type of value 'params'"],
  [{}, "Empty 'params'"],
  [{ other: 1 }, "Missing 'psw'"],
  [{ psw: 5 }, "Invalid type of value 'psw'"],
])('rejects api_authorize with params %j', async (params, message) => {
  expect(await ask(request({ method: 'api_authorize', params }))).toEqual(error(1, -32602, message))
})

it('requires authorization before looking at the method', async () => {
  const closed: LineSession = { ...open, needsAuthorization: () => true }

  expect(await ask(request({ method: 'nothing' }), closed)).toEqual(error(1, -403, 'Authorization needed'))
})

it("takes a password beside the method as some managers send it, never another request's", async () => {
  let isIn = false
  const guarded: LineSession = {
    ...open,
    needsAuthorization: () => !isIn,
    authorize: (password) => {
      isIn = password === 'right'
      return isIn ? 'right' : 'wrong'
    },
  }

  expect(await ask(request({ psw: 'wrong' }), guarded)).toEqual(error(1, -401, 'Invalid password'))
  expect(await ask(request({}), guarded)).toEqual(error(1, -403, 'Authorization needed'))
  expect(await ask(request({ params: { psw: 'right' } }), guarded)).toEqual(error(1, -403, 'Authorization needed'))
  expect(await ask(request({ psw: 'right' }), guarded)).toMatchObject({ result: 'pong' })
})

it('ends the connection after too many attempts', async () => {
  const limited: LineSession = { ...open, needsAuthorization: () => true, authorize: () => 'limited' }
  const line = request({ method: 'api_authorize', params: { psw: 'x' } })

  expect((await answerLine(line, limited)).close).toBe(true)
  expect((await answerLine(`[${line}]`, limited)).close).toBe(true)
  expect((await answerLine(line, open)).close).toBe(false)
})

it('answers anything with one line of JSON and never throws', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (line) => {
      const { text } = await answerLine(line, open)
      JSON.parse(text)
      return !text.includes('\n')
    }),
  )
})
