// The approval queue. A request leaves `waiting` only through a decision with its id, nonce and content hash, its
// timeout, its caller disconnecting, or the queue closing; each is recorded before it takes effect.

import { hash, timingSafeEqual } from 'node:crypto'
import { wipe } from '../../base/bytes'
import type { Disposable } from '../../base/disposable'
import { HeadframeError, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import { callerKey } from '../../base/limits/caller-key'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import { type Clock, sleep } from '../../base/time'
import type { AuditEntry, CutContent } from '../audit/audit-entry'
import type { RequestAside } from '../checks/payees'
import { SignerError } from '../errors'
import {
  type Caller,
  type Decider,
  type Decision,
  type DecisionOutcome,
  type EditReview,
  type RequestContent,
  type RequestState,
  type SignerRequest,
  sourceKey,
  type TransactionEdits,
} from '../model/request'
import type { InputPort, Question } from '../ports'
import { type Approval, type NewRequest, onRecordOf, type Performed } from './account-key'
import { QUEUE_LIMITS } from './queue-limits'

/** Characters, as JSON: an ordinary request is shorter. */
const WHOLE = 4_096
/** Characters of a longer one that are recorded: of its parameters as received, and of its findings. */
const BEGINNING = 1_024

/** @param length of the content as JSON */
export function isCut(length: number): boolean {
  return length > WHOLE
}

/**
 * For the record of a request that nobody has decided: strangers can't fill the disk with what is denied. The content hash
 * covers all of it. @param length of the content as JSON
 */
export function recordedContent(content: RequestContent, length: number): RequestContent | CutContent {
  if (!isCut(length)) return content
  const { kind, caller, transaction, data, findings } = content
  const beginning = (transaction?.raw ?? data?.raw ?? '').slice(0, BEGINNING)
  return {
    kind,
    caller,
    transaction:
      transaction === null
        ? null
        : { from: transaction.from, to: transaction.to, value: transaction.value, nonce: transaction.nonce },
    data: data === null ? null : { address: data.address, contentType: data.contentType, hash: data.hash },
    severities: findings.slice(0, 64).map(({ severity }) => severity),
    cut: { length, beginning },
  }
}

const QUIET_MS = 60_000

/** By caller key, in memory only: a restart lifts all blocks. */
class QuietCallers {
  readonly #quiet = new Map<string, { readonly until: number; readonly timer: Disposable }>()

  /** @param changed called when a block ends */
  constructor(
    private readonly clock: Clock,
    private readonly changed: () => void,
  ) {}

  has(key: string): boolean {
    return this.#quiet.has(key)
  }

  add(key: string): void {
    this.#quiet.get(key)?.timer.dispose()
    const timer = this.clock.setTimeout(() => {
      this.#quiet.delete(key)
      this.changed()
    }, QUIET_MS)
    this.#quiet.set(key, { until: this.clock.now() + QUIET_MS, timer })
  }

  /** UTC ms until which some caller is blocked; null when none is. */
  until(): number | null {
    return this.#quiet.size === 0 ? null : Math.max(...[...this.#quiet.values()].map(({ until }) => until))
  }

  clear(): void {
    if (this.#quiet.size === 0) return
    for (const { timer } of this.#quiet.values()) timer.dispose()
    this.#quiet.clear()
    this.changed()
  }
}

/** Who decides, if not the user in a window. */
interface DecisionSource {
  readonly by: Decider
  readonly input: InputPort | null
  readonly answered: Approval['answered']
}

/** One for all: nothing is read of where it was made. */
const DENIED = new SignerError('SIGNER_REQUEST_DENIED', undefined)

const ID_BYTES = 16
const NONCE_BYTES = 32

const WINDOW: DecisionSource = { by: 'window', input: null, answered: null }

/** Mutable state of one request; only the queue changes it. */
interface Entry {
  view: SignerRequest
  readonly request: NewRequest<unknown>
  readonly key: string
  readonly over: AbortController
  readonly resolve: (result: unknown) => void
  readonly reject: (error: HeadframeError) => void
  /** Its content is too long for the audit log before anyone approves it. */
  readonly isCut: boolean
  slowTries: number
  /** A password is being asked for after the approval: time keeps running. */
  isAsking: boolean
}

function approvalOf({ id, password, accounts, edits, approval }: Decision, source: DecisionSource): Approval {
  return { ...source, id, password, accounts, edits: edits ?? null, given: approval ?? null }
}

/** The decider's answer. The error is empty unless the work failed or was rejected. */
function outcome(entry: Entry): DecisionOutcome {
  const { state, lastError } = entry.view
  return { state, error: state === 'signed' || state === 'approved' ? '' : lastError }
}

/** Compares in constant time, so that a nonce can't be guessed character by character. */
function sameText(given: string, expected: string): boolean {
  const a = Buffer.from(given)
  const b = Buffer.from(expected)
  return a.length === b.length && timingSafeEqual(a, b)
}

interface DeadlinesDeps {
  readonly clock: Clock
  readonly onOver: (id: string) => void
  /** UTC ms at which it times out; null while its countdown is stopped. */
  readonly onMoved: (id: string, at: number | null) => void
}

interface Countdown {
  leftMs: number
  /** Monotonic. */
  since: number
  timer: Disposable | null
}

/** Timeouts of displayed requests. Countdowns stop while the user can't be at the screen: it is locked, or the computer sleeps. */
class Deadlines {
  readonly #countdowns = new Map<string, Countdown>()
  #isAway = false

  /** @param limitMs per request; 0 = no timeout */
  constructor(
    private readonly limitMs: number,
    private readonly deps: DeadlinesDeps,
  ) {}

  start(id: string): void {
    if (this.limitMs === 0) return
    const countdown: Countdown = { leftMs: this.limitMs, since: 0, timer: null }
    this.#countdowns.set(id, countdown)
    if (!this.#isAway) this.#run(id, countdown)
  }

  isOver(id: string): boolean {
    return this.limitMs > 0 && !this.#countdowns.has(id)
  }

  end(id: string): void {
    this.#countdowns.get(id)?.timer?.dispose()
    this.#countdowns.delete(id)
  }

  setAway(isAway: boolean): boolean {
    if (this.#isAway === isAway) return false
    this.#isAway = isAway
    for (const [id, countdown] of this.#countdowns) {
      if (isAway) this.#halt(id, countdown)
      else this.#run(id, countdown)
    }
    return this.#countdowns.size > 0
  }

  #run(id: string, countdown: Countdown): void {
    const { clock, onOver, onMoved } = this.deps
    countdown.since = clock.monotonic()
    countdown.timer = clock.setTimeout(() => {
      this.#countdowns.delete(id)
      onOver(id)
    }, countdown.leftMs)
    onMoved(id, clock.now() + countdown.leftMs)
  }

  #halt(id: string, countdown: Countdown): void {
    countdown.timer?.dispose()
    countdown.timer = null
    countdown.leftMs = Math.max(0, countdown.leftMs - (this.deps.clock.monotonic() - countdown.since))
    this.deps.onMoved(id, null)
  }
}

interface Line {
  /** Ids, oldest first, that may be displayed. */
  readonly ready: string[]
  shown: number
}

interface Place {
  readonly key: string
  readonly source: string
  readonly length: number
  isShown: boolean
}

interface Share {
  count: number
  length: number
}

/**
 * Whose request is displayed next. Nothing is rejected merely because much is waiting: the excess stays queued, and the
 * caller with the fewest displayed requests is next, so that one busy caller doesn't delay the others.
 */
class DisplaySlots {
  readonly #places = new Map<string, Place>()
  /** By caller; the one whose turn was longest ago is first. */
  readonly #lines = new Map<string, Line>()
  /** What is open, by caller and by source. */
  readonly #shares = new Map<string, Share>()
  #length = 0
  #shown = 0
  #shownLength = 0

  get size(): number {
    return this.#places.size
  }

  isFull(length: number): boolean {
    return this.#places.size >= QUEUE_LIMITS.open || this.#length + length > QUEUE_LIMITS.openLength
  }

  /**
   * Whether this caller has its share of the queue. What callers say of themselves doesn't enlarge it: those with
   * another name or origin, but from the same source, have twice the share together.
   */
  hasShare(key: string, source: string, length: number): boolean {
    const { openPerCaller, openLengthPerCaller } = QUEUE_LIMITS
    const isOver = (name: string, factor: number): boolean => {
      const share = this.#shares.get(name)
      if (share === undefined) return false
      return share.count >= factor * openPerCaller || share.length + length > factor * openLengthPerCaller
    }
    return isOver(`caller ${key}`, 1) || isOver(`source ${source}`, 2)
  }

  /** Reserves a slot, before the request may be displayed. */
  add(id: string, key: string, length: number, source: string): void {
    const place = { key, source, length, isShown: false }
    this.#places.set(id, place)
    this.#count(place, 1)
  }

  #count({ key, source, length }: Place, count: 1 | -1): void {
    this.#length += count * length
    this.#take(`caller ${key}`, count, count * length)
    this.#take(`source ${source}`, count, count * length)
  }

  #take(name: string, count: number, length: number): void {
    const share = this.#shares.get(name) ?? { count: 0, length: 0 }
    this.#shares.set(name, share)
    share.count += count
    share.length += length
    if (share.count === 0) this.#shares.delete(name)
  }

  ready(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    const line = this.#lines.get(place.key) ?? { ready: [], shown: 0 }
    line.ready.push(id)
    this.#lines.set(place.key, line)
  }

  isShown(id: string): boolean {
    return this.#places.get(id)?.isShown === true
  }

  end(id: string): void {
    const place = this.#places.get(id)
    if (place === undefined) return
    this.#places.delete(id)
    this.#count(place, -1)
    const line = this.#lines.get(place.key)
    if (line === undefined) return
    if (place.isShown) {
      this.#shown -= 1
      this.#shownLength -= place.length
      line.shown -= 1
    } else {
      const at = line.ready.indexOf(id)
      if (at >= 0) line.ready.splice(at, 1)
    }
    if (line.shown === 0 && line.ready.length === 0) this.#lines.delete(place.key)
  }

  /** The request to display next; null when none waits or all slots are taken. */
  next(): string | null {
    if (this.#shown >= QUEUE_LIMITS.shown) return null
    const [key, line] = this.#lineOfNext() ?? []
    const id = line?.ready[0]
    const place = id === undefined ? undefined : this.#places.get(id)
    if (key === undefined || line === undefined || id === undefined || place === undefined) return null
    // A single one is always displayed, however long it is.
    if (this.#shown > 0 && this.#shownLength + place.length > QUEUE_LIMITS.shownLength) return null
    this.#lines.delete(key)
    this.#lines.set(key, { ready: line.ready.slice(1), shown: line.shown + 1 })
    place.isShown = true
    this.#shown += 1
    this.#shownLength += place.length
    return id
  }

  #lineOfNext(): readonly [string, Line] | null {
    let best: readonly [string, Line] | null = null
    for (const each of this.#lines) {
      const [, { ready, shown }] = each
      if (ready.length === 0 || shown >= QUEUE_LIMITS.shownPerCaller) continue
      if (best === null || shown < best[1].shown) best = each
    }
    return best
  }
}

interface RequestQueueOptions {
  /** 0 = a request waits as long as its caller does. */
  readonly approvalTimeoutMs: number
}

interface RequestQueueDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
  /** Resolves when the entry is on disk. A rejection aborts its step. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** For display. Listeners decide nothing. */
interface QueueEvents {
  /** All displayed requests: waiting, or being worked on. Oldest first. */
  changed: readonly SignerRequest[]
  settled: SignerRequest
  /** Recorded, and displayed from now on; rules and the line-based UI are asked. */
  shown: ShownRequest
  overflowed: Caller
}

/** A request that can be decided now. */
export interface ShownRequest {
  readonly request: SignerRequest
  readonly question: Question
  /** Aborts when the request ends, however it ends. */
  readonly over: AbortSignal
}

/** Final states: signed, approved, rejected, expired, withdrawn or failed. They are never left. */
export class RequestQueue {
  readonly events = new Emitter<QueueEvents>()
  readonly quiet: QuietCallers
  readonly #entries = new Map<string, Entry>()
  readonly #slots = new DisplaySlots()
  readonly #deadlines: Deadlines
  #open = false

  constructor(
    options: RequestQueueOptions,
    private readonly deps: RequestQueueDeps,
  ) {
    this.quiet = new QuietCallers(deps.clock, () => this.#changed())
    this.#deadlines = new Deadlines(options.approvalTimeoutMs, {
      clock: deps.clock,
      onOver: (id) => this.#expire(id),
      onMoved: (id, expiresAt) => {
        const entry = this.#entries.get(id)
        if (entry !== undefined) this.#update(entry, { expiresAt })
      },
    })
  }

  open(): void {
    this.#open = true
  }

  /** Rejects everything and accepts nothing until opened again. */
  async close(): Promise<void> {
    this.#open = false
    this.quiet.clear()
    await this.rejectAll()
  }

  /** Those displayed: waiting, or being worked on. Oldest first. */
  requests(): readonly SignerRequest[] {
    return [...this.#entries.values()].filter(({ view }) => this.#slots.isShown(view.id)).map(({ view }) => view)
  }

  /** What the checks found about an open request besides its content; null when there is nothing, or no such request. */
  asideOf(id: string): RequestAside | null {
    return this.#entries.get(id)?.request.aside ?? null
  }

  get size(): number {
    return this.#slots.size
  }

  get waitingCount(): number {
    return this.#slots.size - this.requests().filter(({ state }) => state !== 'waiting').length
  }

  /** @throws SignerError SIGNER_QUEUE_FULL when the queue, or this caller's share of it, is full */
  assertRoom(caller: Caller, length = 0): void {
    const isFull = this.#slots.isFull(length)
    const isOver = caller.transport !== 'app' && this.#slots.hasShare(callerKey(caller), sourceKey(caller), length)
    if (!isFull && !isOver) return
    this.events.emit('overflowed', caller)
    const { open, openLength, openPerCaller, openLengthPerCaller } = QUEUE_LIMITS
    const [most, characters] = isFull ? [open, openLength] : [openPerCaller, openLengthPerCaller]
    throw new SignerError('SIGNER_QUEUE_FULL', { most, mostMiB: characters / (1024 * 1024) })
  }

  /**
   * Queues a request; `result` settles with the user's decision, and rejects with SIGNER_REQUEST_DENIED or what
   * `perform` throws.
   * @param recorded resolves when what led to it is on disk: before that nobody is asked
   * @throws SignerError SIGNER_REQUEST_DENIED immediately when the queue is closed, or the caller is blocked or gone;
   * SIGNER_QUEUE_FULL
   */
  submit<R>(
    request: NewRequest<R>,
    recorded: Promise<void> = Promise.resolve(),
  ): { readonly id: string; readonly result: Promise<R> } {
    // Once: of a long document this takes longer than anything else here.
    const text = JSON.stringify(request.content)
    const { length } = text
    if (!this.#open || request.callerGone.aborted) throw new SignerError('SIGNER_REQUEST_DENIED', undefined)
    const key = callerKey(request.content.caller)
    if (this.quiet.has(key)) throw new SignerError('SIGNER_REQUEST_DENIED', undefined)
    this.assertRoom(request.content.caller, length)
    const random = this.deps.randomBytes(ID_BYTES + NONCE_BYTES)
    const id = toBareHex(random.subarray(0, ID_BYTES))
    const nonce = toBareHex(random.subarray(ID_BYTES))
    const result = new Promise<R>((resolve, reject) => {
      const entry: Entry = {
        view: {
          ...request.content,
          id,
          nonce,
          contentHash: hash('sha256', text),
          state: 'waiting',
          createdAt: this.deps.clock.now(),
          expiresAt: null,
          lastError: '',
          triesLeft: QUEUE_LIMITS.tries,
        },
        request: { ...request, summary: (value) => request.summary(value as R) },
        resolve: (value) => resolve(value as R),
        reject,
        key,
        over: new AbortController(),
        isCut: isCut(length),
        slowTries: 0,
        isAsking: false,
      }
      this.#entries.set(id, entry)
      this.#slots.add(id, key, length, sourceKey(request.content.caller))
      const { caller, kind, contentHash } = entry.view
      const content = recordedContent(request.content, length)
      Promise.all([recorded, this.deps.record({ type: 'request', id, kind, caller, contentHash, content })]).then(
        () => this.#lineUp(entry, request.callerGone),
        (error: unknown) => this.#settle(entry, 'failed', this.#internal(error)),
      )
    })
    return { id, result }
  }

  /**
   * Carries out a decision. A refused decision changes nothing.
   * @throws SignerError SIGNER_DECISION_REFUSED when the request isn't waiting, or nonce or content differ
   */
  async decide(decision: Decision, source: DecisionSource = WINDOW): Promise<DecisionOutcome> {
    try {
      const entry = this.#claim(decision, source)
      if (decision.decision === 'reject') {
        await this.#deny(entry, 'rejected')
        return outcome(entry)
      }
      return await this.#approve(entry, decision, source)
    } finally {
      if (decision.password !== null) wipe(decision.password)
    }
  }

  /** Ends a waiting request with its own error for the caller: its UI failed, or answered with one. */
  async refuse(id: string, error: HeadframeError): Promise<void> {
    const entry = this.#entries.get(id)
    if (entry?.view.state === 'waiting') await this.#deny(entry, 'rejected', error)
  }

  /** Rejects what waits and aborts what is being worked on; returns their number. */
  async rejectAll(): Promise<number> {
    const entries = [...this.#entries.values()]
    await Promise.all(entries.map((entry) => this.#deny(entry, 'rejected')))
    return entries.length
  }

  /** Rejects all waiting requests of this request's caller, and blocks it for a minute; returns their number. */
  async rejectFrom(id: string): Promise<number> {
    const caller = this.#entries.get(id)?.view.caller
    if (caller === undefined) return 0
    this.quiet.add(callerKey(caller))
    const entries = [...this.#entries.values()].filter(({ key }) => key === callerKey(caller))
    await Promise.all(entries.map((entry) => this.#deny(entry, 'rejected')))
    return entries.length
  }

  setAway(isAway: boolean): void {
    if (this.#deadlines.setAway(isAway)) this.#changed()
  }

  /** Why an approval with these edits would be invalid, empty when valid; and the findings then. */
  review(id: string, edits: TransactionEdits): EditReview {
    const entry = this.#entries.get(id)
    if (entry === undefined) return { objection: '', findings: [] }
    const { objection: objectionTo, recheck, content } = entry.request
    const objection = objectionTo({ ...WINDOW, id, password: null, accounts: null, edits, given: null }) ?? ''
    return { objection, findings: objection === '' && recheck !== undefined ? recheck(edits) : content.findings }
  }

  /** From here on it can lose its caller, and is displayed when its turn comes. */
  #lineUp(entry: Entry, callerGone: AbortSignal): void {
    if (entry.over.signal.aborted) return
    const forGone = onAbort(callerGone, () => void this.#deny(entry, 'withdrawn'))
    onAbort(entry.over.signal, () => forGone.dispose())
    if (callerGone.aborted) return
    this.#slots.ready(entry.view.id)
    this.#showNext()
  }

  /** From here on they can be decided, or time out. */
  #showNext(): void {
    for (let id = this.#slots.next(); id !== null; id = this.#slots.next()) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      this.#deadlines.start(id)
      this.#changed()
      this.events.emit('shown', { request: entry.view, question: entry.request.question, over: entry.over.signal })
    }
  }

  #expire(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.view.state === 'waiting' || entry?.isAsking === true) void this.#deny(entry, 'expired')
  }

  /** Taken out of `waiting` in the same step, so that a second decision finds nothing. */
  #claim(decision: Decision, source: DecisionSource): Entry {
    const { id } = decision
    const refuse = (reason: string): never => {
      this.deps.log.warn('decision refused', { id: id.slice(0, 64), reason })
      throw new SignerError('SIGNER_DECISION_REFUSED', { id: id.slice(0, 64), reason })
    }
    const entry = this.#entries.get(id) ?? refuse('the request is no longer waiting')
    if (entry.view.state !== 'waiting')
      refuse(`the request is already ${entry.view.state}, in another window or by a policy`)
    if (!sameText(decision.nonce, entry.view.nonce)) refuse('the one-time value is not the one given out')
    if (!sameText(decision.contentHash, entry.view.contentHash)) refuse('it was made for other content')
    const objection = decision.decision === 'approve' ? entry.request.objection(approvalOf(decision, source)) : null
    if (objection !== null) refuse(objection)
    this.#update(entry, { state: 'approved' })
    return entry
  }

  async #approve(entry: Entry, decision: Decision, source: DecisionSource): Promise<DecisionOutcome> {
    const { clock } = this.deps
    const { id, kind, contentHash } = entry.view
    const signal = entry.over.signal
    this.#changed()
    try {
      const told = onRecordOf(approvalOf(decision, source))
      const whole = entry.isCut ? { content: entry.request.content } : {}
      await this.deps.record({ type: 'decision', id, kind, contentHash, ...told, ...whole, decision: 'approve' })
      const delay = QUEUE_LIMITS.tryDelaysMs[Math.min(entry.slowTries, QUEUE_LIMITS.tryDelaysMs.length - 1)] ?? 0
      if (delay > 0) await sleep(clock, delay, signal)
      if (signal.aborted) return outcome(entry)
      const approval = { ...approvalOf(decision, source), input: this.#asking(entry, source.input) }
      await this.#conclude(entry, await entry.request.perform(approval, signal))
    } catch (error) {
      if (!signal.aborted) await this.#fail(entry, error instanceof HeadframeError ? error : this.#internal(error))
    }
    return outcome(entry)
  }

  #asking(entry: Entry, input: InputPort | null): InputPort | null {
    if (input === null) return null
    return {
      ask: async (wanted) => {
        entry.isAsking = true
        try {
          return await input.ask(wanted)
        } finally {
          entry.isAsking = false
        }
      },
    }
  }

  async #conclude(entry: Entry, performed: Performed<unknown>): Promise<void> {
    if (entry.over.signal.aborted) return
    if (performed.kind === 'denied') return this.#deny(entry, 'rejected')
    if (performed.kind === 'done') {
      const { id, kind } = entry.view
      const { summary, doneState: state } = entry.request
      await this.deps.record({ type: 'result', id, kind, state, error: '', detail: summary(performed.result) })
      if (!entry.over.signal.aborted) this.#settle(entry, state, null, performed.result)
      return
    }
    const triesLeft = entry.view.triesLeft - (performed.isFree === true ? 0 : 1)
    if (performed.slow) entry.slowTries += 1
    this.#update(entry, { triesLeft, lastError: performed.reason })
    if (triesLeft <= 0) return this.#fail(entry, performed.final)
    this.#update(entry, { state: 'waiting' })
    if (this.#deadlines.isOver(entry.view.id)) return this.#deny(entry, 'expired')
    this.#changed()
  }

  async #fail(entry: Entry, error: HeadframeError): Promise<void> {
    if (entry.over.signal.aborted) return
    this.#update(entry, { lastError: entry.view.lastError || error.message })
    await this.#recordEnd(entry, 'failed', error)
    this.#settle(entry, 'failed', error)
  }

  /** Every rejection. The signal aborts first: the result of work in progress can't be returned any more. */
  async #deny(
    entry: Entry,
    state: 'rejected' | 'expired' | 'withdrawn',
    error: HeadframeError = DENIED,
  ): Promise<void> {
    if (entry.over.signal.aborted) return
    entry.over.abort(error)
    this.#update(entry, { state })
    const recorded = this.#recordEnd(entry, state, error)
    // Right away, so that the answer to the caller goes into the same write, which comes before it is sent.
    this.#settle(entry, state, error)
    await recorded
  }

  async #recordEnd(entry: Entry, state: RequestState, error: HeadframeError): Promise<void> {
    const { id, kind, contentHash } = entry.view
    try {
      const { record } = this.deps
      const result: AuditEntry = { type: 'result', id, kind, state, error: error.message, detail: {} }
      if (state !== 'rejected') return await record(result)
      await Promise.all([record({ type: 'decision', id, kind, contentHash, decision: 'reject' }), record(result)])
    } catch (cause) {
      this.deps.log.error('rejection could not be recorded', { id, error: messageOf(cause) })
    }
  }

  #settle(entry: Entry, state: RequestState, error: HeadframeError | null, result?: unknown): void {
    if (!this.#entries.delete(entry.view.id)) return
    this.#deadlines.end(entry.view.id)
    this.#slots.end(entry.view.id)
    if (entry.view.state !== state) this.#update(entry, { state })
    entry.over.abort(error ?? undefined)
    if (error === null) entry.resolve(result)
    else entry.reject(error)
    this.deps.log.info('request settled', { id: entry.view.id, kind: entry.view.kind, state })
    this.events.emit('settled', entry.view)
    this.#changed()
    this.#showNext()
  }

  #update(entry: Entry, change: Partial<SignerRequest>): void {
    entry.view = { ...entry.view, ...change }
  }

  #changed(): void {
    this.events.emit('changed', this.requests())
  }

  #internal(error: unknown): HeadframeError {
    this.deps.log.error('request failed for an internal reason', { error: messageOf(error) })
    return new SignerError('SIGNER_INTERNAL', undefined, { cause: error })
  }
}
