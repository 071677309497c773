// The program on the standard streams as approver: each waiting request becomes a question, each answer a decision
// bound to the content that was sent.
import { HeadframeError, messageOf } from '../../base/errors'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import { SignerError } from '../errors'
import type { InputPort, RequestPreview } from '../ports'
import type { RequestQueue, ShownRequest } from '../requests/queue'
import { type LineChannel, LinePeer, type PeerCallHandler } from './line-peer'
import { readDecision, readInput } from './ui-answers'

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
