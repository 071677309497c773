// Opens the engine that executes a chain's blocks.
import type { Logger } from '../../base/logger'
import type { Keccak256 } from '../codec/keccak'
import type { ConsensusParams } from '../consensus/params'
import type { ExecutionEngine } from './engine'
import { createTypescriptEngine } from './typescript/typescript-engine'
import { FallbackEngine } from './wasm/fallback-engine'
import { loadEngineModule } from './wasm/module-file'
import { WasmEngine } from './wasm/wasm-engine'

/** What opening an engine needs. */
interface EngineDeps {
  readonly keccak256: Keccak256
  readonly log: Logger
  /** absolute folder from which the module's file is searched upwards */
  readonly searchFrom: string
}

/** The engine in WebAssembly; the one in TypeScript executes what it leaves, and everything where its module is missing. */
export function openEngine(params: ConsensusParams, { keccak256, log, searchFrom }: EngineDeps): ExecutionEngine {
  const typescript = createTypescriptEngine(params, { keccak256, searchFrom })
  const loaded = loadEngineModule(searchFrom)
  if ('absent' in loaded) {
    log.warn('blocks are executed by the slow engine', { reason: loaded.absent })
    return typescript
  }
  return new FallbackEngine(new WasmEngine(params, { module: loaded.module }), typescript, (reason) =>
    log.warn('a block is executed by the slow engine', { reason }),
  )
}
