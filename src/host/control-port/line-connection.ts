// One connection of line JSON-RPC: splits lines, enforces the limits, keeps the connection's authorization.
import type { Socket } from 'node:net'
import { jsonOrNull } from '../../base/json-text'
import type { Clock } from '../../base/time'
import type { LineMethods } from '../../miner/api/line-methods'
import { answerLine, type LineAnswer, type LineSession, tooLongAnswer } from '../../miner/api/line-rpc'
import { ByteGatherer } from '../../net/body-reader'
import type { AccessGuard, TokenCheck } from './access-guard'
import { MAX_QUEUED_BYTES, StallWatch } from './http-connection'

const MAX_LINE_BYTES = 65_536
const HALF_LINE_LIMIT_MS = 20_000
/** A whole request without its line end is answered after this long: some clients never send one. */
const UNENDED_MS = 200
const AUTHORIZE_LIMIT_MS = 10_000
const LINGER_MS = 2_000
const LF = 0x0a
/** `}` and `]` */
const END_OF_JSON: readonly number[] = [0x7d, 0x5d]

interface LineConnectionDeps {
  readonly guard: AccessGuard
  readonly clock: Clock
  readonly remoteAddress: string
  /** null: there is no miner */
  readonly methods: LineMethods | null
}

export class LineConnection {
  readonly #stall: StallWatch
  readonly #openedAt: number
  readonly #half = new ByteGatherer()
  #halfSince: number | null = null
  #lastByte = 0
  #authorized: boolean
  #check: TokenCheck = 'none'
  #closingAt: number | null = null
  readonly #lines: string[] = []
  #answering = false
  #clientDone = false
  #wasTooLong = false

  constructor(
    private readonly socket: Socket,
    private readonly deps: LineConnectionDeps,
  ) {
    this.#openedAt = deps.clock.monotonic()
    this.#authorized = !deps.guard.readNeedsToken
    this.#stall = new StallWatch(socket, deps.clock)
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('end', () => this.#ended())
    socket.on('error', () => socket.destroy())
  }

  /** Enforces the time limits; call it about twice a second. */
  sweep(): void {
    const now = this.deps.clock.monotonic()
    const late = (since: number | null, limitMs: number): boolean => since !== null && now - since >= limitMs
    if (late(this.#halfSince, UNENDED_MS)) this.#takeUnended()
    if (
      this.#stall.broken() ||
      late(this.#closingAt, LINGER_MS) ||
      late(this.#halfSince, HALF_LINE_LIMIT_MS) ||
      (!this.#authorized && late(this.#openedAt, AUTHORIZE_LIMIT_MS))
    ) {
      this.socket.destroy()
    }
  }

  #received(chunk: Buffer): void {
    if (this.#wasTooLong) return
    let rest = chunk
    for (let end = rest.indexOf(LF); end >= 0 && this.#closingAt === null; end = rest.indexOf(LF)) {
      if (this.#half.length + end > MAX_LINE_BYTES) {
        this.#tooLong()
        return
      }
      this.#half.add(rest.subarray(0, end))
      this.#line(this.#half.take())
      this.#halfSince = null
      rest = rest.subarray(end + 1)
    }
    if (rest.length === 0 || this.#closingAt !== null) return
    this.#half.add(rest)
    this.#lastByte = rest.at(-1) ?? 0
    this.#halfSince ??= this.deps.clock.monotonic()
    if (this.#half.length > MAX_LINE_BYTES) this.#tooLong()
  }

  /** Answers what has come without a line end, if it is whole. */
  #takeUnended(): void {
    if (this.#answering || this.#closingAt !== null || !END_OF_JSON.includes(this.#lastByte)) return
    const bytes = this.#half.take()
    if (jsonOrNull(decode(bytes)) !== null) {
      this.#halfSince = null
      this.#line(bytes)
    } else this.#half.add(bytes)
  }

  #line(bytes: Buffer): void {
    const text = decode(bytes)
    if (text.trim() === '') return
    this.#lines.push(text)
    if (!this.#answering) void this.#answerAll()
  }

  /** In sequence, so that answers stay in order; nothing is read ahead of them. */
  async #answerAll(): Promise<void> {
    const { guard, remoteAddress, methods } = this.deps
    const session: LineSession = {
      needsAuthorization: () => !this.#authorized,
      authorize: (password) => this.#authorize(password),
      mayControl: () => guard.mayControl(remoteAddress, this.#check),
      methods,
    }
    this.#answering = true
    this.socket.pause()
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) {
      const answer = await answerLine(line, session)
      if (this.#closingAt === null && !this.socket.destroyed) this.#answer(answer)
    }
    this.#answering = false
    if (this.#wasTooLong) this.#answer(tooLongAnswer())
    if (this.#clientDone) this.socket.end()
    else this.socket.resume()
  }

  /** Earlier lines are answered first. */
  #tooLong(): void {
    this.#wasTooLong = true
    this.#half.take()
    this.#halfSince = null
    if (!this.#answering) this.#answer(tooLongAnswer())
  }

  #ended(): void {
    this.#clientDone = true
    // Nothing more will come: this is the last request, whole or not.
    if (!this.#wasTooLong && this.#closingAt === null) this.#line(this.#half.take())
    if (!this.#answering) this.socket.end()
  }

  #authorize(password: string): 'right' | 'wrong' | 'limited' {
    const { guard, remoteAddress } = this.deps
    if (!guard.readNeedsToken) {
      // Any password is accepted; this run's token still decides about control.
      this.#check = guard.isToken(password) ? 'right' : 'none'
      return 'right'
    }
    const check = guard.check(remoteAddress, password)
    this.#check = check
    this.#authorized = check === 'right'
    return check === 'none' ? 'wrong' : check
  }

  #answer({ text, close }: LineAnswer): void {
    this.socket.write(`${text}\n`)
    // The sweep runs twice a second; a client that only sends would fill memory in between.
    if (this.socket.writableLength > MAX_QUEUED_BYTES) this.socket.destroy()
    if (!close) return
    this.#closingAt = this.deps.clock.monotonic()
    this.#half.take()
    this.socket.end()
  }
}

/** Bytes that aren't UTF-8 become text that isn't JSON. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) ? '\ufffd' : text
}
