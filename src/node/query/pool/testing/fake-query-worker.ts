// A query worker on this thread whose queries take as long as a test wants.
import { silentLogger } from '../../../../base/logger'
import type { Transport } from '../../../../base/wire/define'
import { memoryTransportPair } from '../../../../base/wire/memory'
import { serveWire, trustedPeer, type WireServer } from '../../../../base/wire/server'
import { Flags } from '../../flags'
import { type AskRequest, type QueryWire, queryWire } from '../../query-wire'

/** Queries that run forever: those that heed their flag, and those that don't. */
export interface Endless {
  readonly heeding?: (request: AskRequest) => boolean
  readonly deaf?: (request: AskRequest) => boolean
}

/** A worker that answers with its own number, and streams until stopped. */
export class FakeWorker {
  readonly answered: AskRequest[] = []
  readonly begun: AskRequest[] = []
  /** Queries of each message. */
  readonly batches: number[] = []
  wasStopped = false
  isEnded = false
  /** What opening awaits. */
  opens: Promise<void> = Promise.resolve()
  isOpen = false
  #flags: Flags | null = null
  #server: WireServer<QueryWire> | null = null
  readonly transport: Transport

  constructor(
    readonly number: number,
    endless: Endless,
  ) {
    const [near, far] = memoryTransportPair()
    this.transport = near
    near.onClose(() => {
      this.isEnded = true
    })
    this.#server = serveWire(
      queryWire,
      far,
      {
        'query.open': async ({ flags }) => {
          await this.opens
          this.#flags = new Flags(flags)
          this.isOpen = true
          return {}
        },
        'query.close': () => {
          this.isOpen = false
          return {}
        },
        'query.pending': () => ({}),
        'query.ask': async ({ asks }) => {
          this.batches.push(asks.length)
          const answers = []
          for (const { flag, request } of asks) {
            if (this.#flags?.start(flag) !== true) continue
            this.begun.push(request)
            if (endless.deaf?.(request) === true) await new Promise(() => undefined)
            if (endless.heeding?.(request) === true) {
              await this.#stopped(flag)
              answers.push({ flag, text: null, error: { code: 'RPC_FAILED', message: 'stopped', data: undefined } })
              continue
            }
            this.answered.push(request)
            answers.push({ flag, text: `"worker ${this.number}"`, error: null })
          }
          return { answers }
        },
        'query.stream': ({ flag }) => this.#stream(flag),
      },
      { log: silentLogger, deny: trustedPeer },
    )
  }

  die(): void {
    this.transport.close()
  }

  async #stopped(flag: number): Promise<void> {
    while (this.#flags?.isStopped(flag) === false) await turn()
    this.wasStopped = true
  }

  async #stream(flag: number) {
    for (let i = 0; i < 1_000; i++) {
      if (this.#flags?.isStopped(flag) === true) {
        this.wasStopped = true
        return { rest: '' }
      }
      this.#server?.emit('query.chunk', { flag, text: `${i};` })
      await turn()
    }
    return { rest: 'end' }
  }
}

/** Resolves after everything due has happened, including messages between pool and workers. */
export const turn = () => new Promise((resolve) => setImmediate(resolve))
