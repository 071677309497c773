// The part of WebAssembly used for hashing and the engine; Node's types lack it, and the browser's don't apply here.
interface WasmModule {
  readonly [Symbol.toStringTag]: 'WebAssembly.Module'
}

interface WasmMemory {
  /** Replaced when the memory grows. */
  readonly buffer: ArrayBuffer
  /** In pages of 64 KiB; detaches the old buffer. */
  grow(pages: number): number
}

type WasmImports = Readonly<Record<string, Readonly<Record<string, (...numbers: number[]) => number | undefined>>>>

/** Undefined when the runtime has it disabled. */
declare const WebAssembly:
  | {
      readonly Module: new (bytes: Uint8Array) => WasmModule
      readonly Instance: new (
        module: WasmModule,
        imports?: WasmImports,
      ) => { readonly exports: Readonly<Record<string, unknown>> }
      /** On other threads. */
      readonly compile: (bytes: Uint8Array) => Promise<WasmModule>
      readonly Memory: new (descriptor: { readonly initial: number }) => WasmMemory
    }
  | undefined
