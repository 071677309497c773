// Finds and compiles the engine's module. Its absence is a value: the node then uses the TypeScript engine.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

const PLACE = join('resources', 'engine', 'headframe-engine.wasm')

/** The compiled module, or the reason why there is none, for the log. */
export type LoadedModule = { readonly module: WasmModule; readonly path: string } | { readonly absent: string }

/**
 * The module in `searchFrom` or the nearest folder above that has one; in an installed program it lies beside the
 * archive.
 * @param searchFrom absolute path of a folder; the entry's own folder will do
 */
export function loadEngineModule(searchFrom: string): LoadedModule {
  if (typeof WebAssembly === 'undefined') return { absent: 'WebAssembly is switched off' }
  const path = modulePath(searchFrom)
  if (path === null) return { absent: `${PLACE} is missing` }
  try {
    return { module: new WebAssembly.Module(readFileSync(path)), path }
  } catch (error: unknown) {
    return { absent: `${path}: ${error instanceof Error ? error.message : String(error)}` }
  }
}

function modulePath(searchFrom: string): string | null {
  for (let folder = searchFrom; ; folder = dirname(folder)) {
    const candidate = join(folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked'), PLACE)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}
