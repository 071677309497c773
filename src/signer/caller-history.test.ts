import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { Emitter } from '../base/events'
import { silentLogger } from '../base/logger'
import { FakeClock } from '../base/testing/fake-clock'
import { BLOCK_MS, CallerHistory } from './caller-history'
import type { Caller } from './model/request'
import type { SignerEvents } from './signer-service'

const http: Caller = { transport: 'http', remote: '127.0.0.1:5000', local: 'x', userAgent: 'tool/1', origin: '' }
const page: Caller = { ...http, origin: 'https://dapp.example' }
const own: Caller = { ...http, transport: 'app', remote: 'NA' }

describe('the caller history', () => {
  let dir = ''
  let clock: FakeClock
  let decided: unknown[] = []
  let waiting: unknown[] = []
  let events: Emitter<SignerEvents>
  const open = async (): Promise<CallerHistory> => {
    const signer = { events, requests: () => waiting, decide: async (decision: unknown) => void decided.push(decision) }
    const deps = { signer: () => signer as never, clock, log: silentLogger }
    const book = new CallerHistory({ file: join(dir, 'callers.json') }, deps)
    await book.start()
    return book
  }
  const settle = (caller: Caller, state: string) => events.emit('requestSettled', { caller, state } as never)
  const idOf = (book: CallerHistory): string => book.callers()[0]?.id ?? ''

  beforeEach(async () => {
    dir = await mkdtemp(join(tmpdir(), 'callers-'))
    clock = new FakeClock()
    decided = []
    waiting = []
    events = new Emitter()
  })
  afterEach(() => rm(dir, { recursive: true, force: true }))

  it('counts what was allowed and denied, with the first and last time, except for our own form', async () => {
    const book = await open()
    book.admits(http)
    clock.advance(60_000)
    book.admits({ ...http, remote: '127.0.0.1:6000' })
    settle(http, 'signed')
    settle(http, 'rejected')
    settle(http, 'expired')
    settle(http, 'withdrawn')
    book.admits(own)
    settle(own, 'signed')

    const [first, ...others] = book.callers()
    expect(others).toEqual([])
    expect(first).toMatchObject({ host: '127.0.0.1', userAgent: 'tool/1', allowed: 1, denied: 2 })
    expect([first?.firstSeenAt, first?.lastSeenAt]).toEqual([clock.now() - 60_000, clock.now()])
    await book.stop()
  })

  it('identifies a page by its origin and a program by its name, whatever else they claim', async () => {
    const book = await open()
    book.admits(page)
    book.admits({ ...page, userAgent: 'other', remote: '127.0.0.1:1' })
    book.admits({ ...http, process: { pid: 1, name: 'node' } })
    book.admits({ ...http, userAgent: 'other', process: { pid: 2, name: 'node' } })
    book.admits({ ...http, process: { pid: 3, name: 'node', path: '/usr/bin/node' } })

    expect(book.callers()).toHaveLength(3)
    await book.stop()
  })

  it('blocks a caller for a day, also over a restart, and rejects only its waiting requests', async () => {
    const first = await open()
    first.admits(page)
    const request = { nonce: 'n', contentHash: 'h', state: 'waiting' }
    waiting = [
      { ...request, id: 'mine', caller: page },
      { ...request, id: 'other', caller: http },
      { ...request, id: 'worked on', state: 'approved', caller: page },
    ]
    const until = await first.block(idOf(first))
    const other = first.admits(http)
    await first.stop()
    const second = await open()
    const refused = second.admits(page)
    const denied = second.callers()[0]?.denied
    clock.advance(BLOCK_MS)

    expect(until).toBe(clock.now())
    expect(decided).toMatchObject([{ id: 'mine', decision: 'reject' }])
    expect([other, refused, denied]).toEqual([true, false, 1])
    expect(second.admits(page)).toBe(true)
    await second.stop()
  })

  it('accepts a caller again on request', async () => {
    const book = await open()
    book.admits(page)
    await book.block(idOf(book))
    await book.unblock(idOf(book))
    await book.stop()

    expect((await open()).admits(page)).toBe(true)
    expect(await book.block('0'.repeat(16))).toBeNull()
  })

  it('drops the one not seen for longest, never a blocked one', async () => {
    const book = await open()
    book.admits(page)
    await book.block(idOf(book))
    for (let each = 0; each < 250; each++) {
      clock.advance(1)
      book.admits({ ...http, userAgent: `tool/${each}` })
    }

    const kept = book.callers()
    expect(kept).toHaveLength(200)
    expect(kept.some(({ origin }) => origin === page.origin)).toBe(true)
    expect(kept.some(({ userAgent }) => userAgent === 'tool/0')).toBe(false)
    await book.stop()
  })

  it('moves a foreign file aside and continues', async () => {
    await writeFile(join(dir, 'callers.json'), '{"version":1,"callers":[{"id":"zz"}]}')
    const book = await open()

    expect(book.callers()).toEqual([])
    expect(await readFile(join(dir, 'callers.json.unreadable'), 'utf8')).toContain('zz')
    await book.stop()
  })
})
