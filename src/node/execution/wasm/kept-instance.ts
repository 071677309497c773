// An instance of the module for queries: it keeps what it read from one to the next, and is replaced when it broke or has
// grown.
import { EngineInstance } from './instance'

/** One per worker. */
export class KeptInstance {
  #instance: EngineInstance | null = null

  /** @param maxBytes of its memory, which never shrinks: above this it is replaced before the next query */
  constructor(
    private readonly module: WasmModule,
    private readonly maxBytes: number,
  ) {}

  /** The same one as before, unless it had to be replaced. @throws ExecutionError ENGINE_MODULE */
  living(): EngineInstance {
    const kept = this.#instance
    if (kept !== null && !kept.isDead && kept.memoryBytes <= this.maxBytes) return kept
    this.#instance = new EngineInstance(this.module)
    return this.#instance
  }
}
