import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyCharacter } from '../../base/testing/any-character'
import { SignerError } from '../errors'
import { answerBody, type ExternalCall } from './json-rpc'

const caller = { transport: 'http', remote: '', local: '', userAgent: '', origin: '' } as const

async function answer(body: string, handle?: (call: ExternalCall) => Promise<unknown>): Promise<string> {
  return answerBody(body, {
    caller,
    callerGone: new AbortController().signal,
    connection: {},
    handle: handle ?? ((call) => Promise.resolve(call.parameters.text)),
  })
}

describe('answerBody', () => {
  it.each(['1', '1.50', '1e3', '-0', '"a\\u0062c"', '"\\""', 'null', '123456789012345678901'])(
    'echoes the id %s byte for byte',
    async (id) => {
      expect(await answer(`{"id": ${id} ,"method":"m","params":[]}`)).toBe(`{"jsonrpc":"2.0","id":${id},"result":"[]"}`)
    },
  )

  it('passes on the parameters as received', async () => {
    const params = '[ {"gas": "0x1",\n "a,b]":"}" } , 1.50]'

    expect(JSON.parse(await answer(`{"id":1,"method":"m","params":${params}}`)).result).toBe(params)
  })

  it('uses the last of equal members', async () => {
    expect(await answer('{"id":1,"id":2,"method":"m"}')).toBe('{"jsonrpc":"2.0","id":2,"result":"[]"}')
  })

  it('shows the parameters that are executed, even under an escaped name', async () => {
    const text = await answer('{"id":1,"method":"m","params":[1],"p\\u0061rams":[2]}', (call) =>
      Promise.resolve([call.parameters.values, call.parameters.text]),
    )

    expect(JSON.parse(text).result).toEqual([[2], '[2]'])
  })

  it('ignores what follows the first value', async () => {
    expect(await answer('{"id":1,"method":"m"} and so on {')).toBe('{"jsonrpc":"2.0","id":1,"result":"[]"}')
  })

  it('processes a batch in order, one after the other', async () => {
    const order: string[] = []
    const handle = async (call: ExternalCall): Promise<string> => {
      order.push(`${call.method} begins`)
      await new Promise((resolve) => setImmediate(resolve))
      order.push(`${call.method} ends`)
      return call.method
    }

    const text = await answer('[{"id":2,"method":"a"},{"method":"b"},{"id":"x","method":"c"}]', handle)

    expect(JSON.parse(text)).toEqual([
      { jsonrpc: '2.0', id: 2, result: 'a' },
      { jsonrpc: '2.0', id: 'x', result: 'c' },
    ])
    expect(order).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends'])
  })

  it('stops a batch when the caller goes away', async () => {
    const gone = new AbortController()
    const called: string[] = []
    const handle = async (call: ExternalCall): Promise<null> => {
      called.push(call.method)
      gone.abort()
      return null
    }

    await answerBody('[{"id":1,"method":"a"},{"id":2,"method":"b"}]', {
      caller,
      callerGone: gone.signal,
      connection: {},
      handle,
    })

    expect(called).toEqual(['a'])
  })

  it('returns the text of its own errors and nothing of foreign ones', async () => {
    const own = await answer('{"id":1,"method":"m"}', () =>
      Promise.reject(new SignerError('SIGNER_REQUEST_DENIED', undefined)),
    )
    const foreign = await answer('{"id":1,"method":"m"}', () => Promise.reject(new Error('password is hunter2')))

    expect(JSON.parse(own).error).toEqual({ code: -32000, message: 'request denied' })
    expect(JSON.parse(foreign).error).toEqual({ code: -32000, message: 'internal error' })
  })

  it('answers any text with nothing or with valid JSON', async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.string(), fc.json(), fc.string({ unit: anyCharacter })), async (body) => {
        const text = await answer(body, () => Promise.resolve(1))
        expect(text === '' || typeof JSON.parse(text) === 'object').toBe(true)
      }),
      { numRuns: 500 },
    )
  })

  it('survives nesting too deep for any parser', async () => {
    const text = await answer('['.repeat(200_000))

    expect(JSON.parse(text).error.code).toBe(-32700)
  })
})
