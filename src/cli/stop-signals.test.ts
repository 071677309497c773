import { expect, it } from 'vitest'
import { EXIT_FAILED } from './exit-codes'
import { stopAtSignal } from './stop-signals'

it('the first signal stops cleanly, the second at once', () => {
  const stop = new AbortController()
  const exits: number[] = []
  let signal = (): void => undefined
  const world = {
    onStopSignal: (listener: () => void) => {
      signal = listener
      return { dispose: () => undefined }
    },
    exitNow: (code: number) => void exits.push(code),
  }

  stopAtSignal(world, stop)
  signal()
  expect({ isStopping: stop.signal.aborted, exits }).toEqual({ isStopping: true, exits: [] })
  signal()
  expect(exits).toEqual([EXIT_FAILED])
})
