import { describe, expect, it } from 'vitest'
import { onStopSignal, stopSignals } from './stop-signals'

describe('requests to stop', () => {
  it.each(['linux', 'darwin'])('leave a hang-up alone on %s', (platform) => {
    expect(stopSignals(platform)).toEqual(['SIGINT', 'SIGTERM'])
  })

  it('come by Ctrl-Break and by closing the console on Windows, too', () => {
    expect(stopSignals('win32')).toEqual(['SIGINT', 'SIGTERM', 'SIGBREAK', 'SIGHUP'])
  })

  it('are heard until the listener is disposed', () => {
    const before = process.listenerCount('SIGTERM')
    const listening = onStopSignal(() => undefined)
    expect(process.listenerCount('SIGTERM')).toBe(before + 1)
    listening.dispose()
    expect(process.listenerCount('SIGTERM')).toBe(before)
  })
})
