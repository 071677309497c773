// Opens the engine that executes a chain's blocks.
import type { ConsensusParams } from '../consensus/params'
import { ExecutionError } from '../errors'
import type { ExecutionEngine } from './engine'
import { loadEngineModule } from './wasm/module-file'
import { WasmEngine } from './wasm/wasm-engine'

/**
 * @param searchFrom absolute folder from which the module's file is searched upwards
 * @throws ExecutionError ENGINE_MODULE when there is none
 */
export function openEngine(params: ConsensusParams, searchFrom: string): ExecutionEngine {
  const loaded = loadEngineModule(searchFrom)
  if ('absent' in loaded) throw new ExecutionError('ENGINE_MODULE', { reason: loaded.absent })
  return new WasmEngine(params, { module: loaded.module })
}
