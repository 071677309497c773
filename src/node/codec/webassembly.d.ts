// The part of WebAssembly that hashing uses; the types of Node have none, and those of browsers are not for this side.
interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

/** Undefined where the runtime has it switched off. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => WasmModule
      readonly Instance: new (module: WasmModule) => { readonly exports: Readonly<Record<string, unknown>> }
      readonly Memory: new (descriptor: { readonly initial: number }) => { readonly buffer: ArrayBuffer }
    }
  | undefined
