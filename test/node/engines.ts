// The execution engines by name, for suites that run with each of them.
import { keccak256 } from '../../src/node/codec/keccak'
import type { ConsensusParams } from '../../src/node/consensus/params'
import type { ExecutionEngine } from '../../src/node/execution/engine'
import { createTypescriptEngine } from '../../src/node/execution/typescript/typescript-engine'
import { FallbackEngine } from '../../src/node/execution/wasm/fallback-engine'
import { loadEngineModule } from '../../src/node/execution/wasm/module-file'
import { WasmEngine } from '../../src/node/execution/wasm/wasm-engine'
import { ComparedEngines } from './compared-engines'

export type EngineName = 'typescript' | 'wasm' | 'auto' | 'both'

/**
 * Creates the engine of that name for a chain; `auto` leaves what the module can't hold to TypeScript, `both` throws
 * its report where they differ.
 */
export function engineNamed(name: EngineName): (params: ConsensusParams) => ExecutionEngine {
  return (params) => {
    if (name === 'typescript') return createTypescriptEngine(params, { keccak256 })
    const wasm = wasmEngine(params)
    if (name === 'wasm') return wasm
    const auto = new FallbackEngine(wasm, createTypescriptEngine(params, { keccak256 }), () => undefined)
    if (name === 'auto') return auto
    return new ComparedEngines([createTypescriptEngine(params, { keccak256 }), auto], (difference) => {
      throw new Error(JSON.stringify(difference))
    })
  }
}

export function wasmEngine(params: ConsensusParams): WasmEngine {
  const loaded = loadEngineModule(import.meta.dirname)
  if ('absent' in loaded) throw new Error(loaded.absent)
  return new WasmEngine(params, { module: loaded.module })
}
