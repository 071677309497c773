import { expect, it } from 'vitest'
import { Emitter } from './events'

interface Events {
  readonly changed: number
  readonly ended: string
}

it('calls the listeners of one event in order until they are disposed', () => {
  const emitter = new Emitter<Events>()
  const seen: string[] = []
  const first = emitter.on('changed', (n) => void seen.push(`a${n}`))
  emitter.on('changed', (n) => void seen.push(`b${n}`))

  emitter.emit('changed', 1)
  first.dispose()
  emitter.emit('changed', 2)
  emitter.emit('ended', 'x')

  expect(seen).toEqual(['a1', 'b1', 'b2'])
  expect(emitter.listenerCount('changed')).toBe(1)
})

it('reports a throwing listener and still calls the others', () => {
  const reported: unknown[] = []
  const emitter = new Emitter<Events>((error, name) => void reported.push([name, error]))
  const failure = new Error('listener')
  const seen: number[] = []
  emitter.on('changed', () => {
    throw failure
  })
  emitter.on('changed', (n) => void seen.push(n))

  emitter.emit('changed', 7)

  expect(reported).toEqual([['changed', failure]])
  expect(seen).toEqual([7])
})
