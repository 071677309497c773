// Who may read and who may control: compares tokens, limits guessing, and decides which token is required for what.
import { createHash, timingSafeEqual } from 'node:crypto'
import type { Disposable } from '../../base/disposable'
import { isLoopback } from '../../base/ip-address'
import { BoundedMap } from '../../base/limits/bounded-map'
import type { Secret } from '../../base/secret'
import type { Clock } from '../../base/time'

const WRONG_LIMIT = 30
const WINDOW_MS = 60_000
/** Maximum remote addresses tracked; the oldest is evicted. */
const MAX_TRACKED = 1_024

interface AccessGuardOptions {
  /** set by the operator: required for everything except the dashboard shell */
  readonly apiToken: Secret | null
  /** of this run, used without an apiToken: reading is open; it allows control and approvals in the local UI */
  readonly sessionToken: Secret | null
  /** for the mining API; false: its control call is refused, whatever the token */
  readonly allowControl: boolean
  /** The operator enabled control without a token: local callers need none for it. */
  readonly openControl: boolean
}

/** The scope of a read-only link, until it expires. */
export interface ViewScope {
  readonly id: string
  /** Addresses, pool users and rig names are removed. */
  readonly hides: boolean
  /** UTC ms */
  readonly expiresAt: number
}

/** The existing links; see view-links.ts. */
export interface ViewLinkFinder {
  /** Null for an invalid token, or an expired link. Compares in constant time. */
  find(token: string): ViewScope | null
  /** Called with the id of each link that was revoked or has expired. */
  onEnded(listener: (id: string) => void): Disposable
}

/** The caller's credentials: the program's token, a link, or neither. With a `view` the token is never `right`. */
interface Caller {
  readonly token: TokenCheck
  readonly view: ViewScope | null
}

/** `none`: no token given, or none set. `limited`: too many wrong ones from that address; right ones wait too. */
export type TokenCheck = 'none' | 'right' | 'wrong' | 'limited'

/** Checks callers. */
export class AccessGuard {
  readonly #expected: Buffer | null
  readonly #wrong = new BoundedMap<string, { count: number; readonly since: number }>(MAX_TRACKED)

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

  /** Whether this caller may use the mining API's control call. */
  mayControl(remoteAddress: string, check: TokenCheck): boolean {
    const { allowControl, apiToken, openControl } = this.options
    if (!allowControl) return false
    if (this.#expected === null) return true
    if (apiToken !== null) return check === 'right'
    return isLoopback(remoteAddress) && (openControl || check === 'right')
  }

  /** The same for the UI's own channel. The session token shows access to this computer: it always allows control. */
  mayControlInUi(remoteAddress: string, check: TokenCheck): boolean {
    const { apiToken, sessionToken } = this.options
    if (apiToken === null && sessionToken !== null && check === 'right') return isLoopback(remoteAddress)
    return this.mayControl(remoteAddress, check)
  }

  /** Compares in constant time, and counts a wrong one: once per request. @param presented null when there is none */
  check(remoteAddress: string, presented: string | null): TokenCheck {
    if (this.#expected === null || presented === null) return 'none'
    if (this.retryAfterSeconds(remoteAddress) > 0) return 'limited'
    if (timingSafeEqual(digest(presented), this.#expected)) return 'right'
    this.#countWrong(remoteAddress)
    return 'wrong'
  }

  /** Like `check`, where a link's token is accepted too. */
  identify(remoteAddress: string, presented: string | null): Caller {
    const isOurs = presented !== null && this.isToken(presented)
    const isWaiting = this.#expected !== null && this.retryAfterSeconds(remoteAddress) > 0
    // both are always compared, so that timing doesn't reveal which one it was
    const view = presented === null ? null : (this.links?.find(presented) ?? null)
    if (view !== null && !isOurs) return isWaiting ? { token: 'limited', view: null } : { token: 'none', view }
    return { token: this.check(remoteAddress, presented), view: null }
  }

  /** The same comparison, uncounted: where a wrong one has no consequence. */
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
    this.#wrong.set(remoteAddress, { count: 1, since: now })
  }
}

/** The token of an `Authorization` header; null when there is none of this scheme. */
export function bearerToken(header: string | undefined): string | null {
  return /^bearer +(\S+) *$/i.exec(header ?? '')?.[1] ?? null
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text, 'utf8').digest()
}
