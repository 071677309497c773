// The interpreter for untrusted scripts: QuickJS as WebAssembly, in its own memory with only what its user puts there.
import variant from '@jitl/quickjs-singlefile-cjs-release-sync'
import {
  newQuickJSWASMModuleFromVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSWASMModule,
} from 'quickjs-emscripten-core'

/** A new instance; its memory grows and never shrinks. */
export function loadInterpreter(): Promise<QuickJSWASMModule> {
  return newQuickJSWASMModuleFromVariant(variant)
}

/** What a script threw, as at most `maxLength` characters: `TypeError: not a function`. Disposes of `error`. */
export function thrownText(context: QuickJSContext, error: QuickJSHandle, maxLength: number): string {
  const thrown: unknown = context.dump(error)
  error.dispose()
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) {
    const name = 'name' in thrown ? String(thrown.name) : 'Error'
    return `${name}: ${String(thrown.message)}`.slice(0, maxLength)
  }
  return `threw ${JSON.stringify(thrown) ?? 'nothing'}`.slice(0, maxLength)
}
