// Chooses what is behind the proof-of-work port: the native addon, or TypeScript in small slices when the addon doesn't
// load. Users of the port import everything from here.
import type { XhashParams } from '../xhash/params'
import { loadAddon } from './loader'
import { createNativeEngine } from './native-engine'
import { createTypescriptEngine } from './typescript-engine'
import type { XhashEngine, XhashEngineOptions } from './xhash-port'

export type {
  CpuJob,
  CpuSearch,
  CpuSolution,
  DatasetHandle,
  Simd,
  XhashEngine,
  XhashEngineOptions,
  XhashResult,
} from './xhash-port'

/** The native engine when the addon loads, else the TypeScript one (reported through `log` and `loadError`). */
export function createXhashEngine(params: XhashParams, options: XhashEngineOptions): XhashEngine {
  const loaded = loadAddon({ searchFrom: options.searchFrom })
  if ('addon' in loaded) return createNativeEngine(params, loaded.addon, options)
  options.log?.(`native addon not loaded, hashing in TypeScript (slow): ${loaded.error}`)
  return createTypescriptEngine(params, loaded.error)
}
