// The contract compiler for eth_compileSolidity. The host starts it in its own worker on first use.

/** A compiled contract: the last one in the source. */
export interface CompiledContract {
  /** creation code, `0x` hex */
  readonly code: string
  /** `0.8.37` */
  readonly languageVersion: string
  /** with commit and platform */
  readonly compilerVersion: string
  /** the compiler's JSON, passed on unchanged */
  readonly abi: unknown
  readonly userDoc: unknown
  readonly developerDoc: unknown
}

export interface CompilerPort {
  /** Whether the compiler is installed. */
  isAvailable(): boolean
  /** @throws RpcFault RPC_FAILED with the compiler's own text, or on a timeout */
  compile(source: string, signal: AbortSignal): Promise<CompiledContract>
  /** Releases its worker; later requests start it again. */
  close(): void
}
