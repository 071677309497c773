// The signer's side of the rules worker. A script that the interpreter can't interrupt is stopped by terminating its
// thread.
import { messageOf } from '../../base/errors'
import { type Clock, within } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import type { Transport } from '../../base/wire/define'
import { VaultError } from '../errors'
import { type RuleOutcome, type RulesWire, type RuleTask, rulesWire } from './rules-wire'

/**
 * Only reached by a script that the interpreter can't interrupt, because it hangs in a few very expensive steps.
 * Decisions never depend on time, so this is far above what an honest script takes even on a busy computer.
 */
const EVALUATE_MS = 10_000
/** Thread, interpreter and all, on a busy computer. */
const READY_MS = 60_000

export interface ScriptRunner {
  /** @throws VaultError SIGNER_RULES_FAILED when there is no outcome */
  evaluate(task: RuleTask): Promise<RuleOutcome>
}

export class RulesClient implements ScriptRunner {
  #wire: WireClient<RulesWire> | null = null
  #ready: Promise<unknown> | null = null
  #isClosed = false

  constructor(
    private readonly open: () => Transport,
    private readonly deps: { readonly clock: Clock },
  ) {}

  /** Starts the worker ahead of the first question. Never rejects: that question tries again. */
  async warm(): Promise<void> {
    await this.#started().catch(() => undefined)
  }

  async evaluate(task: RuleTask): Promise<RuleOutcome> {
    const wire = await this.#started()
    return this.#within(EVALUATE_MS, wire, () => wire.call('evaluate', task))
  }

  /** Ends the worker for good; open questions fail, and so do later ones. */
  close(): void {
    this.#isClosed = true
    this.#drop()
  }

  #drop(): void {
    const wire = this.#wire
    this.#wire = null
    void wire?.close()
  }

  /** The worker, once ready; all waiting callers share one start. */
  async #started(): Promise<WireClient<RulesWire>> {
    if (this.#isClosed) throw new VaultError('SIGNER_RULES_FAILED', { reason: 'the signer has stopped' })
    if (this.#wire !== null && this.#ready !== null) {
      await this.#ready
      return this.#wire
    }
    const wire = createWireClient(rulesWire, this.open())
    wire.onClose(() => {
      if (this.#wire === wire) this.#wire = null
    })
    this.#wire = wire
    this.#ready = this.#within(READY_MS, wire, () => wire.call('ready', {}))
    await this.#ready
    return wire
  }

  async #within<T>(limitMs: number, wire: WireClient<RulesWire>, run: () => Promise<T>): Promise<T> {
    const work = run()
    try {
      if (await within(work, limitMs, this.deps.clock)) return await work
    } catch (cause) {
      throw new VaultError('SIGNER_RULES_FAILED', { reason: messageOf(cause) }, { cause })
    }
    if (this.#wire === wire) this.#drop()
    throw new VaultError('SIGNER_RULES_FAILED', { reason: `no answer within ${limitMs} ms` })
  }
}
