import { describe, expect, it } from 'vitest'
import { hasCode } from '../../base/errors'
import { LifecycleError } from '../../base/lifecycle'
import { createLogger, silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { SupervisedService } from './supervised-service'

class FakeService {
  readonly name = 'node'
  readonly calls: string[] = []
  failure: Error | null = null

  async start(): Promise<void> {
    this.calls.push('start')
    if (this.failure !== null) throw this.failure
  }

  async stop(): Promise<void> {
    this.calls.push('stop')
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve))
const never = new AbortController().signal

function supervised(inner: FakeService, clock = new FakeClock(), log = silentLogger) {
  return new SupervisedService(inner, { isFatal: (error) => hasCode(error, 'HOST_STOP_TIMEOUT') }, { clock, log })
}

describe('a supervised service', () => {
  it('shows a failed start without affecting the others', async () => {
    const inner = new FakeService()
    inner.failure = new Error('broken')
    const service = supervised(inner)

    await service.start(never)

    expect(service.view()).toEqual({ name: 'node', state: 'failed', reason: 'broken' })
    expect(inner.calls).toEqual(['start', 'stop'])
  })

  it('can be started again after a stop that failed', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    inner.stop = async () => {
      throw new Error('its worker is gone')
    }

    await expect(service.stop()).rejects.toThrow('its worker is gone')
    expect(service.view()).toMatchObject({ state: 'failed', reason: 'its worker is gone' })
    await service.switchOn()
    expect(service.view()).toMatchObject({ state: 'running' })
  })

  it('runs work while it is stopped, and starts again', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    const seen: string[] = []
    await service.whileStopped(async () => void seen.push(service.view().state, ...inner.calls))
    await settle()

    expect(seen).toEqual(['off', 'start', 'stop'])
    expect(inner.calls).toEqual(['start', 'stop', 'start'])
    expect(service.view().state).toBe('running')
  })

  it('that is stopped during such work aborts it, waits for it, and stays off', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    const order: string[] = []
    await service.whileStopped(
      (signal) =>
        new Promise((resolve) => {
          const end = (): void => {
            order.push('work ended')
            resolve()
          }
          signal.addEventListener('abort', () => setImmediate(end))
        }),
    )

    await service.stop()
    order.push('stopped')

    expect(order).toEqual(['work ended', 'stopped'])
    expect(inner.calls).toEqual(['start', 'stop', 'stop'])
    expect(service.view().state).toBe('off')
  })

  it('that is switched on during such work starts once, after it', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    let end = (): void => undefined
    await service.whileStopped(
      () =>
        new Promise((resolve) => {
          end = resolve
        }),
    )
    const switchedOn = service.switchOn()
    await settle()
    expect(inner.calls).toEqual(['start', 'stop'])
    end()
    await switchedOn

    expect(inner.calls.filter((call) => call === 'start')).toHaveLength(2)
    expect(service.view().state).toBe('running')
  })

  it.each(['the program', 'somebody'])('is off, without an error, when %s stops it while it starts', async (who) => {
    const inner = new FakeService()
    const told: string[] = []
    const sink = { write: ({ message }: { readonly message: string }): void => void told.push(message) }
    const service = supervised(
      inner,
      new FakeClock(),
      createLogger('', { minLevel: 'info', now: () => new FakeClock().now(), sink }),
    )
    let breakOff = (): void => undefined
    inner.start = () =>
      new Promise((_resolve, reject) => {
        breakOff = () => reject(new Error('connection closed'))
      })
    const program = new AbortController()
    const started = service.start(program.signal).catch((error: Error) => error.message)

    if (who === 'somebody') await service.stop()
    else program.abort(new Error('stopped by a signal'))
    breakOff()

    expect(await started).toBe(who === 'somebody' ? undefined : 'connection closed')
    expect(service.view()).toEqual({ name: 'node', state: 'off', reason: '' })
    expect(told).toEqual([])
  })

  it('passes a fatal failure on', async () => {
    const inner = new FakeService()
    inner.failure = new LifecycleError('HOST_STOP_TIMEOUT', { service: 'node', budgetMs: 1 })

    await expect(supervised(inner).start(never)).rejects.toMatchObject({ code: 'HOST_STOP_TIMEOUT' })
  })

  it('restarts after a lost worker, twice in five minutes, then fails', async () => {
    const clock = new FakeClock()
    const inner = new FakeService()
    const service = supervised(inner, clock)
    await service.start(never)

    for (let index = 0; index < 2; index++) {
      service.workerLost('died')
      await settle()
      expect(service.view().state).toBe('running')
    }
    service.workerLost('died')
    await settle()

    expect(service.view()).toMatchObject({ state: 'failed', reason: 'died' })
    expect(inner.calls.filter((call) => call === 'start')).toHaveLength(3)
  })

  it('forgets failures older than five minutes', async () => {
    const clock = new FakeClock()
    const service = supervised(new FakeService(), clock)
    await service.start(never)

    for (let index = 0; index < 4; index++) {
      service.workerLost('died')
      await settle()
      clock.advance(200_000)
    }

    expect(service.view().state).toBe('running')
  })

  it("doesn't restart while being stopped", async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)

    const stopped = service.stop()
    service.workerLost('died')
    await stopped

    expect(inner.calls).toEqual(['start', 'stop'])
    expect(service.view().state).toBe('off')
  })

  it('is stopped and started by hand, repeatedly', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    await service.stop()
    expect(service.view().state).toBe('off')

    await service.switchOn()
    await service.switchOn()
    expect(service.view().state).toBe('running')
    await service.stop()

    expect(inner.calls).toEqual(['start', 'stop', 'start', 'stop'])
    expect(service.view().state).toBe('off')
  })

  it("reports why it can't be started by hand, and can be tried again", async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    await service.stop()
    inner.failure = new Error('port in use')

    await expect(service.switchOn()).rejects.toThrow('port in use')
    expect(service.view()).toEqual({ name: 'node', state: 'failed', reason: 'port in use' })
    inner.failure = null
    await service.switchOn()

    expect(service.view().state).toBe('running')
  })

  it('stops only after a manual start has finished', async () => {
    const inner = new FakeService()
    const service = supervised(inner)
    await service.start(never)
    await service.stop()
    let go: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      go = resolve
    })
    inner.start = async () => {
      await gate
      inner.calls.push('started')
    }
    const on = service.switchOn()
    const off = service.stop()
    await settle()
    expect(inner.calls).toEqual(['start', 'stop'])
    go()
    await Promise.all([on, off])

    expect(inner.calls).toEqual(['start', 'stop', 'started', 'stop'])
    expect(service.view().state).toBe('off')
  })
})
