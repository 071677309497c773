// The execution engine and its oracle by name, for suites that run with each of them.
import { keccak256 } from '../../src/node/codec/keccak'
import type { ConsensusParams } from '../../src/node/consensus/params'
import type { ExecutionEngine } from '../../src/node/execution/engine'
import { loadEngineModule } from '../../src/node/execution/wasm/module-file'
import { WasmEngine } from '../../src/node/execution/wasm/wasm-engine'
import { ComparedEngines } from './oracle/compared-engines'
import { createTypescriptEngine } from './oracle/engine/typescript-engine'

export type EngineName = 'typescript' | 'wasm' | 'both'

/** Creates the engine of that name for a chain; `typescript` is the oracle, `both` throws a report where they differ. */
export function engineNamed(name: EngineName): (params: ConsensusParams) => ExecutionEngine {
  return (params) => {
    if (name === 'typescript') return createTypescriptEngine(params, { keccak256 })
    if (name === 'wasm') return wasmEngine(params)
    return new ComparedEngines([createTypescriptEngine(params, { keccak256 }), wasmEngine(params)], (difference) => {
      throw new Error(JSON.stringify(difference))
    })
  }
}

export function wasmEngine(params: ConsensusParams): WasmEngine {
  const loaded = loadEngineModule(import.meta.dirname)
  if ('absent' in loaded) throw new Error(loaded.absent)
  return new WasmEngine(params, { module: loaded.module })
}
