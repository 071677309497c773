import { expect, it } from 'vitest'
import { createFlags, Flags } from './flags'

const room = { maxWaiting: 2, timeoutMs: 5 }

it('lets a sender continue while few chunks are pending', () => {
  const flags = new Flags(createFlags())

  expect(flags.waitForRoom(0, 2, room)).toBe(true)
})

it('gives up on a reader that reads nothing', () => {
  const flags = new Flags(createFlags())

  expect(flags.waitForRoom(0, 3, room)).toBe(false)
})

it('counts read chunks separately for each query', () => {
  const flags = new Flags(createFlags())
  flags.taken(1)

  expect(flags.waitForRoom(1, 3, room)).toBe(true)
  expect(flags.waitForRoom(0, 3, room)).toBe(false)
})

it('gives no room to a stopped query, until the flag is used again', () => {
  const flags = new Flags(createFlags())
  flags.stop(3)
  expect(flags.isStopped(3)).toBe(true)
  expect(flags.waitForRoom(3, 0, room)).toBe(false)

  flags.reset(3)

  expect(flags.isStopped(3)).toBe(false)
  expect(flags.waitForRoom(3, 0, room)).toBe(true)
})
