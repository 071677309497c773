// What the user learns about requests besides pending ones: recent outcomes, how many didn't fit the queue, and which
// calls the checks rejected.
import type { Disposable } from '../../../base/disposable'
import { Emitter } from '../../../base/events'
import { Disposables } from '../../../base/lifecycle'
import type { Clock } from '../../../base/time'
import type { RefusalView, RequestsView } from '../../../contract/signer'
import type { SignerService } from '../../../signer/signer-service'

const MAX_ENDED = 16
const MAX_REFUSALS = 16
/** Findings of a rejected call: a caller may produce many, and long ones. */
const MAX_FINDINGS = 20
const MAX_CHARACTERS = 2_000

type Ended = NonNullable<RequestsView['ended']>[number]

export class RequestNews {
  readonly events = new Emitter<{ changed: null }>()
  ended: readonly Ended[] = []
  refusals: readonly RefusalView[] = []
  /** Since requests last started queueing. */
  overflowed = 0
  #lastRefusal = 0

  constructor(
    private readonly signer: SignerService,
    private readonly clock: Clock,
  ) {}

  watch(): Disposable {
    const { events } = this.signer
    return new Disposables(
      events.on('requestSettled', ({ id, state }) => {
        this.ended = [...this.ended, { id, state }].slice(-MAX_ENDED)
      }),
      events.on('requestsChanged', (requests) => {
        if (requests.length === 0) this.overflowed = 0
      }),
      events.on('queueOverflowed', () => {
        this.overflowed += 1
        this.events.emit('changed', null)
      }),
      events.on('requestRefused', ({ caller, findings }) => {
        this.#lastRefusal += 1
        const refusal: RefusalView = {
          id: this.#lastRefusal,
          at: this.clock.now(),
          caller: { ...caller, process: caller.process ?? null },
          findings: findings
            .slice(0, MAX_FINDINGS)
            .map(({ severity, message }) => ({ severity, message: message.slice(0, MAX_CHARACTERS) })),
        }
        this.refusals = [refusal, ...this.refusals].slice(0, MAX_REFUSALS)
        this.events.emit('changed', null)
      }),
    )
  }
}
