// Finds and compiles the engine's module. Its absence is a value that says why: the node can't start then.
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { messageOf } from '../../../base/errors'

const PLACE = join('resources', 'engine', 'headframe-engine.wasm')

/** The compiled module, or the reason why there is none, for the log. */
type LoadedModule = { readonly module: WasmModule; readonly path: string } | { readonly absent: string }

/** The module in `searchFrom` (absolute) or the nearest folder above; installed, it lies beside the archive. */
export function loadEngineModule(searchFrom: string): LoadedModule {
  const found = foundModule(searchFrom)
  if ('absent' in found) return found
  try {
    return { module: new found.compiler.Module(readFileSync(found.path)), path: found.path }
  } catch (error: unknown) {
    return { absent: `${found.path}: ${messageOf(error)}` }
  }
}

/** The same without keeping the thread busy. */
export async function loadEngineModuleAside(searchFrom: string): Promise<LoadedModule> {
  const found = foundModule(searchFrom)
  if ('absent' in found) return found
  try {
    return { module: await found.compiler.compile(await readFile(found.path)), path: found.path }
  } catch (error: unknown) {
    return { absent: `${found.path}: ${messageOf(error)}` }
  }
}

function foundModule(
  searchFrom: string,
): { readonly compiler: NonNullable<typeof WebAssembly>; readonly path: string } | { readonly absent: string } {
  if (typeof WebAssembly === 'undefined') return { absent: 'WebAssembly is switched off' }
  const path = modulePath(searchFrom)
  return path === null ? { absent: `${PLACE} is missing` } : { compiler: WebAssembly, path }
}

function modulePath(searchFrom: string): string | null {
  for (let folder = searchFrom; ; folder = dirname(folder)) {
    const candidate = join(folder.replace(/app\.asar(?=[\\/]|$)/, 'app.asar.unpacked'), PLACE)
    if (existsSync(candidate)) return candidate
    if (dirname(folder) === folder) return null
  }
}
