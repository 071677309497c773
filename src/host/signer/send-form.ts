// The application's own send form: asks the signer like any caller, and submits the signed transaction to our node. It
// decides nothing.
import { hasCode, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { bytesOfHex, toBareHex, toHex } from '../../base/hex'
import { toQuantity } from '../../base/quantity'
import type { Clock } from '../../base/time'
import type { SendView } from '../../contract/signer-tools'
import type { NodeService } from '../../node/node-service'
import type { Caller } from '../../signer/model/request'
import type { SignerService } from '../../signer/signer-service'
import { type DraftInput, estimateTransaction } from '../adapters/transaction-simulation'

const REMEMBERED = 50
const ESTIMATE_MS = 5_000

export const OWN_FORM: Caller = { transport: 'app', remote: 'NA', local: 'NA', userAgent: 'Headframe', origin: '' }

interface SendRequestsDeps {
  readonly signer: SignerService
  readonly node: NodeService
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
}

interface SendInput extends DraftInput {
  readonly nonce: number
  /** Decimal. */
  readonly gas: string
  /** Decimal wei. */
  readonly gasPrice: string
}

export class SendRequests {
  readonly events = new Emitter<{ changed: null }>()
  #sends: readonly SendView[] = []

  constructor(private readonly deps: SendRequestsDeps) {}

  sends(): readonly SendView[] {
    return this.#sends
  }

  /** What the transaction needs, and why it would fail (empty when it wouldn't). @throws CHAIN_NOT_OPEN */
  async draft(input: DraftInput) {
    const { node } = this.deps
    const from = bytesOfHex(input.from.toLowerCase())
    const [nonce, fees] = await Promise.all([node.reader.poolNonce(from), node.reader.feeEstimates()])
    const { gasPrice, source, target, estimates } = fees
    const numbers = {
      nonce: Number(nonce),
      gasPrice: gasPrice.toString(),
      prices: estimates.map(({ blocks, gasPrice: price }) => ({
        blocks,
        gasPrice: price === null ? null : String(price),
      })),
      within: source === 'recentBlocks' || target === 'recentBlocks' ? null : target,
    }
    const limit = new AbortController()
    const timer = this.deps.clock.setTimeout(() => limit.abort(new Error('the estimate took too long')), ESTIMATE_MS)
    try {
      const gas = await estimateTransaction(node, input, limit.signal)
      return { ...numbers, gas: gas.toString(), problem: '' }
    } catch (error) {
      return { ...numbers, gas: '21000', problem: messageOf(error) }
    } finally {
      timer.dispose()
    }
  }

  /** Opens the request; its outcome appears in `sends`. */
  send(input: SendInput): { readonly id: string } {
    const { clock, randomBytes } = this.deps
    const id = toBareHex(randomBytes(8))
    const { from, to, value } = input
    const send: SendView = { id, from, to, value, state: 'waiting', hash: null, reason: '', at: clock.now() }
    this.#sends = [send, ...this.#sends].slice(0, REMEMBERED)
    this.events.emit('changed', null)
    this.#signAndSend(input).then(
      (hash) => this.#settle(id, { state: 'sent', hash }),
      (error: unknown) => {
        const isRefused = hasCode(error, 'SIGNER_REQUEST_DENIED')
        this.#settle(id, { state: isRefused ? 'refused' : 'failed', reason: messageOf(error) })
      },
    )
    return { id }
  }

  async #signAndSend({ from, to, value, data, nonce, gas, gasPrice }: SendInput): Promise<string> {
    const { signer, node } = this.deps
    const transaction = {
      from,
      to,
      data,
      value: toQuantity(BigInt(value)),
      gas: toQuantity(BigInt(gas)),
      gasPrice: toQuantity(BigInt(gasPrice)),
      nonce: toQuantity(nonce),
    }
    const origin = { caller: OWN_FORM, callerGone: new AbortController().signal }
    const { raw } = await signer.signTransaction(transaction, origin)
    return toHex(await node.addTransaction(bytesOfHex(raw)))
  }

  #settle(id: string, change: Partial<SendView>): void {
    this.#sends = this.#sends.map((send) => (send.id === id ? { ...send, ...change } : send))
    this.events.emit('changed', null)
  }
}
