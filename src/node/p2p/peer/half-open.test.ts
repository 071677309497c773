import { expect, it } from 'vitest'
import { HalfOpen } from './peer-server'

it('closes the oldest caller of the most crowded neighborhood, and none that left', () => {
  const closed: string[] = []
  const caller = (name: string) => ({ destroy: () => closed.push(name) })
  const waiting = new HalfOpen(4)
  const gone = caller('gone')
  waiting.enter(caller('alone'), '9.9.9.1')
  waiting.enter(gone, '8.8.8.1')
  waiting.leave(gone)
  for (const last of [1, 2, 3]) waiting.enter(caller(`crowd ${last}`), `8.8.8.${last}`)
  expect(closed).toEqual([])

  waiting.enter(caller('next'), '7.7.7.7')
  waiting.enter(caller('last'), '6.6.6.6')

  expect(closed).toEqual(['crowd 1', 'crowd 2'])
  expect(waiting.size).toBe(4)
})
