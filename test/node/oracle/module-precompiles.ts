// The nine precompiles from the engine's module, for the TypeScript interpreter. Their time is proportional to their
// price.
import { EngineInstance, NOTHING_TO_READ } from '../../../src/node/execution/wasm/instance'

/** Why a precompile failed, in prlx's words; all of its gas is consumed then. */
type PrecompileFault =
  | 'out of gas'
  | 'bad elliptic curve pairing size'
  | 'bn256: coordinate exceeds modulus'
  | 'bn256: malformed point'
  | 'invalid input length'
  | 'invalid final flag'
  | 'aborted'

/** A precompile's result; a fault consumes all gas. */
type PrecompileOutcome = { readonly output: Uint8Array; readonly gasUsed: number } | { readonly fault: PrecompileFault }

/** Precompiles by address. */
export interface Precompiles {
  /**
   * @param address 1 to 9: ecrecover, sha256, ripemd160, identity, modexp, bn254 add, mul and pairing, blake2f
   * @param gas limit; at most 2^53
   * @param isOver polled every few milliseconds by anything that can take long; true ends it with 'aborted'
   * @throws ExecutionError ENGINE_TRAPPED when the module broke, which no input should cause; the next call works again
   */
  run(address: number, input: Uint8Array, gas: number, isOver: () => boolean): PrecompileOutcome
}

/** By the module's numbers. */
const FAULTS: readonly (PrecompileFault | null)[] = [
  'out of gas',
  'bad elliptic curve pairing size',
  'bn256: coordinate exceeds modulus',
  'bn256: malformed point',
  'invalid input length',
  'invalid final flag',
  null,
  'aborted',
]
const GAS_BYTES = 8
/** A big input leaves its memory behind; an instance above this is replaced. */
const MAX_MEMORY_BYTES = 128 * 1024 * 1024

/** One instance for all calls, replaced after a trap or when its memory has grown too large. */
export function wasmPrecompiles(module: WasmModule): Precompiles {
  let instance = new EngineInstance(module)
  return {
    run: (address, input, gas, isOver) => {
      if (instance.isDead || instance.memoryBytes > MAX_MEMORY_BYTES) instance = new EngineInstance(module)
      const here = instance
      here.attach({ ...NOTHING_TO_READ, isStopped: isOver })
      try {
        return here.run((engine) => {
          const answer = engine.run_precompile(address, here.put(input), input.length, gas)
          if (answer === 0) return doneFrom(here.result())
          return { fault: FAULTS[answer - 1] ?? 'out of gas' }
        })
      } finally {
        here.attach(null)
      }
    },
  }
}

function doneFrom(result: Uint8Array): PrecompileOutcome {
  const gasUsed = Number(new DataView(result.buffer).getBigUint64(0, true))
  return { output: result.subarray(GAS_BYTES), gasUsed }
}
