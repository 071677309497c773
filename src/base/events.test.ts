import { expect, it, vi } from 'vitest'
import { Emitter, ListenerFailure } from './events'

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
  const raised: (() => void)[] = []
  vi.stubGlobal('queueMicrotask', (raise: () => void) => void raised.push(raise))
  const emitter = new Emitter<Events>()
  const failure = new Error('listener')
  const seen: number[] = []
  emitter.on('changed', () => {
    throw failure
  })
  emitter.on('changed', (n) => void seen.push(n))

  emitter.emit('changed', 7)
  vi.unstubAllGlobals()

  expect(raised).toHaveLength(1)
  expect(raised[0]).toThrow(new ListenerFailure('changed', failure))
  expect(seen).toEqual([7])
})
