import { expect, it } from 'vitest'
import { z } from 'zod'
import { defineErrors, HeadframeError, hasCode, messageOf } from './errors'

const PoolError = defineErrors({
  POOL_CLOSED: (d: { host: string }) => `connection to ${d.host} closed`,
  POOL_LATE: (d: { ms: number }) => `no answer within ${d.ms} ms`,
})

it('builds the message from the data and keeps code, data and cause', () => {
  const cause = new Error('reset')

  const error = new PoolError('POOL_CLOSED', { host: 'a:1' }, { cause })

  expect(error).toBeInstanceOf(HeadframeError)
  expect(error).toMatchObject({
    code: 'POOL_CLOSED',
    data: { host: 'a:1' },
    message: 'connection to a:1 closed',
    cause,
  })
})

it('is distinguished by code, never by class', () => {
  const error: unknown = new PoolError('POOL_LATE', { ms: 5 })

  expect(hasCode(error, 'POOL_LATE')).toBe(true)
  expect(hasCode(error, 'POOL_CLOSED')).toBe(false)
  expect(hasCode(new Error('POOL_LATE'), 'POOL_LATE')).toBe(false)
})

it('exposes its table to the reference page', () => {
  expect(Object.keys(PoolError.table)).toEqual(['POOL_CLOSED', 'POOL_LATE'])
})

it('has a text for anything thrown', () => {
  expect(messageOf(new Error('a'))).toBe('a')
  expect(messageOf('b')).toBe('b')
})

it('names the first fault of a value that a schema rejects, in one line', () => {
  const { error } = z.object({ list: z.array(z.number()) }).safeParse({ list: [1, 'x', null] })
  expect(messageOf(error)).toBe('list.1: want number, not string')
  expect(messageOf(z.object({ a: z.string() }).safeParse({}).error)).toBe('a: missing, want string')
  expect(messageOf(z.array(z.string()).safeParse({}).error)).toBe('want array, not object')
})
