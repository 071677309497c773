import { describe, expect, it } from 'vitest'
import { HeadframeError } from '../../base/errors'
import { silentLogger } from '../../base/logger'
import { SignerError } from '../errors'
import { type LineChannel, LinePeer, type PeerCallHandler } from './line-ui'

/** The other end of the lines. */
class FakeChannel implements LineChannel {
  readonly sent: Record<string, unknown>[] = []
  isClosed = false
  #listener: { readonly onLine: (line: string | null) => void; readonly onEnd: () => void } | null = null

  send(line: string): void {
    this.sent.push(JSON.parse(line) as Record<string, unknown>)
  }

  open(listener: { readonly onLine: (line: string | null) => void; readonly onEnd: () => void }): void {
    this.#listener = listener
  }

  close(): void {
    this.isClosed = true
  }

  say(line: unknown): void {
    this.#listener?.onLine(typeof line === 'string' || line === null ? line : JSON.stringify(line))
  }

  end(): void {
    this.#listener?.onEnd()
  }
}

const noCalls: PeerCallHandler = async (method) => {
  throw new SignerError('SIGNER_METHOD_UNKNOWN', { method })
}

function connected(handle = noCalls): { channel: FakeChannel; peer: LinePeer } {
  const channel = new FakeChannel()
  const peer = new LinePeer(channel, { handle, log: silentLogger })
  peer.open()
  return { channel, peer }
}

const never = new AbortController().signal
const codeOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => 'answered',
    (error: unknown) => (error instanceof HeadframeError ? error.code : String(error)),
  )

describe('LinePeer', () => {
  it('numbers requests and notifications from one, and accepts answers in any order', async () => {
    const { channel, peer } = connected()

    peer.notify('ui_showInfo', { text: 'up' })
    const first = peer.request('a', {}, never)
    const second = peer.request('b', {}, never)
    channel.say({ id: 3, result: 'second' })
    channel.say({ id: 2, result: 'first' })

    expect(await Promise.all([first, second])).toEqual(['first', 'second'])
    expect(channel.sent.map((line) => line.id)).toEqual([undefined, 2, 3])
  })

  it.each<[string, unknown]>([
    ['a line that is not JSON', 'no JSON'],
    ['a line that is too long', null],
    ['an array', []],
    ['a number', 5],
    ['an object that says nothing', {}],
    ['an id of another kind', { id: {}, result: {} }],
  ])('fails every open request at %s, and reads the next answer', async (_what, line) => {
    const { channel, peer } = connected()
    const open = [codeOf(peer.request('a', {}, never)), codeOf(peer.request('b', {}, never))]

    channel.say(line)

    expect(await Promise.all(open)).toEqual(['SIGNER_UI_MALFORMED', 'SIGNER_UI_MALFORMED'])
    expect(channel.sent.at(-1)).toMatchObject({ error: { code: -32_700 } })
    const next = peer.request('c', {}, never)
    channel.say({ id: 3, result: 'heard' })
    expect(await next).toBe('heard')
  })

  it('reads an answer over several lines, several on one line, and several as an array', async () => {
    const { channel, peer } = connected()
    const open = [1, 2, 3, 4, 5].map(() => peer.request('a', {}, never))

    for (const line of JSON.stringify({ id: 1, result: { a: ['{', 1] } }, null, 2).split('\n')) channel.say(line)
    channel.say('{"id":2,"result":"two"} {"id":3,"result":"three"}')
    channel.say([
      { id: 4, result: 'four' },
      { id: 5, result: 'five' },
    ])

    expect(await Promise.all(open)).toEqual([{ a: ['{', 1] }, 'two', 'three', 'four', 'five'])
  })

  it('drops an unfinished message when a complete one follows, which it reads', async () => {
    const { channel, peer } = connected()
    const first = codeOf(peer.request('a', {}, never))
    channel.say('{"id":1,"result":{"approved":true,')
    channel.say('"left":"open"')
    channel.say('{"id":99,"result":1}')
    expect(await first).toBe('SIGNER_UI_MALFORMED')

    const next = peer.request('b', {}, never)
    channel.say({ id: 2, result: 'heard' })
    expect(await next).toBe('heard')
  })

  it('fails only the request that an unfinished message answered, not a later one', async () => {
    const { channel, peer } = connected()
    const first = codeOf(peer.request('ui_approveTx', {}, never))
    channel.say('{"id":1,"result":{"approved":true,')
    const next = peer.request('ui_approveTx', {}, never)
    channel.say({ id: 2, result: 'heard' })

    expect(await first).toBe('SIGNER_UI_MALFORMED')
    expect(await next).toBe('heard')
  })

  it('fails nothing for an unfinished message that came before any request', async () => {
    const { channel, peer } = connected()
    channel.say('{"id":1,"result":')
    const next = peer.request('ui_approveTx', {}, never)
    channel.say({ id: 1, result: 'heard' })

    expect(await next).toBe('heard')
  })

  it.each(['{"id":2,"result":{"approved":tru}}', '{"id": 2, "result": {]', '{"jsonrpc":"2.0","id":2,"result"}'])(
    'fails only the request whose id can be read in a malformed line: %s',
    async (line) => {
      const { channel, peer } = connected()
      const open = [1, 2, 3].map(() => peer.request('a', {}, never))
      const second = codeOf(open[1] ?? Promise.resolve())
      channel.say(line)
      channel.say({ id: 3, result: 'third' })
      channel.say({ id: 1, result: 'first' })

      expect(await second).toBe('SIGNER_UI_MALFORMED')
      expect(await Promise.all([open[0], open[2]])).toEqual(['first', 'third'])
    },
  )

  it('limits the size of an unfinished message', async () => {
    const { channel, peer } = connected()
    const open = codeOf(peer.request('a', {}, never))
    for (let i = 0; i <= 1_000; i++) channel.say('[')

    expect(await open).toBe('SIGNER_UI_MALFORMED')
  })

  it('ignores answers that nobody waits for', async () => {
    const { channel, peer } = connected()
    const open = peer.request('a', {}, never)

    channel.say({ id: 99, result: 'foreign' })
    channel.say({ id: 'text', result: 'foreign' })
    channel.say({ id: 1, result: 'ours' })
    channel.say({ id: 1, result: 'again' })

    expect(await open).toBe('ours')
  })

  it('treats an answer without result and error as malformed', async () => {
    const { channel, peer } = connected()
    const open = codeOf(peer.request('a', {}, never))

    channel.say({ id: 1 })

    expect(await open).toBe('SIGNER_UI_MALFORMED')
  })

  it('fails open requests when the program exits, and rejects later ones', async () => {
    const { channel, peer } = connected()
    const open = codeOf(peer.request('a', {}, never))

    channel.end()

    expect(await open).toBe('SIGNER_UI_ENDED')
    expect(await codeOf(peer.request('b', {}, never))).toBe('SIGNER_UI_ABSENT')
    peer.notify('ui_showInfo', { text: 'nobody hears it' })
    expect(channel.sent).toHaveLength(1)
  })

  it('gives a request up with its signal and ignores the late answer', async () => {
    const { channel, peer } = connected()
    const gone = new AbortController()
    const open = codeOf(peer.request('a', {}, gone.signal))

    gone.abort(new SignerError('SIGNER_REQUEST_DENIED', undefined))
    channel.say({ id: 1, result: { approved: true } })

    expect(await open).toBe('SIGNER_REQUEST_DENIED')
  })

  it('echoes the id of a call byte for byte', async () => {
    const lines: string[] = []
    const channel = new FakeChannel()
    channel.send = (line) => void lines.push(line)
    const peer = new LinePeer(channel, { handle: async () => 'pong', log: silentLogger })
    peer.open()

    channel.say('{"id":1.50,"method":"ping"}')
    channel.say('{"method":"ping without an id"}')
    await new Promise((done) => setImmediate(done))

    expect(lines).toEqual(['{"jsonrpc":"2.0","id":1.50,"result":"pong"}'])
  })
})
