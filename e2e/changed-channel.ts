// The channel between page and program with a test in between: the program's messages pass unchanged, except those that
// the test holds back, fails or replaces. For states that the real program is in only for a moment, or only after
// hours.
import type { Page } from 'playwright-core'
import { z } from 'zod'

const frameSchema = z.looseObject({ t: z.string(), id: z.number().optional(), name: z.string().optional() })
type Frame = z.infer<typeof frameSchema>

/** The frames of a message: those that left the program together are an array. */
export function framesOf(text: string | Buffer): readonly Frame[] {
  const message: unknown = JSON.parse(String(text))
  return z.array(frameSchema).parse(Array.isArray(message) ? message : [message])
}

export interface ChangedChannel {
  /** Events of this name, and answers to its calls, don't arrive until they are released; null = of every name. */
  hold(name: string | null): Promise<void>
  /** Null = releases everything; a name is then free while everything else is held. */
  release(name: string | null): Promise<void>
  /** Calls of this name fail with `message` and don't reach the program; null: they do again. */
  fail(name: string, message: string | null): Promise<void>
  /**
   * Events of this name, and answers to its calls, carry these fields instead of their own; immediately for the last
   * event. A call that the program refuses is answered with them alone.
   */
  change(name: string, fields: object): Promise<void>
  /** Number of calls of this name that the page made so far. */
  count(name: string): Promise<number>
}

/** Call before the page is opened. */
export async function changeChannel(page: Page): Promise<ChangedChannel> {
  const held = new Map<string | null, Frame[]>()
  const free = new Set<string>()
  const failures = new Map<string, string>()
  const changes = new Map<string, object>()
  const last = new Map<string, Frame>()
  const counts = new Map<string, number>()
  let send: (frame: Frame) => void = () => undefined

  const shown = (frame: Frame, asked: string | undefined): Frame => {
    const fields = changes.get(frame.name ?? asked ?? '')
    if (fields === undefined) return frame
    return asked === undefined
      ? { ...frame, payload: { ...Object(frame.payload), ...fields } }
      : { ...frame, t: 'result', result: { ...Object(frame.result), ...fields } }
  }
  await page.routeWebSocket(/\/ui\/v1\/channel$/, (socket) => {
    const server = socket.connectToServer()
    const names = new Map<number, string>()
    send = (frame) => socket.send(JSON.stringify(frame))
    socket.onMessage((text) => {
      const { id, name = '' } = frameSchema.parse(JSON.parse(String(text)))
      if (id !== undefined) names.set(id, name)
      counts.set(name, (counts.get(name) ?? 0) + 1)
      const failure = failures.get(name)
      if (failure === undefined) server.send(text)
      else send({ t: 'error', id, code: 'CONTRACT_FAILED', message: failure, data: null })
    })
    const pass = (frame: Frame): void => {
      const asked = frame.t === 'event' ? undefined : names.get(frame.id ?? -1)
      if (frame.name !== undefined) last.set(frame.name, frame)
      const name = frame.name ?? asked ?? ''
      const isFree = name === '' || free.has(name)
      const waiting = held.get(name) ?? (isFree ? undefined : held.get(null))
      if (waiting === undefined) send(shown(frame, asked))
      else waiting.push(shown(frame, asked))
    }
    server.onMessage((text) => framesOf(text).forEach(pass))
  })
  const release = (name: string | null): void => {
    for (const frame of held.get(name) ?? []) send(frame)
    held.delete(name)
  }
  return {
    hold: async (name) => void held.set(name, []),
    async release(name) {
      if (name === null) free.clear()
      else free.add(name)
      for (const one of name === null ? [...held.keys()] : [name]) release(one)
    },
    fail: async (name, message) => void (message === null ? failures.delete(name) : failures.set(name, message)),
    async change(name, fields) {
      changes.set(name, fields)
      const frame = last.get(name)
      if (frame !== undefined) send(shown(frame, undefined))
    },
    count: async (name) => counts.get(name) ?? 0,
  }
}
