import { describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { ServiceManager } from './service-manager'

const SOCKET = '/run/manager'

function managed(environment: Readonly<Record<string, string>>, failure = '') {
  const clock = new FakeClock()
  const told: string[] = []
  const logged: LogRecord[] = []
  const sender = () => (socket: string, text: string) => {
    told.push(socket === SOCKET ? text : `${socket}: ${text}`)
    return failure
  }
  const manager = new ServiceManager({ environment, pid: 7, sender, clock })
  const log = createLogger('', {
    minLevel: 'info',
    now: () => 0,
    sink: { write: (record) => void logged.push(record) },
  })
  return { manager, clock, log, logged, told: () => told.splice(0) }
}

describe('a service manager', () => {
  it('is asked for time during startup, then fed twice per watchdog period', () => {
    const { manager, clock, log, told } = managed({
      NOTIFY_SOCKET: SOCKET,
      WATCHDOG_USEC: '60000000',
      WATCHDOG_PID: '7',
    })

    manager.starting()
    clock.advance(20_000)
    expect(told()).toEqual(Array(3).fill('EXTEND_TIMEOUT_USEC=60000000'))

    manager.ready(log)
    clock.advance(60_000)
    expect(told()).toEqual(['READY=1', 'WATCHDOG=1', 'WATCHDOG=1', 'WATCHDOG=1'])

    manager.dispose()
    clock.advance(60_000)
    expect(told()).toEqual([])
  })

  it('sees a changed state in one line, and the end', () => {
    const { manager, told } = managed({ NOTIFY_SOCKET: SOCKET })

    for (const text of ['Running', 'Running', 'Running,\nREADY=0']) manager.status(text)
    manager.stopping()

    expect(told()).toEqual(['STATUS=Running', 'STATUS=Running, READY=0', 'STOPPING=1'])
  })

  it.each([
    ['no socket', {}],
    ['a socket of another kind', { NOTIFY_SOCKET: 'vsock:2:1' }],
  ])("isn't notified with %s", (_what, environment) => {
    const { manager, clock, log, told } = managed({ ...environment, WATCHDOG_USEC: '1000000' })

    manager.starting()
    manager.ready(log)
    manager.stopping()
    clock.advance(60_000)

    expect(told()).toEqual([])
  })

  it.each([
    ['of another process', { WATCHDOG_USEC: '1000000', WATCHDOG_PID: '8' }],
    ['without a time', { WATCHDOG_USEC: 'soon' }],
  ])("doesn't feed a watchdog %s", (_what, environment) => {
    const { manager, clock, log, told } = managed({ NOTIFY_SOCKET: SOCKET, ...environment })

    manager.ready(log)
    clock.advance(60_000)

    expect(told()).toEqual(['READY=1'])
  })

  it("logs an error if it can't be notified", () => {
    const { manager, log, logged } = managed({ NOTIFY_SOCKET: SOCKET }, 'Connection refused')

    manager.ready(log)

    expect(logged.map(({ level, fields }) => [level, fields])).toEqual([['error', { reason: 'Connection refused' }]])
  })
})
