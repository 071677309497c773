// One connection of line JSON-RPC: cuts lines, enforces the limits of miner.md A2, keeps the connection's authorisation.
import type { Socket } from 'node:net'
import type { Clock } from '../../base/time'
import { answerLine, type LineAnswer, tooLongAnswer } from '../../miner/api/line-rpc'
import type { AccessGuard } from './access-guard'
import { StallWatch } from './http-connection'

const MAX_LINE_BYTES = 65_536
const HALF_LINE_LIMIT_MS = 20_000
const AUTHORIZE_LIMIT_MS = 10_000
const LINGER_MS = 2_000
const LF = 0x0a

export interface LineConnectionDeps {
  readonly guard: AccessGuard
  readonly clock: Clock
  readonly remoteAddress: string
}

export class LineConnection {
  readonly #stall: StallWatch
  readonly #openedAt: number
  #half: Buffer[] = []
  #halfBytes = 0
  #halfSince: number | null = null
  #authorized: boolean
  #closingAt: number | null = null

  constructor(
    private readonly socket: Socket,
    private readonly deps: LineConnectionDeps,
  ) {
    this.#openedAt = deps.clock.monotonic()
    this.#authorized = !deps.guard.readNeedsToken
    this.#stall = new StallWatch(socket, deps.clock)
    socket.on('data', (chunk: Buffer) => this.#received(chunk))
    socket.on('end', () => socket.end())
    socket.on('error', () => socket.destroy())
  }

  /** Enforces the time limits; to be called about twice a second. */
  sweep(): void {
    const now = this.deps.clock.monotonic()
    const late = (since: number | null, limitMs: number): boolean => since !== null && now - since >= limitMs
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
    let rest = chunk
    for (let end = rest.indexOf(LF); end >= 0 && this.#closingAt === null; end = rest.indexOf(LF)) {
      if (this.#halfBytes + end > MAX_LINE_BYTES) {
        this.#answer(tooLongAnswer())
        return
      }
      this.#line(Buffer.concat([...this.#half, rest.subarray(0, end)]))
      this.#half = []
      this.#halfBytes = 0
      this.#halfSince = null
      rest = rest.subarray(end + 1)
    }
    if (rest.length === 0 || this.#closingAt !== null) return
    this.#half.push(rest)
    this.#halfBytes += rest.length
    this.#halfSince ??= this.deps.clock.monotonic()
    if (this.#halfBytes > MAX_LINE_BYTES) this.#answer(tooLongAnswer())
  }

  #line(bytes: Buffer): void {
    const text = decode(bytes)
    if (text.trim() === '') return
    this.#answer(
      answerLine(text, {
        needsAuthorization: !this.#authorized,
        authorize: (password) => this.#authorize(password),
      }),
    )
  }

  #authorize(password: string): 'right' | 'wrong' | 'limited' {
    const { guard, remoteAddress } = this.deps
    if (!guard.readNeedsToken) return 'right'
    const check = guard.check(remoteAddress, password)
    this.#authorized = check === 'right'
    return check === 'none' ? 'wrong' : check
  }

  #answer({ text, close }: LineAnswer): void {
    this.socket.write(`${text}\n`)
    if (!close) return
    this.#closingAt = this.deps.clock.monotonic()
    this.#half = []
    this.socket.end()
  }
}

/** Bytes that are not UTF-8 become text that is not JSON. */
function decode(bytes: Buffer): string {
  const text = bytes.toString('utf8')
  return text.includes('\ufffd') && !Buffer.from(text, 'utf8').equals(bytes) ? '\ufffd' : text
}
