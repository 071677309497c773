import { expect, it } from 'vitest'
import { z } from 'zod'
import { silentLogger } from '../logger'
import { createWireClient } from './client'
import { call } from './define'
import { forward, ordered } from './forward'
import { memoryTransportPair } from './memory'
import { serveWire, trustedPeer } from './server'

const readCalls = {
  'store.get': ordered(['key', 'at'], { at: z.number().default(7), key: z.string() }, z.string()),
  'store.all': ordered([], {}, z.array(z.string())),
  'store.find': call(z.object({ text: z.string() }), z.number()),
}
const spec = { calls: { ...readCalls, 'store.put': call(z.object({}), z.object({})) }, events: {} }

function store() {
  const [near, far] = memoryTransportPair()
  serveWire(
    spec,
    far,
    {
      'store.get': ({ key, at }) => `${key}@${at}`,
      'store.all': () => ['a', 'b'],
      'store.find': ({ text }) => text.length,
      'store.put': () => ({}),
    },
    { log: silentLogger, deny: trustedPeer },
  )
  const client = createWireClient(spec, near)
  return forward<typeof spec, typeof readCalls, 'store.'>(() => client, readCalls, 'store.')
}

it("takes arguments in the definition's order, whatever the shape's order", async () => {
  expect(await store().get('color', 3)).toBe('color@3')
})

it('leaves an argument with a default to the callee', async () => {
  expect(await store().get('color')).toBe('color@7')
})

it('passes the parameters of a call without an order as one object', async () => {
  expect(await store().find({ text: 'four' })).toBe(4)
  expect(await store().all()).toEqual(['a', 'b'])
})

it('rejects a definition that leaves a parameter without a position', () => {
  // @ts-expect-error `at` is not in the order
  expect(ordered(['key'], { key: z.string(), at: z.number() }, z.string()).order).toEqual(['key'])
})

it('has a method for each given call, and no other', () => {
  expect(Object.keys(store())).toEqual(['get', 'all', 'find'])
})

it("rejects with the client's error", async () => {
  const closed = forward<typeof spec, typeof readCalls, 'store.'>(
    () => {
      throw new RangeError('not open')
    },
    readCalls,
    'store.',
  )
  await expect(closed.all()).rejects.toThrow('not open')
})
