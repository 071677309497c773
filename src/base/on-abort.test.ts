import { expect, it } from 'vitest'
import { onAbort } from './on-abort'

function countedAbort(): { readonly abort: AbortController; readonly listeners: () => number } {
  const abort = new AbortController()
  let listeners = 0
  const add = abort.signal.addEventListener.bind(abort.signal)
  Object.defineProperty(abort.signal, 'addEventListener', {
    value: (name: string, listener: () => void) => {
      listeners += 1
      add(name, listener)
    },
  })
  return { abort, listeners: () => listeners }
}

it('notifies all waiters in order, through one listener', () => {
  const { abort, listeners } = countedAbort()
  const told: number[] = []
  for (let i = 0; i < 100; i++) onAbort(abort.signal, () => told.push(i))

  abort.abort()

  expect(told).toEqual(Array.from({ length: 100 }, (_, i) => i))
  expect(listeners()).toBe(1)
})

it('drops those who no longer wait', () => {
  const abort = new AbortController()
  const told: string[] = []
  onAbort(abort.signal, () => told.push('first')).dispose()
  onAbort(abort.signal, () => told.push('second'))

  abort.abort()
  abort.abort()

  expect(told).toEqual(['second'])
})

it('calls the same callback once per wait, and immediately when already aborted', () => {
  const abort = new AbortController()
  let told = 0
  const tell = (): void => {
    told += 1
  }
  onAbort(abort.signal, tell)
  onAbort(abort.signal, tell).dispose()
  onAbort(abort.signal, tell)
  abort.abort()
  onAbort(abort.signal, tell)

  expect(told).toBe(3)
})
