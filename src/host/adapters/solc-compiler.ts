// The Solidity compiler for the node: a worker that exists only while needed, one source at a time.
import type { Disposable } from '../../base/disposable'
import { onAbort } from '../../base/on-abort'
import type { Clock } from '../../base/time'
import { createWireClient, type WireClient } from '../../base/wire/client'
import type { Transport } from '../../base/wire/define'
import { type CompileOutcome, type CompileWire, compileWire, hasSolc } from '../../node/compile/serve-compiler'
import type { CompiledContract, CompilerPort } from '../../node/ports/compiler-port'
import { RpcFault } from '../../node/rpc-fault'

interface SolcCompilerOptions {
  /** Folder from which the package is resolved. */
  readonly searchFrom: string
  /** Time limit per source, including loading the compiler, ms. */
  readonly timeLimitMs: number
  /** The worker ends after this much idle time, ms: the compiler holds some 100 MB. */
  readonly idleMs: number
}

export const SOLC_TIMES = { timeLimitMs: 30_000, idleMs: 60_000 } as const
/** Waiting sources; more are rejected. */
const MAX_WAITING = 16

interface SolcCompilerDeps {
  /** A new worker (`serveCompiler` on its other end). */
  readonly open: () => Transport
  readonly clock: Clock
}

const failed = (reason: string) => new RpcFault('RPC_FAILED', { reason })

/** Compiles in a worker. */
export class SolcCompiler implements CompilerPort {
  #client: WireClient<CompileWire> | null = null
  #idle: Disposable | null = null
  #turn: Promise<unknown> = Promise.resolve()
  #waiting = 0

  constructor(
    private readonly options: SolcCompilerOptions,
    private readonly deps: SolcCompilerDeps,
  ) {}

  isAvailable(): boolean {
    return hasSolc(this.options.searchFrom)
  }

  async compile(source: string, signal: AbortSignal): Promise<CompiledContract> {
    if (this.#waiting >= MAX_WAITING) throw failed(`the compiler is busy: ${MAX_WAITING} sources wait already`)
    this.#waiting += 1
    const turn = this.#turn.then(() => this.#compileNow(source, signal))
    this.#turn = turn.catch(() => undefined) // its caller handles it
    try {
      const outcome = await turn
      if (outcome.kind === 'refused') throw failed(outcome.reason)
      const { code, compilerVersion, abi, userDoc, developerDoc } = outcome
      const languageVersion = compilerVersion.split('+', 1)[0] ?? compilerVersion
      return { code, languageVersion, compilerVersion, abi, userDoc, developerDoc }
    } finally {
      this.#waiting -= 1
    }
  }

  /** Ends the worker. */
  close(): void {
    this.#idle?.dispose()
    this.#idle = null
    void this.#client?.close()
    this.#client = null
  }

  async #compileNow(source: string, signal: AbortSignal): Promise<CompileOutcome> {
    signal.throwIfAborted()
    this.#idle?.dispose()
    const client = this.#opened()
    const { clock } = this.deps
    const { timeLimitMs, idleMs } = this.options
    // A compiler can't be interrupted, only terminated.
    const limit = clock.setTimeout(() => this.close(), timeLimitMs)
    const held = onAbort(signal, () => this.close())
    try {
      const outcome = await client.call('compile', { source })
      this.#idle = clock.setTimeout(() => this.close(), idleMs)
      return outcome
    } catch (error: unknown) {
      signal.throwIfAborted()
      if (this.#client === client) throw error
      throw failed(`the compiler did not end within ${timeLimitMs} ms, or died`)
    } finally {
      limit.dispose()
      held.dispose()
    }
  }

  #opened(): WireClient<CompileWire> {
    if (this.#client !== null) return this.#client
    const client = createWireClient(compileWire, this.deps.open())
    client.onClose(() => {
      if (this.#client === client) this.#client = null
    })
    this.#client = client
    return client
  }
}
