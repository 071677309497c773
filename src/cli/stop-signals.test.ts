import { expect, it } from 'vitest'
import type { CliCall } from './call'
import { EXIT_FAILED } from './exit-codes'
import { Secrets } from './secrets'
import { stopAtSignal, untilSignal } from './stop-signals'

function signalled() {
  const exits: number[] = []
  let signal = (): void => undefined
  const world = {
    onStopSignal: (listener: () => void) => {
      signal = listener
      return { dispose: () => undefined }
    },
    exitNow: (code: number) => void exits.push(code),
  }
  return { exits, world, signal: () => signal() }
}

it('the first signal stops cleanly, the second at once', () => {
  const stop = new AbortController()
  const { world, signal, exits } = signalled()

  stopAtSignal(world, stop)
  signal()
  expect({ isStopping: stop.signal.aborted, exits }).toEqual({ isStopping: true, exits: [] })
  signal()
  expect(exits).toEqual([EXIT_FAILED])
})

it('a signal ends a question that nobody answers', async () => {
  const { world, signal, exits } = signalled()
  const askSecret = (): Promise<string | null> => new Promise(() => undefined)
  const call = { parsed: { password: null }, world: { ...world, askSecret } } as unknown as CliCall

  const asked = untilSignal(world, (stop) => new Secrets(call, stop).next({ what: 'password', isNew: true }))
  signal()

  await expect(asked).rejects.toThrow('stopped by a signal')
  expect(exits).toEqual([])
})
