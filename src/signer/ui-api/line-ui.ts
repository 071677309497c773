// The program on the standard streams as approver: each waiting request becomes a question, each answer a decision
// bound to the content that was sent.
import { z } from 'zod'
import { HeadframeError, messageOf, schemaFault } from '../../base/errors'
import { elementTexts, endOfValue, memberTexts } from '../../base/json-text'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { untilAborted } from '../../base/on-abort'
import { parseJson, positionalParams } from '../../net/json-rpc/json-rpc'
import { SignerError, toRpcError } from '../errors'
import type { InputPort, Question, RequestPreview } from '../ports'
import type { Approval } from '../requests/account-key'
import type { RequestQueue, ShownRequest } from '../requests/queue'

/** Two streams as lines of text, without line ends. */
export interface LineChannel {
  send(line: string): void
  /** Called once; `onLine` gets null for a line above the maximum length. */
  open(listener: { readonly onLine: (line: string | null) => void; readonly onEnd: () => void }): void
  close(): void
  /** What the person typed, which the line only names; null when the line has it. The caller wipes it. */
  readonly typed?: (text: string) => Uint8Array | null
}

/** Executes a call of the program; what it throws becomes its error. */
export type PeerCallHandler = (method: string, params: readonly unknown[]) => Promise<unknown>

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (error: Error) => void
}

const message = z.object({
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  method: z.string().optional(),
  params: z.unknown().optional(),
  result: z.unknown().optional(),
  error: z.unknown().optional(),
})
const errorObject = z.object({ code: z.number().int(), message: z.string(), data: z.unknown().optional() })

/** Characters of an incomplete message: more than an escaped answer with a transaction of 5 MiB. */
const MAX_BEGUN = 16 * 1024 * 1024
/** Characters of a malformed message in which its id is looked for. */
const MAX_SEARCHED = 64 * 1024
/** It is scanned again for each of its lines. */
const MAX_BEGUN_LINES = 1_000

/** Questions out with increasing ids, notifications out, calls in. Invalid input rejects, it never approves. */
export class LinePeer {
  readonly #pending = new Map<number, Pending>()
  #begun = ''
  #begunLines = 0
  /** Requests from this id on were made after it began: it can't answer them. */
  #begunBefore = 0
  #nextId = 1
  #isEnded = false

  constructor(
    private readonly channel: LineChannel,
    private readonly deps: { readonly handle: PeerCallHandler; readonly log: Logger },
  ) {}

  open(): void {
    this.channel.open({ onLine: (line) => this.#receive(line), onEnd: () => this.#end() })
  }

  /** Open questions fail as if the program had exited. */
  close(): void {
    this.#end()
    this.channel.close()
  }

  /**
   * Asks and waits without a time limit.
   * @param signal ends the wait; a later answer is ignored
   * @throws SignerError SIGNER_UI_ABSENT, SIGNER_UI_ENDED, SIGNER_UI_ANSWER (the program's own error),
   * SIGNER_UI_MALFORMED, the signal's reason
   */
  request(method: string, param: unknown, signal: AbortSignal): Promise<unknown> {
    if (this.#isEnded) return Promise.reject(new SignerError('SIGNER_UI_ABSENT', undefined))
    if (signal.aborted) return Promise.reject(signal.reason)
    const id = this.#nextId++
    const answered = new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }))
    this.#send({ jsonrpc: '2.0', id, method, params: [param] })
    return untilAborted(answered, signal).finally(() => this.#pending.delete(id))
  }

  /** Sends without waiting. Consumes an id, as in clef. */
  notify(method: string, param: unknown): void {
    if (this.#isEnded) return
    this.#nextId += 1
    this.#send({ jsonrpc: '2.0', method, params: [param] })
  }

  /** @param text of an answer @returns UTF-8 bytes, which the caller wipes */
  typed(text: string): Uint8Array {
    return this.channel.typed?.(text) ?? new TextEncoder().encode(text)
  }

  #send(value: unknown): void {
    this.channel.send(JSON.stringify(value))
  }

  #end(): void {
    this.#isEnded = true
    for (const { reject } of this.#pending.values()) reject(new SignerError('SIGNER_UI_ENDED', undefined))
    this.#pending.clear()
  }

  /** A message may span several lines, and a line may hold several: programs that parse a stream write so. */
  #receive(line: string | null): void {
    if (line === null) {
      this.#begun = ''
      this.#malformed('')
      return
    }
    if (line.trim() === '') return
    // A whole message after an incomplete one: that one will never be completed.
    if (this.#begun !== '' && parseMessage(line) !== null) {
      const begun = this.#begun
      this.#begun = ''
      this.#malformed(begun, this.#begunBefore)
    }
    if (this.#begun === '') {
      this.#begunLines = 0
      this.#begunBefore = this.#nextId
    }
    let rest = this.#begun === '' ? line.trim() : `${this.#begun}\n${line}`
    this.#begun = ''
    while (rest !== '') {
      const end = /^[[{]/.test(rest) ? endOfValue(rest, 0) : rest.length
      if (end < 0) {
        this.#begunLines += 1
        const isTooLong = rest.length > MAX_BEGUN || this.#begunLines > MAX_BEGUN_LINES
        this.#begun = isTooLong ? '' : rest
        if (isTooLong) this.#malformed(rest, this.#begunBefore)
        return
      }
      this.#receiveValue(rest.slice(0, end))
      rest = rest.slice(end).trim()
    }
  }

  #receiveValue(text: string): void {
    const entries = text.startsWith('[') && Array.isArray(parseJson(text)?.value) ? elementTexts(text) : [text]
    if (entries.length === 0) this.#malformed(text)
    for (const entry of entries) this.#receiveMessage(entry)
  }

  #receiveMessage(text: string): void {
    const parsed = parseMessage(text)
    if (parsed === null) {
      this.#malformed(text)
      return
    }
    const { id, method } = parsed
    if (method !== undefined) void this.#call(method, parsed.params, memberTexts(text).get('id') ?? null)
    else if (typeof id === 'number') this.#answer(id, parsed)
    else if (id !== undefined) this.deps.log.debug('answer of the user interface has an id that was never given')
    else this.#malformed(text)
  }

  /**
   * Rejects the request that such a line answers, by the id that can still be read in it. Without one that is unknown,
   * so all that it may have answered are rejected: never one that was made after the line began.
   */
  #malformed(text: string, before = this.#nextId): void {
    const reason = 'a line is not a JSON-RPC message'
    this.deps.log.warn('malformed line from the user interface')
    this.#send({ jsonrpc: '2.0', error: { code: -32_700, message: reason } })
    const meant = Number(/"id"\s*:\s*(\d{1,15})\b/.exec(text.slice(0, MAX_SEARCHED))?.[1] ?? Number.NaN)
    const open = [...this.#pending.keys()].filter((id) => id < before)
    for (const id of open.includes(meant) ? [meant] : open) {
      this.#pending.get(id)?.reject(new SignerError('SIGNER_UI_MALFORMED', { reason }))
      this.#pending.delete(id)
    }
  }

  #answer(id: number, parsed: z.infer<typeof message>): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) {
      this.deps.log.debug('answer of the user interface is for no open question', { id })
      return
    }
    this.#pending.delete(id)
    if (parsed.error !== undefined && parsed.error !== null) pending.reject(uiError(parsed.error))
    else if (parsed.result !== undefined) pending.resolve(parsed.result)
    else pending.reject(new SignerError('SIGNER_UI_MALFORMED', { reason: 'neither result nor error' }))
  }

  async #call(method: string, params: unknown, idText: string | null): Promise<void> {
    const answer = await this.#carryOut(method, params)
    if (idText === null || this.#isEnded) return
    this.channel.send(`{"jsonrpc":"2.0","id":${idText},${answer}}`)
  }

  async #carryOut(method: string, params: unknown): Promise<string> {
    try {
      const given = positionalParams(params)
      if (given === null) throw new SignerError('SIGNER_ARGUMENTS_NOT_ARRAY', undefined)
      const result: unknown = await this.deps.handle(method, given)
      return `"result":${JSON.stringify(result ?? null)}`
    } catch (error) {
      this.deps.log.debug('call of the user interface failed', { method, error: messageOf(error) })
      return `"error":${JSON.stringify(toRpcError(error))}`
    }
  }
}

function parseMessage(line: string): z.infer<typeof message> | null {
  const read = message.safeParse(parseJson(line)?.value)
  return read.success ? read.data : null
}

function uiError(given: unknown): Error {
  const read = errorObject.safeParse(given)
  if (!read.success) return new SignerError('SIGNER_UI_MALFORMED', { reason: 'error is not a JSON-RPC error object' })
  const { code, message: text, data } = read.data
  return new SignerError('SIGNER_UI_ANSWER', { rpcCode: code, text, extra: data })
}

type UiDecision =
  | { readonly kind: 'reject' }
  | {
      readonly kind: 'approve'
      readonly accounts: readonly string[] | null
      readonly answered: Approval['answered']
    }

const REJECT: UiDecision = { kind: 'reject' }

const approved = z.object({ approved: z.boolean().nullish() }).nullable()
const transaction = z
  .object({ approved: z.boolean().nullish(), transaction: z.record(z.string(), z.unknown()).nullish() })
  .nullable()
const account = z.object({ address: z.string().regex(/^0[xX][0-9a-fA-F]{40}$/) })
const listing = z.object({ accounts: z.array(account).nullish() }).nullable()
const input = z.object({ text: z.string() })

/** Anything that isn't clearly an approval isn't one. @throws SignerError SIGNER_UI_MALFORMED */
export function readDecision(method: Question['method'], result: unknown): UiDecision {
  if (method === 'ui_approveListing') {
    const accounts = read(listing, result)?.accounts?.map(({ address }) => address) ?? null
    return accounts === null ? REJECT : { kind: 'approve', accounts, answered: null }
  }
  if (method === 'ui_approveTx') {
    const answer = read(transaction, result)
    if (answer?.approved !== true) return REJECT
    return { kind: 'approve', accounts: null, answered: { transaction: answer.transaction ?? {} } }
  }
  return read(approved, result)?.approved === true ? { kind: 'approve', accounts: null, answered: null } : REJECT
}

/** The typed text. @throws SignerError SIGNER_UI_MALFORMED */
export function readInput(result: unknown): string {
  return read(input, result).text
}

function read<T>(schema: z.ZodType<T>, value: unknown): T {
  const outcome = schema.safeParse(value)
  if (outcome.success) return outcome.data
  throw new SignerError('SIGNER_UI_MALFORMED', { reason: schemaFault(outcome.error) })
}

/** Semantic version of the UI API, as ui_onSignerStartup reports it. */
export const UI_API_VERSION = '7.0.1'

interface LineUiDeps {
  readonly channel: LineChannel
  readonly queue: RequestQueue
  readonly handle: PeerCallHandler
  /** Missing when no node can run beside the signer. */
  readonly preview?: RequestPreview | undefined
  readonly log: Logger
}

export class LineUi implements InputPort {
  readonly #peer: LinePeer
  readonly #held = new Disposables()
  readonly #stopped = new AbortController()

  constructor(private readonly deps: LineUiDeps) {
    this.#peer = new LinePeer(deps.channel, { handle: deps.handle, log: deps.log })
  }

  open(): void {
    this.#peer.open()
  }

  close(): void {
    this.#stopped.abort(new SignerError('SIGNER_UI_ENDED', undefined))
    this.#held.dispose()
    this.#peer.close()
  }

  /** Submits a request to the program and carries out its answer. Never rejects. */
  async decide({ request, question, over }: ShownRequest): Promise<void> {
    const { queue, log } = this.deps
    const { id, nonce, contentHash } = request
    try {
      const simulation = (await this.deps.preview?.(request, queue.asideOf(id), over)) ?? null
      const body = simulation === null ? question.body : { ...question.body, simulation }
      const result = await this.#peer.request(question.method, body, over)
      const decision = readDecision(question.method, result)
      const accounts = decision.kind === 'approve' ? decision.accounts : null
      const answered = decision.kind === 'approve' ? decision.answered : null
      await queue.decide(
        { id, nonce, contentHash, decision: decision.kind, password: null, accounts },
        { by: 'lines', input: this.#until(over), answered },
      )
    } catch (error) {
      if (over.aborted) return
      log.warn('request denied: the user interface gave no valid answer', { id, error: messageOf(error) })
      await queue.refuse(id, asRefusal(error))
    }
  }

  /** @throws SignerError SIGNER_INTERNAL; the reason could contain what was typed, so it isn't passed on */
  ask(wanted: Parameters<InputPort['ask']>[0]): Promise<Uint8Array> {
    return this.#ask(wanted, this.#stopped.signal)
  }

  /** A question to the user whose answer is text. @throws SignerError SIGNER_UI_* */
  async askText(title: string, prompt: string): Promise<string> {
    const result = await this.#peer.request(
      'ui_onInputRequired',
      { title, prompt, isPassword: false },
      this.#stopped.signal,
    )
    return new TextDecoder().decode(this.#peer.typed(readInput(result)))
  }

  showInfo(text: string): void {
    this.#peer.notify('ui_showInfo', { text })
  }

  showError(text: string): void {
    this.#peer.notify('ui_showError', { text })
  }

  approvedTransaction(signed: object): void {
    this.#peer.notify('ui_onApprovedTx', signed)
  }

  startedUp(info: Readonly<Record<string, unknown>>): void {
    this.#peer.notify('ui_onSignerStartup', { info })
  }

  #until(over: AbortSignal): InputPort {
    return { ask: (wanted) => this.#ask(wanted, over) }
  }

  async #ask(wanted: Parameters<InputPort['ask']>[0], signal: AbortSignal): Promise<Uint8Array> {
    try {
      return this.#peer.typed(readInput(await this.#peer.request('ui_onInputRequired', wanted, signal)))
    } catch (error) {
      const code = error instanceof HeadframeError ? error.code : 'unknown'
      this.deps.log.warn('no input from the user interface', { title: wanted.title, code })
      throw new SignerError('SIGNER_INTERNAL', undefined)
    }
  }
}

function asRefusal(error: unknown): HeadframeError {
  return error instanceof HeadframeError ? error : new SignerError('SIGNER_INTERNAL', undefined, { cause: error })
}
