// The approval queue. A request leaves `waiting` only through a decision with its id, nonce and content hash, its
// timeout, its caller disconnecting, or the queue closing; each is recorded before it takes effect.

import { wipe } from '../../base/bytes'
import { HeadframeError, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { toBareHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { onAbort } from '../../base/on-abort'
import { type Clock, sleep } from '../../base/time'
import type { AuditEntry } from '../audit/audit-log'
import { SignerError } from '../errors'
import {
  type Caller,
  callerKey,
  type Decision,
  type DecisionOutcome,
  hashContent,
  type RequestState,
  type SignerRequest,
  sourceKey,
} from '../model/request'
import type { EditReview, TransactionEdits } from '../model/transaction-edits'
import type { InputPort, Question } from '../ports'
import { type NewRequest, onRecordOf, type Performed } from './approval'
import { Deadlines } from './deadlines'
import { approvalOf, type DecisionSource, type Entry, outcome, sameText, WINDOW } from './queue-entry'
import { QUEUE_LIMITS } from './queue-limits'
import { QuietCallers } from './quiet-callers'
import { contentOf, isCut, recordedContent } from './recorded-content'
import { Turns } from './turns'

/** How long requests wait. */
export interface RequestQueueOptions {
  /** 0 = a request waits as long as its caller does. */
  readonly approvalTimeoutMs: number
}

/** Clock, randomness for nonces, and the audit log that is written first. */
export interface RequestQueueDeps {
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
  /** Resolves when the entry is on disk. A rejection aborts its step. */
  readonly record: (entry: AuditEntry) => Promise<void>
}

/** For display. Listeners decide nothing. */
export interface QueueEvents {
  /** All displayed requests: waiting, or being worked on. Oldest first. */
  changed: readonly SignerRequest[]
  settled: SignerRequest
  /** Recorded, and displayed from now on; rules and the line-based UI are asked. */
  shown: ShownRequest
  /** Rejected immediately: the queue was full. */
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
  readonly #deps: RequestQueueDeps
  /** In order of arrival. */
  readonly #entries = new Map<string, Entry>()
  readonly #turns = new Turns()
  readonly #deadlines: Deadlines
  #open = false

  constructor(options: RequestQueueOptions, deps: RequestQueueDeps) {
    this.#deps = deps
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

  /** Displayed requests: waiting, or being worked on. Oldest first. */
  requests(): readonly SignerRequest[] {
    return [...this.#entries.values()].filter(({ view }) => this.#turns.isShown(view.id)).map(({ view }) => view)
  }

  /** All open requests, including queued ones. */
  get size(): number {
    return this.#turns.size
  }

  /** Those waiting for a decision, queued or displayed. */
  get waitingCount(): number {
    return this.#turns.size - this.requests().filter(({ state }) => state !== 'waiting').length
  }

  /** @throws SignerError SIGNER_QUEUE_FULL when the queue, or this caller's share of it, is full */
  assertRoom(caller: Caller, length = 0): void {
    const isFull = this.#turns.isFull(length)
    const isOver = caller.transport !== 'app' && this.#turns.hasShare(callerKey(caller), sourceKey(caller), length)
    if (!isFull && !isOver) return
    this.events.emit('overflowed', caller)
    throw new SignerError('SIGNER_QUEUE_FULL', { most: isFull ? QUEUE_LIMITS.open : QUEUE_LIMITS.openPerCaller })
  }

  /**
   * Queues a request; `result` settles with the user's decision, and rejects with SIGNER_REQUEST_DENIED or what
   * `perform` throws.
   * @throws SignerError SIGNER_REQUEST_DENIED immediately when the queue is closed, or the caller is blocked or gone;
   * SIGNER_QUEUE_FULL
   */
  submit<R>(request: NewRequest<R>): { readonly id: string; readonly result: Promise<R> } {
    const length = JSON.stringify(request.content).length
    if (!this.#open || request.callerGone.aborted) throw new SignerError('SIGNER_REQUEST_DENIED', undefined)
    const key = callerKey(request.content.caller)
    if (this.quiet.has(key)) throw new SignerError('SIGNER_REQUEST_DENIED', undefined)
    this.assertRoom(request.content.caller, length)
    const id = toBareHex(this.#deps.randomBytes(16))
    const result = new Promise<R>((resolve, reject) => {
      const entry = this.#newEntry({ id, length }, request, { resolve: (value) => resolve(value as R), reject, key })
      this.#entries.set(id, entry)
      this.#turns.add(id, key, length, sourceKey(request.content.caller))
      const { caller, kind, contentHash } = entry.view
      this.#deps
        .record({ type: 'request', id, kind, caller, contentHash, content: recordedContent(request.content, length) })
        .then(
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

  /** Timeouts stop while the user is away from the screen. */
  setAway(isAway: boolean): void {
    if (this.#deadlines.setAway(isAway)) this.#changed()
  }

  /** Why an approval with these edits would be invalid, empty when valid; and the findings then. */
  review(id: string, edits: TransactionEdits): EditReview {
    const entry = this.#entries.get(id)
    const objection = entry?.objection({ ...WINDOW, id, password: null, accounts: null, edits }) ?? ''
    return { objection, findings: objection === '' ? (entry?.recheck(edits) ?? []) : (entry?.view.findings ?? []) }
  }

  #newEntry<R>(
    { id, length }: { readonly id: string; readonly length: number },
    request: NewRequest<R>,
    rest: Pick<Entry, 'resolve' | 'reject' | 'key'>,
  ): Entry {
    const { clock, randomBytes } = this.#deps
    return {
      view: {
        ...request.content,
        id,
        nonce: toBareHex(randomBytes(32)),
        contentHash: hashContent(request.content),
        state: 'waiting',
        createdAt: clock.now(),
        expiresAt: null,
        lastError: '',
        triesLeft: QUEUE_LIMITS.tries,
      },
      question: request.question,
      objection: request.objection,
      recheck: request.recheck ?? (() => request.content.findings),
      perform: request.perform,
      summary: (result) => request.summary(result as R),
      doneState: request.doneState,
      over: new AbortController(),
      ...rest,
      isCut: isCut(length),
      slowTries: 0,
      isAsking: false,
    }
  }

  /** From here on it can lose its caller, and is displayed when its turn comes. */
  #lineUp(entry: Entry, callerGone: AbortSignal): void {
    if (entry.over.signal.aborted) return
    const forGone = onAbort(callerGone, () => void this.#deny(entry, 'withdrawn'))
    onAbort(entry.over.signal, () => forGone.dispose())
    if (callerGone.aborted) return
    this.#turns.ready(entry.view.id)
    this.#showNext()
  }

  /** From here on they can be decided, or time out. */
  #showNext(): void {
    for (let id = this.#turns.next(); id !== null; id = this.#turns.next()) {
      const entry = this.#entries.get(id)
      if (entry === undefined) continue
      this.#deadlines.start(id)
      this.#changed()
      this.events.emit('shown', { request: entry.view, question: entry.question, over: entry.over.signal })
    }
  }

  #expire(id: string): void {
    const entry = this.#entries.get(id)
    if (entry?.view.state === 'waiting' || entry?.isAsking === true) void this.#deny(entry, 'expired')
  }

  /**
   * The waiting entry of the decision, taken out of `waiting` in the same step, so that a second decision finds
   * nothing.
   */
  #claim(decision: Decision, source: DecisionSource): Entry {
    const { id } = decision
    const refuse = (reason: string): never => {
      this.#deps.log.warn('decision refused', { id: id.slice(0, 64), reason })
      throw new SignerError('SIGNER_DECISION_REFUSED', { id: id.slice(0, 64), reason })
    }
    const entry = this.#entries.get(id) ?? refuse('the request is no longer waiting')
    if (entry.view.state !== 'waiting')
      refuse(`the request is already ${entry.view.state}, in another window or by a policy`)
    if (!sameText(decision.nonce, entry.view.nonce)) refuse('the one-time value is not the one given out')
    if (!sameText(decision.contentHash, entry.view.contentHash)) refuse('it was made for other content')
    const objection = decision.decision === 'approve' ? entry.objection(approvalOf(decision, source)) : null
    if (objection !== null) refuse(objection)
    this.#update(entry, { state: 'approved' })
    return entry
  }

  async #approve(entry: Entry, decision: Decision, source: DecisionSource): Promise<DecisionOutcome> {
    const { clock } = this.#deps
    const { id, kind, contentHash } = entry.view
    const signal = entry.over.signal
    this.#changed()
    try {
      const told = onRecordOf(approvalOf(decision, source))
      const whole = entry.isCut ? { content: contentOf(entry.view) } : {}
      await this.#deps.record({ type: 'decision', id, kind, contentHash, ...told, ...whole, decision: 'approve' })
      const delay = QUEUE_LIMITS.tryDelaysMs[Math.min(entry.slowTries, QUEUE_LIMITS.tryDelaysMs.length - 1)] ?? 0
      if (delay > 0) await sleep(clock, delay, signal)
      if (signal.aborted) return outcome(entry)
      const approval = { ...approvalOf(decision, source), input: this.#asking(entry, source.input) }
      await this.#conclude(entry, await entry.perform(approval, signal))
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
      const detail = entry.summary(performed.result)
      await this.#deps.record({ type: 'result', id, kind, state: entry.doneState, error: '', detail })
      if (!entry.over.signal.aborted) this.#settle(entry, entry.doneState, null, performed.result)
      return
    }
    const triesLeft = entry.view.triesLeft - (performed.isFree === true ? 0 : 1)
    if (performed.slow) entry.slowTries += 1
    this.#update(entry, { triesLeft, lastError: performed.reason })
    if (triesLeft <= 0) return this.#fail(entry, performed.final)
    this.#update(entry, { state: 'waiting' })
    const { expiresAt } = entry.view
    if (expiresAt !== null && this.#deps.clock.now() >= expiresAt) return this.#deny(entry, 'expired')
    this.#changed()
  }

  async #fail(entry: Entry, error: HeadframeError): Promise<void> {
    if (entry.over.signal.aborted) return
    this.#update(entry, { lastError: entry.view.lastError || error.message })
    await this.#recordEnd(entry, 'failed', error)
    this.#settle(entry, 'failed', error)
  }

  /**
   * The single path of every rejection. The signal aborts first, so that the result of work in progress can no longer
   * be returned.
   */
  async #deny(
    entry: Entry,
    state: 'rejected' | 'expired' | 'withdrawn',
    error: HeadframeError = new SignerError('SIGNER_REQUEST_DENIED', undefined),
  ): Promise<void> {
    if (entry.over.signal.aborted) return
    entry.over.abort(error)
    this.#update(entry, { state })
    await this.#recordEnd(entry, state, error)
    this.#settle(entry, state, error)
  }

  async #recordEnd(entry: Entry, state: RequestState, error: HeadframeError): Promise<void> {
    const { id, kind, contentHash } = entry.view
    try {
      const { record } = this.#deps
      const result: AuditEntry = { type: 'result', id, kind, state, error: error.message, detail: {} }
      if (state !== 'rejected') return await record(result)
      await Promise.all([record({ type: 'decision', id, kind, contentHash, decision: 'reject' }), record(result)])
    } catch (cause) {
      this.#deps.log.error('rejection could not be recorded', { id, error: messageOf(cause) })
    }
  }

  #settle(entry: Entry, state: RequestState, error: HeadframeError | null, result?: unknown): void {
    if (!this.#entries.delete(entry.view.id)) return
    this.#deadlines.end(entry.view.id)
    this.#turns.end(entry.view.id)
    this.#update(entry, { state })
    entry.over.abort(error ?? undefined)
    if (error === null) entry.resolve(result)
    else entry.reject(error)
    this.#deps.log.info('request settled', { id: entry.view.id, kind: entry.view.kind, state })
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
    this.#deps.log.error('request failed for an internal reason', { error: messageOf(error) })
    return new SignerError('SIGNER_INTERNAL', undefined, { cause: error })
  }
}
