// Who compiles contracts for eth_compileSolidity. The host starts it in a worker of its own when it is first asked.

/** One compiled contract; the last one of the source. */
export interface CompiledContract {
  /** creation code, `0x` hex */
  readonly code: string
  /** `0.8.37` */
  readonly languageVersion: string
  /** with commit and platform */
  readonly compilerVersion: string
  /** JSON of the compiler: passed on as it is */
  readonly abi: unknown
  readonly userDoc: unknown
  readonly developerDoc: unknown
}

export interface CompilerPort {
  /** Whether the compiler is installed. */
  isAvailable(): boolean
  /** @throws RpcFault RPC_FAILED with the compiler's own text, or when it takes too long */
  compile(source: string, signal: AbortSignal): Promise<CompiledContract>
  /** Gives up what it holds; may be asked again afterwards. */
  close(): void
}
