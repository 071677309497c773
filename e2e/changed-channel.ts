// The channel between page and program with a test in between: what the program says comes through as it is, but for what the
// test holds back, makes fail or puts in its place. For states that the real program only has for a moment, or for hours.
import type { Page } from 'playwright-core'
import { z } from 'zod'

const frameSchema = z.looseObject({ t: z.string(), id: z.number().optional(), name: z.string().optional() })
type Frame = z.infer<typeof frameSchema>

export interface ChangedChannel {
  /** Events of this name, and answers to calls of it, do not arrive until they are released. */
  hold(name: string): void
  release(name: string): void
  /** Calls of this name fail with `message`; null: they no longer do. */
  fail(name: string, message: string | null): void
  /** Events of this name carry what `change` makes of their content, the last one at once. */
  change(name: string, change: (payload: unknown) => unknown): void
  /** Calls of this name that the page made so far. */
  count(name: string): number
}

/** Before the page is opened. */
export async function changeChannel(page: Page): Promise<ChangedChannel> {
  const held = new Map<string, Frame[]>()
  const failures = new Map<string, string>()
  const changes = new Map<string, (payload: unknown) => unknown>()
  const last = new Map<string, Frame>()
  const counts = new Map<string, number>()
  let send: (frame: Frame) => void = () => undefined

  const shown = (frame: Frame, asked: string | undefined): Frame => {
    const failure = failures.get(asked ?? '')
    if (failure !== undefined)
      return { t: 'error', id: frame.id, code: 'CONTRACT_FAILED', message: failure, data: null }
    const change = changes.get(frame.name ?? '')
    return change === undefined ? frame : { ...frame, payload: change(frame.payload) }
  }
  await page.routeWebSocket(/\/ui\/v1\/channel$/, (socket) => {
    const server = socket.connectToServer()
    const names = new Map<number, string>()
    send = (frame) => socket.send(JSON.stringify(frame))
    socket.onMessage((text) => {
      const { id, name = '' } = frameSchema.parse(JSON.parse(String(text)))
      if (id !== undefined) names.set(id, name)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      server.send(text)
    })
    server.onMessage((text) => {
      const frame = frameSchema.parse(JSON.parse(String(text)))
      const asked = frame.t === 'event' ? undefined : names.get(frame.id ?? -1)
      if (frame.name !== undefined) last.set(frame.name, frame)
      const waiting = held.get(frame.name ?? asked ?? '')
      if (waiting === undefined) send(shown(frame, asked))
      else waiting.push(shown(frame, asked))
    })
  })
  return {
    hold: (name) => void held.set(name, []),
    release(name) {
      const waiting = held.get(name) ?? []
      held.delete(name)
      for (const frame of waiting) send(frame)
    },
    fail: (name, message) => void (message === null ? failures.delete(name) : failures.set(name, message)),
    change(name, change) {
      changes.set(name, change)
      const frame = last.get(name)
      if (frame !== undefined) send(shown(frame, undefined))
    },
    count: (name) => counts.get(name) ?? 0,
  }
}
