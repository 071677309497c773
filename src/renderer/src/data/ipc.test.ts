// The desktop window's connection: tells a blocked main process from one that has nothing to say.
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { PreloadBridge } from '../../../contract/contract'
import { anInfo } from '../testing/scripted-values'
import { createIpcBackend } from './ipc'

function begin() {
  const clock = new FakeClock()
  const sent: { id: number; name: string }[] = []
  let receive: (frame: unknown) => void = () => undefined
  let closed: (reason: string) => void = () => undefined
  const bridge: PreloadBridge = {
    window: 'dashboard',
    send: (frame) => void sent.push(Object(frame)),
    onMessage: (listener) => {
      receive = listener
    },
    onClose: (listener) => {
      closed = listener
    },
  }
  const backend = createIpcBackend(bridge, clock)
  return { clock, sent, backend, receive: (frame: unknown) => receive(frame), end: (reason: string) => closed(reason) }
}

describe('an event that this page can’t read', () => {
  const told = { open: [], recent: [], takenAt: 1 }
  const strange = { ...told, open: [{ cause: 'of a newer program' }] }

  it('is named until one of its values can be read', () => {
    const { backend, receive } = begin()
    const seen: (readonly string[])[] = []
    const heard: unknown[] = []
    backend.onUnread(() => seen.push(backend.unread()))
    backend.on('miner.incidents', (incidents) => heard.push(incidents))

    for (const payload of [strange, strange, told]) receive({ t: 'event', name: 'miner.incidents', payload })

    expect(seen).toEqual([['miner.incidents'], []])
    expect(heard).toEqual([told])
  })

  it('is no event that this page has no use for', () => {
    const { backend, receive } = begin()

    for (const name of ['miner.newer', 'toString']) receive({ t: 'event', name, payload: {} })

    expect(backend.unread()).toEqual([])
  })
})

describe('a silent main process', () => {
  it('is probed after 5 s, and is there when it answers', () => {
    const { clock, sent, backend, receive } = begin()

    clock.advance(5_000)
    expect(sent).toMatchObject([{ t: 'call', name: 'app.info' }])
    clock.advance(4_000)
    receive({ t: 'result', id: sent[0]?.id, result: anInfo() })
    clock.advance(4_000)

    expect(backend.connection()).toEqual({ kind: 'open' })
  })

  it("is gone since its last message if it doesn't answer, and back with the first one", () => {
    const { clock, backend, receive } = begin()
    const heardAt = clock.now()
    const seen: string[] = []
    backend.onConnection(() => seen.push(backend.connection().kind))

    clock.advance(30_000)

    expect(backend.connection()).toEqual({
      kind: 'lost',
      since: heardAt,
      retryAt: Number.POSITIVE_INFINITY,
      reason: 'silent',
    })
    receive({ t: 'event', name: 'app.activity', payload: { entries: [] } })
    expect(backend.connection()).toEqual({ kind: 'open' })
    expect(seen).toEqual(['lost', 'open'])
  })

  it('is noticed as soon when the clock of the computer is set back', () => {
    const { clock, backend } = begin()

    clock.setWallClock(-3_600_000)
    const heardAt = clock.now()
    clock.advance(30_000)

    expect(backend.connection()).toMatchObject({ kind: 'lost', since: heardAt, reason: 'silent' })
  })

  it('that ended stays gone', () => {
    const { clock, backend, end } = begin()

    end('backend stopped')
    clock.advance(60_000)

    expect(backend.connection()).toMatchObject({ kind: 'lost', reason: 'backend stopped' })
  })
})
