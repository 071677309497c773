// The part of WebAssembly that hashing and the engine use; the types of Node have none, and those of browsers are not for this side.
interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

interface WasmMemory {
  /** Another one after the memory grew. */
  readonly buffer: ArrayBuffer
  /** By so many pages of 64 KiB; the old buffer is gone then. */
  grow(pages: number): number
}

type WasmImports = Readonly<Record<string, Readonly<Record<string, (...numbers: number[]) => number | undefined>>>>

/** Undefined where the runtime has it switched off. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => WasmModule
      readonly Instance: new (
        module: WasmModule,
        imports?: WasmImports,
      ) => { readonly exports: Readonly<Record<string, unknown>> }
      readonly Memory: new (descriptor: { readonly initial: number }) => WasmMemory
    }
  | undefined
