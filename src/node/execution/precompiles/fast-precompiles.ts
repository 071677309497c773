// Takes precompiles from the engine's module where that is present and faster: the bn254 curve, modexp, RIPEMD and
// BLAKE2. The others are as fast here (ecrecover and SHA-256 are native); without the module all run in TypeScript.
import { loadEngineModule } from '../wasm/module-file'
import { wasmPrecompiles } from '../wasm/precompiles'
import { done, failed, type Precompile } from './precompile'
import { createPrecompiles } from './precompiles'

const BY_MODULE = [3n, 5n, 6n, 7n, 8n, 9n] as const

/** By address (1 to 9). */
export type PrecompileTable = ReadonlyMap<bigint, Precompile>

/** @param searchFrom absolute folder from which the module's file is searched */
export function fastPrecompiles(searchFrom: string): PrecompileTable {
  const loaded = loadEngineModule(searchFrom)
  return 'absent' in loaded ? createPrecompiles() : precompilesOf(loaded.module)
}

/** @param module the engine's */
export function precompilesOf(module: WasmModule): PrecompileTable {
  const all = new Map(createPrecompiles())
  const fast = wasmPrecompiles(module)
  for (const address of BY_MODULE) {
    all.set(address, (input, gas, isOver) => {
      const outcome = fast.run(Number(address), input, gas, isOver)
      return 'fault' in outcome ? failed(outcome.fault) : done(outcome.output, gas - outcome.gasUsed)
    })
  }
  return all
}
