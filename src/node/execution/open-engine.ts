// Chooses the engine that executes a chain's blocks.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Logger } from '../../base/logger'
import type { Keccak256 } from '../codec/keccak'
import type { ConsensusParams } from '../consensus/params'
import { ExecutionError } from '../errors'
import type { ExecutionEngine } from './engine'
import { createTypescriptEngine } from './typescript/typescript-engine'
import { ComparedEngines } from './wasm/compared-engines'
import { FallbackEngine } from './wasm/fallback-engine'
import { loadEngineModule } from './wasm/module-file'
import { WasmEngine } from './wasm/wasm-engine'

/**
 * `auto`: WebAssembly when its module is present, with TypeScript as fallback; `wasm`: the same, but a missing module
 * is an error; `typescript`: only that; `both`: every block through both.
 */
export type EngineChoice = 'auto' | 'wasm' | 'typescript' | 'both'

/** What opening an engine needs. */
interface EngineDeps {
  readonly keccak256: Keccak256
  readonly log: Logger
  /** absolute folder from which the module's file is searched upwards */
  readonly searchFrom: string
  /** absolute folder for the report of a block on which the engines differ */
  readonly reportFolder: string
}

/** @throws ExecutionError ENGINE_MODULE when the requested engine isn't available */
export function openEngine(choice: EngineChoice, params: ConsensusParams, deps: EngineDeps): ExecutionEngine {
  const { log } = deps
  const typescript = createTypescriptEngine(params, { keccak256: deps.keccak256, searchFrom: deps.searchFrom })
  if (choice === 'typescript') return typescript
  const loaded = loadEngineModule(deps.searchFrom)
  if ('absent' in loaded) {
    if (choice !== 'auto') throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
    log.warn('blocks are executed by the slow engine', { reason: loaded.absent })
    return typescript
  }
  const wasm = new WasmEngine(params, { module: loaded.module })
  if (choice !== 'both')
    return new FallbackEngine(wasm, typescript, (reason) =>
      log.warn('a block is executed by the slow engine', { reason }),
    )
  return new ComparedEngines([typescript, wasm], (difference) => {
    const path = join(deps.reportFolder, `engines-differ-${difference.header.number}.json`)
    writeFileSync(path, `${JSON.stringify(difference)}\n`)
    log.error('the engines differ', { what: difference.what, report: path })
  })
}
