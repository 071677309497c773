// Who may read and who may control: compares tokens, limits guessing, and knows which token is asked for what.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Disposable } from '../../base/disposable'
import { isLoopback } from '../../base/ip-address'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'

const WRONG_LIMIT = 30
const WINDOW_MS = 60_000
/** Remote addresses remembered at most; the oldest window goes first. */
const MAX_TRACKED = 1_024

export interface AccessGuardOptions {
  /** given by the operator: needed for everything but the dashboard shell */
  readonly apiToken: Secret | null
  /** of this run, used when there is no apiToken: reading is open; it controls and approves in the UI from here */
  readonly sessionToken: Secret | null
  /** what the mining API allows; false: its control call is refused, whatever token comes */
  readonly allowControl: boolean
  /** The operator allowed control and set no token: callers from this computer need none for it. */
  readonly openControl: boolean
}

/** Whoever follows a link may look, as long as it lasts. */
export interface ViewScope {
  readonly id: string
  /** Addresses, pool users and names of rigs are left out. */
  readonly hides: boolean
  /** UTC ms */
  readonly expiresAt: number
}

/** The links there are; see view-links.ts. */
export interface ViewLinkFinder {
  /** Null for a token that is none, or whose link has ended. Compares in constant time. */
  find(token: string): ViewScope | null
  /** Called with the id of each link that was revoked or has expired. */
  onEnded(listener: (id: string) => void): Disposable
}

/** Who asks: by the program's token, by a link, or by neither. With a `view` the token is never `right`. */
export interface Caller {
  readonly token: TokenCheck
  readonly view: ViewScope | null
}

/** `none`: no token was shown, or none is set. `limited`: too many wrong ones came from there, right ones wait too. */
export type TokenCheck = 'none' | 'right' | 'wrong' | 'limited'

export class AccessGuard {
  readonly #expected: Buffer | null
  readonly #wrong = new Map<string, { count: number; readonly since: number }>()

  constructor(
    private readonly options: AccessGuardOptions,
    private readonly clock: Clock,
    private readonly links: Pick<ViewLinkFinder, 'find'> | null = null,
  ) {
    const token = options.apiToken ?? options.sessionToken
    this.#expected = token === null ? null : digest(token.reveal())
  }

  get allowControl(): boolean {
    return this.options.allowControl
  }

  get readNeedsToken(): boolean {
    return this.options.apiToken !== null
  }

  /** Whether the mining API's control call is carried out for this caller. */
  mayControl(remoteAddress: string, check: TokenCheck): boolean {
    const { allowControl, apiToken, openControl } = this.options
    if (!allowControl) return false
    if (this.#expected === null) return true
    if (apiToken !== null) return check === 'right'
    return isLoopback(remoteAddress) && (openControl || check === 'right')
  }

  /**
   * The same for the UI's own channel. The session token belongs to whoever sits at this computer, so it controls there
   * also where the mining API is read only.
   */
  mayControlInUi(remoteAddress: string, check: TokenCheck): boolean {
    const { apiToken, sessionToken } = this.options
    if (apiToken === null && sessionToken !== null && check === 'right') return isLoopback(remoteAddress)
    return this.mayControl(remoteAddress, check)
  }

  /**
   * Compares in constant time and counts a wrong one. Ask once a request.
   * @param presented null when the request carries none
   */
  check(remoteAddress: string, presented: string | null): TokenCheck {
    if (this.#expected === null || presented === null) return 'none'
    if (this.retryAfterSeconds(remoteAddress) > 0) return 'limited'
    if (timingSafeEqual(digest(presented), this.#expected)) return 'right'
    this.#countWrong(remoteAddress)
    return 'wrong'
  }

  /** As `check`, for where a link's token is taken too. */
  identify(remoteAddress: string, presented: string | null): Caller {
    const isOurs = presented !== null && this.isToken(presented)
    const isWaiting = this.#expected !== null && this.retryAfterSeconds(remoteAddress) > 0
    // both are always compared, so that the time tells nothing of which one it was
    const view = presented === null ? null : (this.links?.find(presented) ?? null)
    if (view !== null && !isOurs) return isWaiting ? { token: 'limited', view: null } : { token: 'none', view }
    return { token: this.check(remoteAddress, presented), view: null }
  }

  /** The same comparison, uncounted: for where a wrong one has no consequence. */
  isToken(presented: string): boolean {
    return this.#expected !== null && timingSafeEqual(digest(presented), this.#expected)
  }

  /** Whole seconds until this address may try again; 0 when it may now. */
  retryAfterSeconds(remoteAddress: string): number {
    const entry = this.#wrong.get(remoteAddress)
    if (entry === undefined || entry.count < WRONG_LIMIT) return 0
    return Math.max(0, Math.ceil((entry.since + WINDOW_MS - this.clock.monotonic()) / 1_000))
  }

  #countWrong(remoteAddress: string): void {
    const now = this.clock.monotonic()
    const entry = this.#wrong.get(remoteAddress)
    if (entry !== undefined && now - entry.since < WINDOW_MS) {
      entry.count += 1
      return
    }
    this.#wrong.delete(remoteAddress)
    this.#wrong.set(remoteAddress, { count: 1, since: now })
    const [oldest] = this.#wrong.keys()
    if (this.#wrong.size > MAX_TRACKED && oldest !== undefined) this.#wrong.delete(oldest)
  }
}

/** The token of an `Authorization` header; null when there is none of this scheme. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
