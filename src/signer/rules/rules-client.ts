// The signer's side of the rules worker. A script that the interpreter cannot stop is stopped by ending its thread.
import { messageOf } from '../../base/errors'
import { type Clock, sleep } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import type { Transport } from '../../base/wire/define'
import { VaultError } from '../errors'
import { type RuleOutcome, type RulesWire, type RuleTask, rulesWire } from './rules-wire'

/** Ten times what the interpreter allows itself. */
const EVALUATE_MS = 1_000
/** Thread, interpreter and all, on a busy computer. */
const READY_MS = 10_000

export interface ScriptRunner {
  /** @throws VaultError SIGNER_RULES_FAILED when there is no outcome at all */
  evaluate(task: RuleTask): Promise<RuleOutcome>
}

export class RulesClient implements ScriptRunner {
  readonly #open: () => Transport
  readonly #clock: Clock
  #wire: WireClient<RulesWire> | null = null

  constructor(open: () => Transport, deps: { readonly clock: Clock }) {
    this.#open = open
    this.#clock = deps.clock
  }

  async evaluate(task: RuleTask): Promise<RuleOutcome> {
    const wire = this.#wire ?? (await this.#start())
    return this.#within(EVALUATE_MS, wire, () => wire.call('evaluate', task))
  }

  /** Ends the worker; open questions fail. */
  close(): void {
    const wire = this.#wire
    this.#wire = null
    wire?.close()
  }

  async #start(): Promise<WireClient<RulesWire>> {
    const wire = createWireClient(rulesWire, this.#open())
    wire.onClose(() => {
      if (this.#wire === wire) this.#wire = null
    })
    this.#wire = wire
    await this.#within(READY_MS, wire, () => wire.call('ready', {}))
    return wire
  }

  async #within<T>(limitMs: number, wire: WireClient<RulesWire>, run: () => Promise<T>): Promise<T> {
    const answered = new AbortController()
    const late = sleep(this.#clock, limitMs, answered.signal).then(() => {
      if (this.#wire === wire) this.close()
      throw new VaultError('SIGNER_RULES_FAILED', { reason: `no answer within ${limitMs} ms` })
    })
    late.catch(() => undefined)
    try {
      return await Promise.race([run(), late])
    } catch (cause) {
      if (cause instanceof Error && 'code' in cause && cause.code === 'SIGNER_RULES_FAILED') throw cause
      throw new VaultError('SIGNER_RULES_FAILED', { reason: messageOf(cause) }, { cause })
    } finally {
      answered.abort()
    }
  }
}
