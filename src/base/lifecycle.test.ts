import { expect, it } from 'vitest'
import { Disposables, type Service, ServiceGroup } from './lifecycle'
import { createLogger, type LogRecord, silentLogger } from './logger'
import { FakeClock } from './testing/fake-clock'

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

it('stops what has started, including the failing service, when a later one fails', async () => {
  const calls: string[] = []
  const services = [new FakeService('a', calls), new FakeService('b', calls, 'fails'), new FakeService('c', calls)]
  const group = new ServiceGroup('all', services, options())

  await expect(group.start(new AbortController().signal)).rejects.toThrow('b broke')

  expect(calls).toEqual(['start a', 'start b', 'stop b', 'stop a'])
})

it('can be started again after a stop', async () => {
  const calls: string[] = []
  const group = new ServiceGroup('all', [new FakeService('a', calls)], options())

  await group.start(new AbortController().signal)
  await group.stop()
  await group.stop()
  await group.start(new AbortController().signal)

  expect(calls).toEqual(['start a', 'stop a', 'start a'])
})

it("abandons a service that doesn't stop within its budget, and reports it", async () => {
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

it('makes a second stop wait for the first', async () => {
  const calls: string[] = []
  const clock = new FakeClock()
  const group = new ServiceGroup('all', [new FakeService('a', calls, 'hangs')], { log: silentLogger, clock })
  await group.start(new AbortController().signal)
  let isOver = false

  const stops = [group.stop(), group.stop().then(() => (isOver = true))]
  await settled()
  expect(isOver).toBe(false)
  clock.advance(2_000)
  await Promise.all(stops)

  expect(calls).toEqual(['start a', 'stop a'])
})

it("doesn't wait for a start that ignores its signal", async () => {
  const calls: string[] = []
  const clock = new FakeClock()
  const deaf = new FakeService('deaf', calls)
  deaf.start = () => new Promise(() => undefined)
  const group = new ServiceGroup('all', [new FakeService('a', calls), deaf], { log: silentLogger, clock })
  const abort = new AbortController()
  const started = group.start(abort.signal)
  const outcome = started.catch((error: unknown) => error)

  await settled()
  abort.abort(new Error('told to stop'))
  clock.advance(1_000)

  expect(await outcome).toMatchObject({ message: 'told to stop' })
  expect(calls).toEqual(['start a', 'stop deaf', 'stop a'])
})

it('gives all services a shared time to stop, and a little more to those after one that used it up', async () => {
  const calls: string[] = []
  const clock = new FakeClock()
  const services = ['a', 'b', 'c'].map((name) => new FakeService(name, calls, 'hangs'))
  const group = new ServiceGroup('all', services, { log: silentLogger, clock, defaultStopMs: 400, totalStopMs: 500 })
  await group.start(new AbortController().signal)

  const stopped = group.stop()
  for (const waitedMs of [400, 100, 100]) {
    clock.advance(waitedMs)
    await settled()
  }
  await stopped

  expect(calls.slice(3)).toEqual(['stop c', 'stop b', 'stop a'])
})

const settled = () => new Promise((resolve) => setImmediate(resolve))
