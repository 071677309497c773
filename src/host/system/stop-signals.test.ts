import { describe, expect, it } from 'vitest'
import { ONE_REQUEST_MS, onStopSignal, stopSignals } from './stop-signals'

describe('requests to stop', () => {
  it.each(['linux', 'darwin'])('come by signals and by the end of the terminal on %s', (platform) => {
    expect(stopSignals(platform)).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP'])
  })

  it('come by Ctrl-Break on Windows, too', () => {
    expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGBREAK'])
  })

  it('are received until the listener is disposed', () => {
    const before = process.listenerCount('SIGTERM')
    const listening = onStopSignal(() => undefined)
    expect(process.listenerCount('SIGTERM')).toBe(before + 1)
    listening.dispose()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })

  it('count once if several signals come close together', () => {
    let now = 1_000
    let requests = 0
    const listening = onStopSignal(
      () => {
        requests += 1
      },
      () => now,
    )

    process.emit('SIGINT')
    process.emit('SIGHUP')
    now += ONE_REQUEST_MS - 1
    process.emit('SIGTERM')
    expect(requests).toBe(1)

    now += 1
    process.emit('SIGINT')
    expect(requests).toBe(2)
    listening.dispose()
  })
})
