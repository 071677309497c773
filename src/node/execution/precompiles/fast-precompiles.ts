// The built-in contracts from the engine's module where it is there and gains: on the curve bn254, in powers, RIPEMD and BLAKE2.
// The others are as fast here (key recovery and SHA-256 are native), and so is everything where the module is missing.
import { loadEngineModule } from '../wasm/module-file'
import { wasmPrecompiles } from '../wasm/precompiles'
import { done, failed, type Precompile } from './precompile'
import { createPrecompiles } from './precompiles'

const BY_MODULE = [3n, 5n, 6n, 7n, 8n, 9n] as const

/** By address (1 to 9). */
export type PrecompileTable = ReadonlyMap<bigint, Precompile>

/** @param searchFrom absolute folder from which the module's file is looked for */
export function fastPrecompiles(searchFrom: string): PrecompileTable {
  const all = new Map(createPrecompiles())
  const loaded = loadEngineModule(searchFrom)
  if ('absent' in loaded) return all
  const module = wasmPrecompiles(loaded.module)
  for (const address of BY_MODULE) {
    all.set(address, (input, gas, isOver) => {
      const outcome = module.run(Number(address), input, gas, isOver)
      return 'fault' in outcome ? failed(outcome.fault) : done(outcome.output, gas - outcome.gasUsed)
    })
  }
  return all
}
