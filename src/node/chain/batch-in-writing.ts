// The batch that is being written while the next one is executed on top of it.
import type { Store, StoreLayer } from '../store/store'
import { ChainReads } from './chain-store'
import type { ChainHead } from './execute-run'
import type { HeaderReads } from './header-line'

/** A batch, from the start of its write to the end. */
interface WrittenBatch {
  /** What the next batch is executed on. */
  readonly layer: StoreLayer
  /** The chain up to its last block. */
  readonly reads: ChainReads
  readonly head: ChainHead
  /** Rejects with StoreError when it can't be written: what was executed on top of it must be dropped. */
  readonly done: Promise<void>
}

/** At most one batch at a time; whoever begins another waits for it first. */
export class BatchInWriting {
  #current: WrittenBatch | null = null

  constructor(private readonly store: Store) {}

  /** Null while none is being written. Its `done` must be taken before waiting for anything else: a failed one is gone. */
  get current(): WrittenBatch | null {
    return this.#current
  }

  /** The stored headers and, while a batch is being written, that batch's. @param stored over the same store */
  headers(stored: ChainReads): HeaderReads {
    const newest = (): ChainReads => this.#current?.reads ?? stored
    return {
      header: (hash) => newest().header(hash),
      ancestor: (from, number) => newest().ancestor(from, number),
    }
  }

  /** Resolves when none is being written; a failure belongs to the caller that began it. */
  async settled(): Promise<void> {
    await this.#current?.done.catch(() => undefined)
  }

  /**
   * Begins to write a batch, none being written.
   * @param head its last block @param then called when it is written
   * @returns rejects with StoreError when it can't be written: the store is unchanged
   */
  begin(layer: StoreLayer, head: ChainHead, then: () => void): Promise<void> {
    const write = async (): Promise<void> => {
      try {
        await this.store.write(layer.changes())
        layer.forget()
        then()
      } finally {
        this.#current = null
      }
    }
    const done = write()
    done.catch(() => undefined) // whoever awaits it gets the error
    this.#current = { layer, reads: new ChainReads(layer), head, done }
    return done
  }
}
