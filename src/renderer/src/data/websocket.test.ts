// The browser's connection: hello, welcome, retries, and the meaning of a refused token.
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { anInfo } from '../testing/scripted-values'
import { LOOPBACK_BACK_OFF_SECONDS } from './reach'
import { createTokenStore, takeTokenFromAddress, watchAddress } from './token-store'
import {
  channelUrl,
  createWebSocketBackend,
  type Socket,
  type SocketListener,
  type WebSocketBackendOptions,
} from './websocket'

class FakeSocket implements Socket {
  readonly sent: unknown[] = []
  isClosed = false

  constructor(readonly listener: SocketListener) {}

  send(text: string): void {
    this.sent.push(JSON.parse(text))
  }

  close(): void {
    this.isClosed = true
  }

  welcome(): void {
    this.listener.onOpen()
    this.receive({ t: 'welcome', access: { control: true, approve: true } })
  }

  receive(frame: unknown): void {
    this.listener.onText(JSON.stringify(frame))
  }

  drop(code = 1006): void {
    this.listener.onClose(code, 'gone')
  }
}

function memoryStorage(): Storage {
  const map = new Map<string, string>()
  return {
    length: 0,
    clear: () => map.clear(),
    key: () => null,
    getItem: (key) => map.get(key) ?? null,
    setItem: (key, value) => void map.set(key, value),
    removeItem: (key) => void map.delete(key),
  }
}

function begin(token: string | null = null, patience: Partial<WebSocketBackendOptions> = {}) {
  const clock = new FakeClock()
  const sockets: FakeSocket[] = []
  const session = memoryStorage()
  const device = memoryStorage()
  const tokens = createTokenStore(session, device, '/')
  if (token !== null) tokens.write(token, false)
  const openSocket = (listener: SocketListener): FakeSocket => {
    const socket = new FakeSocket(listener)
    sockets.push(socket)
    return socket
  }
  const backend = createWebSocketBackend({ openSocket, clock, tokens, ...patience })
  const newest = (): FakeSocket => sockets[sockets.length - 1] as FakeSocket
  return { clock, sockets, tokens, device, backend, newest }
}

describe('the first message', () => {
  it.each([null, 'secret'])('is a hello with the token %s', (token) => {
    const { newest } = begin(token)

    newest().listener.onOpen()

    expect(newest().sent).toEqual([{ t: 'hello', token, batches: true }])
  })

  it('is followed by the contract only after the welcome', async () => {
    const { backend, newest } = begin()
    const early = backend.call('app.info', {})
    newest().welcome()
    const call = backend.call('app.info', {})
    newest().receive({ t: 'result', id: 1, result: anInfo() })

    await expect(early).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
    await expect(call).resolves.toMatchObject({ network: 'practice' })
    expect(backend.connection()).toEqual({ kind: 'open' })
  })

  it('may be followed by several messages as one, each of which counts', async () => {
    const { backend, newest } = begin()
    const seen: string[] = []
    newest().welcome()
    backend.on('app.activity', () => seen.push('activity'))
    backend.on('app.disk', () => seen.push('disk'))
    const call = backend.call('app.info', {})

    newest().receive([
      { t: 'event', name: 'app.activity', payload: { entries: [] } },
      { t: 'result', id: 1, result: anInfo() },
      { t: 'event', name: 'app.disk', payload: { freeBytes: 1, takenAt: 1 } },
    ])

    expect(seen).toEqual(['activity', 'disk'])
    await expect(call).resolves.toMatchObject({ network: 'practice' })
  })

  it('ends a batch with the connection: nothing after it counts', () => {
    const { backend, newest } = begin()
    const heard = vi.fn(() => backend.close())
    newest().welcome()
    backend.on('app.activity', heard)
    const event = { t: 'event', name: 'app.activity', payload: { entries: [] } }

    newest().receive([event, event])

    expect(heard).toHaveBeenCalledTimes(1)
  })

  it('survives frames that are not JSON', () => {
    const { backend, newest } = begin()
    newest().welcome()

    newest().listener.onText('{')
    newest().listener.onText(new ArrayBuffer(2))

    expect(backend.connection().kind).toBe('open')
  })
})

describe('lost contact', () => {
  it('retries after 1, 2, 5, 10, 30 and 30 s', () => {
    const { clock, sockets, newest } = begin()

    for (const seconds of [1, 2, 5, 10, 30, 30]) {
      const before = sockets.length
      newest().drop()
      clock.advance(seconds * 1000 - 1)
      expect(sockets).toHaveLength(before)
      clock.advance(1)
      expect(sockets).toHaveLength(before + 1)
    }
  })

  it('reports since when and until when, and starts over after success', () => {
    const { clock, backend, newest } = begin()
    newest().welcome()
    const lostAt = clock.now()
    newest().drop()
    clock.advance(1000)
    newest().drop()
    expect(backend.connection()).toMatchObject({ kind: 'lost', since: lostAt, retryAt: clock.now() + 2000 })

    clock.advance(2000)
    newest().welcome()
    newest().drop()

    expect(backend.connection()).toMatchObject({ since: clock.now(), retryAt: clock.now() + 1000 })
  })

  it('keeps subscriptions over a new connection', () => {
    const { clock, backend, newest } = begin()
    const seen: number[] = []
    backend.on('node.balances', ({ takenAt }) => seen.push(takenAt))
    const balances = (takenAt: number) => ({
      t: 'event',
      name: 'node.balances',
      payload: { asOf: 1, accounts: [], takenAt },
    })
    newest().welcome()
    newest().receive(balances(1))
    newest().drop()
    clock.advance(1000)
    newest().welcome()

    newest().receive(balances(2))

    expect(seen).toEqual([1, 2])
  })

  it('fails open calls', async () => {
    const { backend, newest } = begin()
    newest().welcome()
    const call = backend.call('app.info', {})

    newest().drop()

    await expect(call).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
  })

  it('retries at once on demand, with one socket only', () => {
    const { clock, backend, sockets, newest } = begin()
    newest().drop()

    backend.retry()
    clock.advance(10_000)

    expect(sockets).toHaveLength(2)
  })
})

describe('lost contact with a program on the same computer', () => {
  const settle = () => new Promise((done) => setImmediate(done))

  it('is retried each second, and opens no socket before something answers', async () => {
    const asked: number[] = []
    const there = { is: false }
    const isAnswering = (): Promise<boolean> => {
      asked.push(asked.length)
      return Promise.resolve(there.is)
    }
    const { clock, sockets, backend, newest } = begin(null, { backOffSeconds: LOOPBACK_BACK_OFF_SECONDS, isAnswering })
    newest().welcome()
    const lostAt = clock.now()
    newest().drop()

    for (let second = 0; second < 60; second++) {
      clock.advance(1_000)
      await settle()
    }
    expect(asked).toHaveLength(60)
    expect(sockets).toHaveLength(1)
    expect(backend.connection()).toMatchObject({ kind: 'lost', since: lostAt, retryAt: clock.now() + 1_000 })
    there.is = true
    clock.advance(1_000)
    await settle()

    expect(sockets).toHaveLength(2)
    newest().welcome()
    expect(backend.connection().kind).toBe('open')
  })

  it('has one socket if Retry is pressed during the probe', async () => {
    const answers: ((is: boolean) => void)[] = []
    const isAnswering = () => new Promise<boolean>((resolve) => void answers.push(resolve))
    const { clock, sockets, backend, newest } = begin(null, { backOffSeconds: LOOPBACK_BACK_OFF_SECONDS, isAnswering })
    newest().drop()
    clock.advance(1_000)

    backend.retry()
    answers[0]?.(true)
    await settle()

    expect(sockets).toHaveLength(2)
    expect(clock.pending).toBe(1)
  })
})

describe('silence', () => {
  it('is probed, and any kind of answer keeps the connection', () => {
    const { clock, backend, sockets, newest } = begin()
    newest().welcome()

    for (let asked = 1; asked <= 5; asked++) {
      clock.advance(5_000)
      expect(newest().sent).toHaveLength(1 + asked)
      newest().receive({ t: 'error', id: asked, code: 'CONTRACT_FAILED', message: 'busy', data: null })
    }

    expect(newest().sent[1]).toMatchObject({ t: 'call', name: 'app.info' })
    expect(backend.connection().kind).toBe('open')
    expect(sockets).toHaveLength(1)
  })

  it('after a probe counts as lost since the last message, and is retried', async () => {
    const { clock, backend, sockets, newest } = begin()
    newest().welcome()
    const heardAt = clock.now()
    const call = backend.call('app.place', {})

    clock.advance(15_000)

    await expect(call).rejects.toMatchObject({ code: 'CONTRACT_CLOSED' })
    expect(sockets[0]?.isClosed).toBe(true)
    expect(backend.connection()).toMatchObject({ kind: 'lost', since: heardAt, retryAt: clock.now() + 1_000 })
    clock.advance(1_000)
    expect(sockets).toHaveLength(2)
    newest().welcome()
    expect(backend.connection().kind).toBe('open')
  })

  it("instead of a welcome isn't contact either", () => {
    const { clock, backend, newest } = begin()
    const startedAt = clock.now()
    newest().listener.onOpen()

    clock.advance(15_000)

    expect(backend.connection()).toMatchObject({ kind: 'lost', since: startedAt })
    expect(newest().isClosed).toBe(true)
  })

  it('is ignored after the end', () => {
    const { clock, backend } = begin()

    backend.close()

    expect(clock.pending).toBe(0)
  })
})

describe('tokens', () => {
  it('are dropped when refused, and nothing is tried until there is another', () => {
    const { clock, backend, tokens, sockets, newest } = begin('wrong')
    newest().drop(4401)

    clock.advance(120_000)

    expect(backend.connection()).toEqual({ kind: 'signedOut', refused: true })
    expect(tokens.read()).toBeNull()
    expect(sockets).toHaveLength(1)
  })

  it('are requested, not called wrong, if there was none', () => {
    const { backend, newest } = begin()

    newest().drop(4401)

    expect(backend.connection()).toEqual({ kind: 'signedOut', refused: false })
  })

  it('of a sign-in are used at once; the device keeps them only if told to', () => {
    const { backend, device, newest } = begin()
    newest().drop(4401)

    backend.signIn('right', false)
    newest().listener.onOpen()

    expect(newest().sent).toEqual([{ t: 'hello', token: 'right', batches: true }])
    expect(device.getItem('headframe.token')).toBeNull()
  })

  it('in the address are taken and removed from it', () => {
    const replaced: unknown[] = []
    const page = {
      location: { hash: '#token=a%2Bb', pathname: '/', search: '' } as Location,
      history: { replaceState: (...args: unknown[]) => void replaced.push(args[2]) } as unknown as History,
    }

    expect(takeTokenFromAddress(page)).toBe('a+b')
    expect(replaced).toEqual(['/#/'])
  })

  it.each([
    ['#token=', null],
    ['#token=a&x=1', 'a'],
    ['#token=%', '%'],
  ])('in the address are removed from it whatever they are: %s', (hash, expected) => {
    const replaced: unknown[] = []
    const page = {
      location: { hash, pathname: '/', search: '' } as Location,
      history: { replaceState: (...args: unknown[]) => void replaced.push(args[2]) } as unknown as History,
    }

    expect(takeTokenFromAddress(page)).toBe(expected)
    expect(replaced).toEqual(['/#/'])
  })

  it('that are entered into the address of an open page are taken and removed, too', () => {
    const taken: string[] = []
    const seen: string[] = []
    watchAddress(window, (token) => void taken.push(token))
    window.addEventListener('hashchange', () => void seen.push(window.location.hash))

    window.history.replaceState(null, '', '#token=by-link')
    window.dispatchEvent(new HashChangeEvent('hashchange'))

    expect(taken).toEqual(['by-link'])
    expect(seen.at(-1)).toBe('#/')
  })

  it('that were refused are dropped, but not another one that the device remembers', () => {
    const { tokens, device, newest } = begin()
    device.setItem('headframe.token', 'of the owner')
    tokens.write('of a link', false)

    tokens.forget('of a link')

    expect(tokens.read()).toBe('of the owner')
    expect(newest().sent).toEqual([])
  })

  it("aren't found in an ordinary address", () => {
    const page = { location: { hash: '#/gpus' } as Location, history: {} as History }

    expect(takeTokenFromAddress(page)).toBeNull()
  })
})

it('keeps a token for each path, since a proxy may serve several rigs under one name', () => {
  const [session, device] = [memoryStorage(), memoryStorage()]
  const at = (pathname: string) => createTokenStore(session, device, pathname)
  at('/rig1/').write('one', true)
  at('/rig2/index.html').write('two', false)
  at('/rig2/').forget('two')

  expect(['/rig1/', '/rig1/index.html', '/rig2/', '/'].map((path) => at(path).read())).toEqual([
    'one',
    'one',
    null,
    null,
  ])
})

describe('the address', () => {
  it.each([
    ['http:', '/', 'ws://host:3333/ui/v1/channel'],
    ['https:', '/', 'wss://host:3333/ui/v1/channel'],
    ['https:', '/rig1/', 'wss://host:3333/rig1/ui/v1/channel'],
    ['http:', '/farm/rig1/index.html', 'ws://host:3333/farm/rig1/ui/v1/channel'],
  ])('follows %s and %s', (protocol, pathname, expected) => {
    expect(channelUrl({ protocol, host: 'host:3333', pathname })).toBe(expected)
  })
})
