import { expect, it } from 'vitest'
import { FakeClock } from './fake-clock'
import { Disposables, type Service, ServiceGroup } from './lifecycle'
import { createLogger, type LogRecord, silentLogger } from './logger'

class FakeService implements Service {
  constructor(
    readonly name: string,
    readonly calls: string[],
    readonly behaviour: 'ok' | 'fails' | 'hangs' = 'ok',
  ) {}

  async start(): Promise<void> {
    this.calls.push(`start ${this.name}`)
    if (this.behaviour === 'fails') throw new Error(`${this.name} broke`)
  }

  stop(): Promise<void> {
    this.calls.push(`stop ${this.name}`)
    return this.behaviour === 'hangs' ? new Promise(() => undefined) : Promise.resolve()
  }
}

const options = () => ({ log: silentLogger, clock: new FakeClock() })

it('starts in order and stops in reverse', async () => {
  const calls: string[] = []
  const group = new ServiceGroup('all', [new FakeService('a', calls), new FakeService('b', calls)], options())

  await group.start(new AbortController().signal)
  await group.stop()

  expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a'])
})

it('stops what has started, the failing one included, when a later service fails', async () => {
  const calls: string[] = []
  const services = [new FakeService('a', calls), new FakeService('b', calls, 'fails'), new FakeService('c', calls)]
  const group = new ServiceGroup('all', services, options())

  await expect(group.start(new AbortController().signal)).rejects.toThrow('b broke')

  expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a'])
})

it('may be started again after a stop', async () => {
  const calls: string[] = []
  const group = new ServiceGroup('all', [new FakeService('a', calls)], options())

  await group.start(new AbortController().signal)
  await group.stop()
  await group.stop()
  await group.start(new AbortController().signal)

  expect(calls).toEqual(['start a', 'stop a', 'start a'])
})

it('leaves a service behind that does not stop within its budget, and says so', async () => {
  const calls: string[] = []
  const clock = new FakeClock()
  const records: LogRecord[] = []
  const log = createLogger('', { minLevel: 'debug', now: () => 0, sink: { write: (r) => void records.push(r) } })
  const services = [new FakeService('a', calls), new FakeService('slow', calls, 'hangs')]
  const group = new ServiceGroup('all', services, { log, clock, stopBudgetMs: { slow: 500 } })
  await group.start(new AbortController().signal)

  const stopped = group.stop()
  clock.advance(500)
  await stopped

  expect(calls).toEqual(['start a', 'start slow', 'stop slow', 'stop a'])
  expect(records.some((r) => r.level === 'error' && r.fields.code === 'HOST_STOP_TIMEOUT')).toBe(true)
})

it('starts nothing after an abort', async () => {
  const calls: string[] = []
  const group = new ServiceGroup('all', [new FakeService('a', calls)], options())
  const abort = new AbortController()
  abort.abort(new Error('told to stop'))

  await expect(group.start(abort.signal)).rejects.toThrow('told to stop')

  expect(calls).toEqual(['stop a'])
})

it('releases in reverse order, once', () => {
  const released: string[] = []
  const bag = new Disposables()
  bag.defer(() => void released.push('first'))
  bag.add({ dispose: () => void released.push('second') })

  bag.dispose()
  bag.dispose()

  expect(released).toEqual(['second', 'first'])
})
