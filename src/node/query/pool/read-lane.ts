// One worker for short state reads: nothing expensive ever runs on it.
import { type Ending, signalOf } from '../../../base/ending'
import type { Logger } from '../../../base/logger'
import { type Clock, sleep, within } from '../../../base/time'
import { ChainError } from '../../errors'
import type { PendingBlockInfo } from '../../worker/wire/pending-shapes'
import type { AskRequest } from '../query-wire'
import type { QueryClient } from './query-client'

/** How its worker is opened. */
interface ReadLaneDeps {
  /** A worker with an open database. @param onLost called once when it is gone */
  readonly open: (onLost: () => void) => Promise<QueryClient>
  readonly clock: Clock
  readonly log: Logger
}

/** A read takes under a millisecond; a worker silent for this long is hung, ms. */
const HANGS_MS = 10_000
/** How often a read is retried when its worker is lost. */
const MAX_TRIES = 3
const REOPEN_MS = 200

/** Fails with CHAIN_NOT_OPEN while closed; a lost worker is replaced and the read retried. */
export class ReadLane {
  readonly #deps: ReadLaneDeps
  #client: Promise<QueryClient> | null = null
  #isOpen = false

  constructor(deps: ReadLaneDeps) {
    this.#deps = deps
  }

  /** @throws STORE_* */
  async start(): Promise<void> {
    this.#isOpen = true
    await this.#worker()
  }

  /** Resolves when its thread has ended. */
  async stop(): Promise<void> {
    this.#isOpen = false
    const client = this.#client
    this.#client = null
    await client?.then((opened) => opened.close()).catch(() => undefined) // a client that never opened holds nothing
  }

  /**
   * JSON text. A read whose worker is lost is retried on the next one.
   * @param pending sent to the worker first; null when the read doesn't need it
   * @throws CHAIN_NOT_OPEN, RPC_*, STORE_MISSING_NODE, the reason of `ending`
   */
  async ask(request: AskRequest, pending: PendingBlockInfo | null, ending: Ending): Promise<string> {
    for (let tries = 1; ; tries++) {
      const client = await this.#worker()
      try {
        if (pending !== null) await client.setPending(pending)
        return await this.#watched(client, client.ask(request, ending))
      } catch (error: unknown) {
        if (!client.isLost || !this.#isOpen || tries >= MAX_TRIES) throw error
        await sleep(this.#deps.clock, REOPEN_MS * tries, signalOf(ending))
      }
    }
  }

  async #watched(client: QueryClient, answer: Promise<string>): Promise<string> {
    if (!(await within(answer, HANGS_MS, this.#deps.clock))) {
      this.#deps.log.warn('read worker is not responding, replacing it', { waitedMs: HANGS_MS })
      await client.end()
    }
    return answer
  }

  #worker(): Promise<QueryClient> {
    if (!this.#isOpen) return Promise.reject(new ChainError('CHAIN_NOT_OPEN', undefined))
    if (this.#client !== null) return this.#client
    const forget = (): void => {
      if (this.#client === opening) this.#client = null
    }
    const opening = this.#deps.open(forget)
    opening.catch(forget)
    this.#client = opening
    return opening
  }
}
