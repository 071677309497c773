// An instance of the module for queries: it keeps what it read from one to the next, and is replaced when it broke or has
// grown.
import { EngineInstance } from './instance'

/** The module's memory never shrinks; an instance above this is replaced before the next query. */
const MAX_MEMORY_BYTES = 192 * 1024 * 1024

/** One per worker. */
export class KeptInstance {
  #instance: EngineInstance | null = null

  constructor(private readonly module: WasmModule) {}

  /** The same one as before, unless it had to be replaced. @throws ExecutionError ENGINE_MODULE */
  living(): EngineInstance {
    const kept = this.#instance
    if (kept !== null && !kept.isDead && kept.memoryBytes <= MAX_MEMORY_BYTES) return kept
    this.#instance = new EngineInstance(this.module)
    return this.#instance
  }
}
