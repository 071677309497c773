// Checks rigs' shares with the light hash, in turn: whatever one rig sends, it delays the others by one check at most.
import { bigintFromBytes, bytesName } from '../../base/bytes'
import type { XhashEngine } from '../../native/xhash-port'
import { finalHash } from '../../xhash/hashimoto'
import type { Job } from '../work-source'

/** How a share ended. `failed`: its hash is above its target. `duplicate`, `unknown`: sent before; for no job of ours. */
export type RigShareOutcome = (typeof SHARE_OUTCOMES)[number]
export const SHARE_OUTCOMES = ['accepted', 'stale', 'failed', 'duplicate', 'unknown', 'busy'] as const

/** Checks at the same time; each uses a thread. */
const MAX_RUNNING = 2
/** Of one rig. */
const MAX_HELD = 16
/** Nonces remembered per template; the oldest is forgotten. */
const MAX_NONCES = 100_000

interface ClaimedShare {
  readonly job: Job
  readonly nonce: bigint
  /** 32 bytes; null when the dialect doesn't send it */
  readonly mixDigest: Uint8Array | null
  /** the share's target: a result at or below it counts */
  readonly target: bigint
}

/**
 * `duplicate`: this nonce was sent before. `low`: the result is above the target; `isComputed`: that took a whole
 * check. `busy`: too many of this rig's shares wait.
 */
type CheckedShare =
  | { readonly kind: 'good'; readonly mixDigest: Uint8Array; readonly result: bigint; readonly resultBytes: Uint8Array }
  | { readonly kind: 'duplicate' }
  | { readonly kind: 'low'; readonly isComputed: boolean }
  | { readonly kind: 'busy' }

interface Waiting {
  readonly run: () => void
  readonly drop: () => void
}

/** All checks of the server. Owners are the connections. */
export class ShareCheck {
  readonly #waiting = new Map<object, Waiting[]>()
  readonly #urgent: Waiting[] = []
  /** checks that wait or run, by owner */
  readonly #held = new Map<object, number>()
  #running = 0
  readonly #nonces = new Map<string, Set<bigint>>()

  constructor(private readonly engine: Pick<XhashEngine, 'hashLight'>) {}

  /** Work on another height: nonces of earlier templates can't come again. */
  forgetNonces(): void {
    this.#nonces.clear()
  }

  /** The connection was closed: its waiting shares are dropped. */
  leave(owner: object): void {
    const waiting = this.#waiting.get(owner) ?? []
    this.#waiting.delete(owner)
    for (const { drop } of waiting) {
      this.#release(owner)
      drop()
    }
  }

  /**
   * A mix digest that doesn't fit the target costs two short hashes instead of a whole check; one that would make a
   * block goes first. @throws what the engine throws
   */
  async check(owner: object, share: ClaimedShare): Promise<CheckedShare> {
    const { job, nonce, mixDigest, target } = share
    const nonces = this.#noncesOf(job)
    if (nonces.has(nonce)) return { kind: 'duplicate' }
    const claimed = mixDigest === null ? null : bigintFromBytes(finalHash(job.sealHash, nonce, mixDigest))
    if (claimed !== null && claimed > target) return { kind: 'low', isComputed: false }
    const isUrgent = claimed !== null && claimed <= bigintFromBytes(job.target)
    const turn = this.#turn(owner, isUrgent)
    if (turn === null) return { kind: 'busy' }
    remember(nonces, nonce)
    if (!(await turn)) return { kind: 'busy' }
    try {
      const hash = await this.engine.hashLight(job.epoch, job.sealHash, nonce)
      const result = bigintFromBytes(hash.result)
      if (result > target) return { kind: 'low', isComputed: true }
      return { kind: 'good', mixDigest: hash.mixDigest, result, resultBytes: hash.result }
    } finally {
      this.#running -= 1
      this.#release(owner)
      this.#next()
    }
  }

  #noncesOf({ sealHash }: Job): Set<bigint> {
    const name = bytesName(sealHash)
    const nonces = this.#nonces.get(name) ?? new Set()
    this.#nonces.set(name, nonces)
    return nonces
  }

  /** Resolves with true when it is this share's turn, with false when its connection left; null: too many wait. */
  #turn(owner: object, isUrgent: boolean): Promise<boolean> | null {
    const held = this.#held.get(owner) ?? 0
    if (held >= MAX_HELD) return null
    this.#held.set(owner, held + 1)
    const queue = this.#waiting.get(owner) ?? []
    const turn = new Promise<boolean>((resolve) => {
      const waiting = { run: () => resolve(true), drop: () => resolve(false) }
      if (isUrgent) this.#urgent.push(waiting)
      else {
        queue.push(waiting)
        this.#waiting.set(owner, queue)
      }
    })
    this.#next()
    return turn
  }

  #release(owner: object): void {
    const left = (this.#held.get(owner) ?? 0) - 1
    if (left > 0) this.#held.set(owner, left)
    else this.#held.delete(owner)
  }

  #next(): void {
    while (this.#running < MAX_RUNNING) {
      const waiting = this.#urgent.shift() ?? this.#nextInTurn()
      if (waiting === null) return
      this.#running += 1
      waiting.run()
    }
  }

  /** One share of the connection that has waited longest for its turn. */
  #nextInTurn(): Waiting | null {
    const [first] = this.#waiting
    if (first === undefined) return null
    const [owner, queue] = first
    const waiting = queue.shift() ?? null
    this.#waiting.delete(owner)
    if (queue.length > 0) this.#waiting.set(owner, queue)
    return waiting
  }
}

function remember(nonces: Set<bigint>, nonce: bigint): void {
  nonces.add(nonce)
  const [oldest] = nonces
  if (nonces.size > MAX_NONCES && oldest !== undefined) nonces.delete(oldest)
}
