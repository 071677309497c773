import { describe, expect, it } from 'vitest'
import { Emitter, type ListenerFailure } from '../../base/events'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { ProcessFaults } from './process-faults'

function faultsOf() {
  const clock = new FakeClock()
  const state = { raise: (_error: unknown): void => undefined, exits: 0, said: [] as unknown[] }
  const records: LogRecord[] = []
  const log = createLogger('', {
    minLevel: 'info',
    now: () => 0,
    sink: { write: (record) => void records.push(record) },
  })
  const faults = new ProcessFaults({
    onUncaught: (listener) => {
      state.raise = listener
      return { dispose: () => undefined }
    },
    say: (error) => void state.said.push(error),
    exit: () => void state.exits++,
    clock,
  })
  return { faults, state, records, log, clock }
}

const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('uncaught errors', () => {
  it('are logged with their stack, stop services in reverse order, and end the program once', async () => {
    const { faults, state, records, log } = faultsOf()
    const stops: string[] = []
    for (const name of ['first', 'second']) faults.attend({ log, stop: async () => void stops.push(name) })
    const failure = new Error('broken')

    state.raise(failure)
    state.raise(new Error('broken again'))
    await settled()

    expect(stops).toEqual(['second', 'first'])
    expect([state.exits, state.said]).toEqual([1, [failure]])
    expect(records.map(({ fields }) => fields.error)).toEqual(['broken', 'broken again'])
    expect(records[0]?.fields.stack).toContain('process-faults.test')
  })

  it('end a program whose stop hangs', async () => {
    const { faults, state, log, clock } = faultsOf()
    faults.attend({ log, stop: () => new Promise(() => undefined) })

    state.raise('no error at all')
    await settled()
    expect(state.exits).toBe(0)
    clock.advance(10_000)

    expect(state.exits).toBe(1)
  })

  it('end the program once, however long the end takes', async () => {
    const { faults, state, log, clock } = faultsOf()
    faults.attend({ log, stop: async () => undefined })

    state.raise(new Error('broken'))
    await settled()
    clock.advance(10_000)

    expect(state.exits).toBe(1)
  })

  it('stop nothing that has already ended', async () => {
    const { faults, state, log } = faultsOf()
    const stops: string[] = []
    faults.attend({ log, stop: async () => void stops.push('ended') }).dispose()

    state.raise(new Error('broken'))
    await settled()

    expect([stops, state.exits]).toEqual([[], 1])
  })

  it('are survived if a listener threw them', async () => {
    const { faults, state, records, log } = faultsOf()
    faults.attend({ log, stop: () => Promise.reject(new Error('must not be asked')) })
    const raised = new Promise<ListenerFailure>((resolve) => process.once('uncaughtException', resolve as never))
    const emitter = new Emitter<{ changed: number }>()
    const seen: number[] = []
    emitter.on('changed', () => {
      throw new Error('listener')
    })
    emitter.on('changed', (n) => void seen.push(n))

    emitter.emit('changed', 7)
    state.raise(await raised)
    await settled()

    expect(seen).toEqual([7])
    expect(state.exits).toBe(0)
    expect(records.map(({ message, fields }) => [message, fields.event, fields.error])).toEqual([
      ['event listener failed', 'changed', 'listener'],
    ])
  })
})
