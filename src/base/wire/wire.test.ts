import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineErrors } from '../errors'
import { silentLogger } from '../logger'
import { createWireClient } from './client'
import { type Access, call, event, parseFrame } from './define'
import { memoryTransportPair } from './memory'
import { serveWire } from './server'

const spec = {
  calls: {
    'math.half': call(z.object({ of: z.number() }), z.object({ half: z.number() })),
    'math.reset': call(z.object({}), z.object({}), 'control'),
    'math.wait': call(z.object({}), z.object({})),
    'math.huge': call(z.object({}), z.object({ of: z.bigint() })),
  },
  events: { 'math.total': event(z.object({ total: z.number() }), 4) },
} as const

const MathError = defineErrors({ MATH_ODD: (d: { of: number }) => `${d.of} is odd` })

function connect(allowed: readonly Access[] = ['read', 'control', 'approve']) {
  const [near, far] = memoryTransportPair({ json: true })
  const aborted: unknown[] = []
  const server = serveWire(
    spec,
    far,
    {
      'math.half': ({ of }) => {
        if (of === 0) throw new Error('secret detail')
        if (of % 2 !== 0) throw new MathError('MATH_ODD', { of })
        return { half: of / 2 }
      },
      'math.reset': () => ({}),
      'math.huge': () => ({ of: 1n }),
      'math.wait': (_params, signal) =>
        new Promise((resolve) => {
          signal.addEventListener('abort', () => {
            aborted.push(true)
            resolve({})
          })
        }),
    },
    {
      log: silentLogger,
      deny: (access) => (allowed.includes(access) ? null : 'this connection only reads'),
      maxCalls: 2,
    },
  )
  return { client: createWireClient(spec, near), server, near, far, aborted }
}

it('answers a call with the typed result', async () => {
  await expect(connect().client.call('math.half', { of: 8 })).resolves.toEqual({ half: 4 })
})

it('carries an error with its code and data', async () => {
  await expect(connect().client.call('math.half', { of: 3 })).rejects.toMatchObject({
    code: 'MATH_ODD',
    data: { of: 3 },
    message: '3 is odd',
  })
})

it('hides the text of an unexpected failure', async () => {
  const failure = connect().client.call('math.half', { of: 0 })

  await expect(failure).rejects.toMatchObject({ code: 'CONTRACT_FAILED' })
  await expect(failure).rejects.not.toThrow('secret detail')
})

it('rejects bad parameters before the handler sees them', async () => {
  const failure = connect().client.call('math.half', { of: 'eight' } as never)

  await expect(failure).rejects.toMatchObject({ code: 'CONTRACT_INVALID' })
})

it("rejects a call that the connection isn't allowed to make, before looking at its parameters", async () => {
  const failure = connect(['read']).client.call('math.reset', { of: 1 } as never)

  await expect(failure).rejects.toMatchObject({ code: 'CONTRACT_DENIED' })
})

it('rejects unknown names, including those of Object', async () => {
  const { client } = connect()

  await expect(client.call('toString' as never, {} as never)).rejects.toMatchObject({ code: 'CONTRACT_UNKNOWN' })
})

it('gives a late listener the last value of an event at once', async () => {
  const { client, server } = connect()
  const seen: number[] = []

  server.emit('math.total', { total: 1 })
  server.emit('math.total', { total: 2 })
  await Promise.resolve()
  await Promise.resolve()
  client.on('math.total', ({ total }) => void seen.push(total))

  expect(seen).toEqual([2])
})

it("drops an event that doesn't match the contract", async () => {
  const { client, far } = connect()
  const seen: unknown[] = []
  client.on('math.total', (payload) => void seen.push(payload))

  far.send({ t: 'event', name: 'math.total', payload: { total: 'many' } })
  far.send({ t: 'event', name: 'unknown', payload: {} })
  await Promise.resolve()

  expect(seen).toEqual([])
})

it('fails open calls when the connection closes, and notifies handlers', async () => {
  const { client, near, aborted } = connect()
  const open = client.call('math.wait', {})
  await Promise.resolve()
  await Promise.resolve()

  near.close()

  await expect(open).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
  await expect(client.call('math.half', { of: 2 })).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
  expect(aborted).toEqual([true])
})

it('accepts no more concurrent calls than its limit, and more once some are answered', async () => {
  const { client, near } = connect()
  const waiting = [client.call('math.wait', {}), client.call('math.wait', {})].map((each) => each.catch(() => 'closed'))

  await expect(client.call('math.half', { of: 2 })).rejects.toMatchObject({ code: 'CONTRACT_BUSY', data: { limit: 2 } })
  near.close()
  expect(await Promise.all(waiting)).toEqual(['closed', 'closed'])

  const other = connect().client
  for (const of of [2, 4, 6]) await expect(other.call('math.half', { of })).resolves.toEqual({ half: of / 2 })
})

it("answers with a failure if the result can't be serialized", async () => {
  await expect(connect().client.call('math.huge', {})).rejects.toMatchObject({ code: 'CONTRACT_FAILED' })
})

it("ignores anything that isn't a frame", () => {
  for (const bad of [
    null,
    1,
    'call',
    [],
    {},
    { t: 'call', id: 1 },
    { t: 'result' },
    { t: 'error', id: 1 },
    { t: 'event' },
  ]) {
    expect(parseFrame(bad)).toBeNull()
  }
})
