// Who is asked about a waiting request: rules first, then the program on the standard streams; without either the user
// decides in a window. Also reports outcomes to that program.

import { hasCode, messageOf } from '../base/errors'
import type { Logger } from '../base/logger'
import { KEY_FILE_FAULTS, SignerError, toRpcError } from './errors'
import type { Caller } from './model/request'
import type { Judgement, OpenedVault } from './ports'
import type { NewRequest } from './requests/account-key'
import type { RequestQueue, ShownRequest } from './requests/queue'
import type { LineUi } from './ui-api/line-ui'

interface RouterDeps {
  readonly queue: RequestQueue
  /** Null when a window decides. */
  readonly lines: () => LineUi | null
  readonly vault: () => OpenedVault
  /** Called with every request of a caller; false: it is rejected immediately without asking. */
  readonly admits?: ((caller: Caller) => boolean) | undefined
  readonly log: Logger
}

/** Errors of a transaction after its approval that are shown to the program, too (vectors tx-ui). */
const SHOWN_OF_TRANSACTIONS = [
  ...['SIGNER_WRONG_PASSWORD', 'SIGNER_INVALID_CHAIN_ID', 'SIGNER_MULTIPLE_KEYS'],
  ...KEY_FILE_FAULTS,
]

export class RequestRouter {
  /** Requests decided by a rule that haven't reached their end. */
  readonly #decidedByRule = new Set<string>()

  constructor(private readonly deps: RouterDeps) {}

  /** Queues a request and reports its outcome. @throws SignerError as RequestQueue.submit and its result */
  async submit<R>(request: NewRequest<R>, recorded?: Promise<void>): Promise<R> {
    const { kind, caller } = request.content
    try {
      if (this.deps.admits?.(caller) === false) throw new SignerError('SIGNER_REQUEST_DENIED', undefined)
      const { id, result } = this.deps.queue.submit(request, recorded)
      try {
        const done = await result
        if (kind === 'signTransaction') await this.#tellSigned(id, Object(done))
        return done
      } catch (error) {
        await this.deps.vault().rules?.failed(id)
        throw error
      } finally {
        this.#decidedByRule.delete(id)
      }
    } catch (error) {
      const isData = kind === 'signData' || kind === 'signTypedData'
      const isShown = isData || SHOWN_OF_TRANSACTIONS.some((code) => hasCode(error, code))
      if (isShown) this.deps.lines()?.showError(toRpcError(error).message)
      throw error
    }
  }

  /** Never rejects. */
  async decide(shown: ShownRequest): Promise<void> {
    const { queue, lines, log } = this.deps
    const { id, nonce, contentHash, kind, accounts } = shown.request
    const judgement = await this.#judge(shown)
    if (judgement === 'ask') {
      const program = lines()
      if (program === null) this.#announce(shown)
      else await program.decide(shown)
      return
    }
    const shared = kind === 'listing' ? (accounts ?? []).map(({ address }) => address) : null
    try {
      this.#decidedByRule.add(id)
      const decision = { id, nonce, contentHash, decision: judgement, password: null, accounts: shared }
      await queue.decide(decision, { by: 'rule', input: lines(), answered: null })
    } catch (error) {
      log.warn('decision of a rule was not carried out', { id, kind, error: messageOf(error) })
    }
  }

  /** The user may not be looking at the window or dashboard. A request made there has the user present. */
  #announce({ request: { id, kind, caller } }: ShownRequest): void {
    const { transport, remote } = caller
    if (transport !== 'app') this.deps.log.warn('request waits for approval', { id, kind, transport, remote })
  }

  /** A rule's decision on a transaction is reported to the rule only, as in clef. */
  async #tellSigned(id: string, signed: Readonly<Record<string, unknown>>): Promise<void> {
    if (!this.#decidedByRule.has(id)) this.deps.lines()?.approvedTransaction(signed)
    await this.deps.vault().rules?.approved(id, signed)
  }

  async #judge({ request, question }: ShownRequest): Promise<Judgement> {
    const { rules, passwords } = this.deps.vault()
    if (rules === null || request.kind === 'newAccount') return 'ask'
    const judgement = await rules.judge(question, request.id)
    const signer = request.transaction?.from ?? request.data?.address ?? null
    if (judgement !== 'approve' || signer === null || this.deps.lines() !== null) return judgement
    // The user must type the password: in a window that is the whole decision.
    if (((await passwords?.storedFor(signer)) ?? null) !== null) return judgement
    await rules.failed(request.id)
    return 'ask'
  }
}
