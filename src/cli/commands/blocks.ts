// init, import, export: the chain in the data directory while no node is running.
import { toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import { onAbort } from '../../base/on-abort'
import { type Clock, durationText } from '../../base/time'
import { ConfigError } from '../../config/errors'
import type { ResolvedConfig } from '../../config/resolved-config'
import { blockFileSize } from '../../host/block-files/block-source'
import { existingSize, exportFile, isDevice } from '../../host/block-files/export-file'
import { type ImportProgress, importFile } from '../../host/block-files/import-file'
import { type OfflineNode, offlineNode } from '../../host/node/offline-node'
import type { CliCall } from '../call'
import { EXIT_DONE, EXIT_FAILED, failureLine, infoLine } from '../exit-codes'
import { configOf } from '../load-config'
import { Progress } from '../progress'
import { stopAtSignal } from '../stop-signals'
import { depsOf } from '../trades-of-call'
import { exportRange, fileWords } from '../words'

const FINISH_MS = 1_000

/** What a command works with while its chain is open. */
interface OpenChain extends OfflineNode {
  readonly call: CliCall
  readonly config: ResolvedConfig
  readonly signal: AbortSignal
  readonly clock: Clock
  readonly say: (message: string) => void
  /** What the command is for, on standard output. */
  readonly result: (message: string) => void
}

/** `headframe init [GENESIS.json]` prints the hash of the genesis block. @throws ConfigError, ChainError, StoreError, HostError */
export async function runInit(call: CliCall): Promise<number> {
  const files = fileWords(call.parsed, { least: 0, most: 1, accepted: 'one GENESIS.json' })
  const argv = files.length === 0 ? call.argv : [...call.argv, '--genesis', files[0] ?? '']
  const config = configOf({ ...call, argv })
  if (config.app.network === 'practice') {
    const accepted = 'GENESIS.json, or none with --mainnet or --testnet'
    throw new ConfigError('CONFIG_UNEXPECTED_WORD', { word: '', command: 'init', accepted })
  }
  return withChain(call, config, async ({ node, say }) => {
    const genesis = await node.reader.summary(0)
    const head = await node.reader.head()
    call.world.platform.standardOutput(toHex(genesis?.hash ?? head.hash))
    const { network, dataDir } = config.app
    const at = head.number === 0 ? '' : `; its chain is at block ${head.number}`
    say(`${network} network ready in ${dataDir}${at}`)
    return EXIT_DONE
  })
}

/** `headframe import FILE...`: with several files, a bad one doesn't stop the others, as in the family. */
export async function runImport(call: CliCall): Promise<number> {
  const files = fileWords(call.parsed, { least: 1, most: Number.POSITIVE_INFINITY, accepted: 'FILE...' })
  const sizes = await Promise.all(files.map(blockFileSize))
  return withChain(call, configOf(call), async (chain) => {
    const run = new ImportRun(
      chain,
      Math.max(
        1,
        sizes.reduce((sum, size) => sum + size, 0),
      ),
    )
    for (const [index, file] of files.entries()) {
      if (chain.signal.aborted) break
      await run.take(file, sizes[index] ?? 0, files.length === 1)
    }
    return run.end()
  })
}

/** `headframe export FILE [FIRST LAST]` @throws ConfigError for a range that the chain lacks */
export async function runExport(call: CliCall): Promise<number> {
  const { file, range } = exportRange(call.parsed)
  const exported = async (chain: OpenChain): Promise<number> => {
    const { node, signal, clock, say, result } = chain
    const head = (await node.reader.head()).number
    const { first, last } = range ?? { first: 0, last: head }
    if (last > head) {
      const expected = `a block of the chain, whose head is ${head}`
      throw new ConfigError('CONFIG_VALUE_INVALID', { where: 'LAST', value: String(last), expected })
    }
    const before = await existingSize(file)
    const was = range === null ? 'is replaced' : 'is appended to'
    const isStream = await isDevice(file)
    if (before !== null && !isStream) say(`${file} exists with ${before} bytes and ${was}`)
    const progress = progressOf('export', chain)
    const startedAt = clock.monotonic()
    const isComplete = await exportFile(
      { file, first, last, append: range !== null },
      {
        node,
        onProgress: ({ blocks }) => {
          const fraction = blocks / (last - first + 1)
          progress.update({ fraction, block: first + blocks - 1, blocks, gas: null })
        },
      },
      signal,
    ).finally(() => progress.end())
    // It may be standard output: nothing else belongs there then.
    const tell = isStream ? say : result
    tell(
      isComplete
        ? `exported blocks ${first} to ${last} to ${file} in ${durationText(clock.monotonic() - startedAt)}`
        : `stopped by a signal; ${file} ${isStream ? 'has only part of it' : 'is unchanged'}`,
    )
    return isComplete ? EXIT_DONE : EXIT_FAILED
  }
  return withChain(call, configOf(call), exported)
}

type Total = Pick<ImportProgress, 'added' | 'side' | 'known' | 'transactions' | 'gas'>

/** Several files in one run: their failures, and the overall progress. */
class ImportRun {
  readonly #progress: Progress
  readonly #startedAt: number
  #bytesBefore = 0
  #isFailed = false
  #total: Total = { added: 0, side: 0, known: 0, transactions: 0, gas: 0n }
  #head: ImportProgress['head'] | null = null

  constructor(
    private readonly chain: OpenChain,
    private readonly totalBytes: number,
  ) {
    this.#progress = progressOf('import', chain)
    this.#startedAt = chain.clock.monotonic()
  }

  /** @throws the fault of a single file; with several it is reported, and the next one is tried */
  async take(file: string, size: number, isOnly: boolean): Promise<void> {
    const { node, signal, config, call } = this.chain
    const last: { state: ImportProgress | null } = { state: null }
    const onProgress = (state: ImportProgress): void => {
      last.state = state
      this.#show(state)
    }
    try {
      await importFile(file, { node, onProgress, plainBytes: size }, signal)
    } catch (error) {
      this.#progress.end()
      if (isOnly) throw error
      this.#isFailed = true
      call.world.platform.standardError(failureLine(error, config.app.logJson))
    } finally {
      this.#bytesBefore += size
      if (last.state !== null) this.#total = this.#with(last.state)
      this.#head = last.state?.head ?? this.#head
    }
  }

  end(): number {
    this.#progress.end()
    const { signal, clock, say, result } = this.chain
    const { added, side, known, transactions, gas } = this.#total
    const ms = Math.max(1, clock.monotonic() - this.#startedAt)
    const seconds = ms / 1_000
    const parts = [
      `imported ${added} blocks with ${transactions} transactions in ${durationText(ms)}`,
      `${Math.round(added / seconds)} blocks/s`,
      `${(Number(gas) / 1e6 / seconds).toFixed(1)} Mgas/s`,
      ...(known > 0 ? [`${known} were known`] : []),
      ...(side > 0 ? [`${side} are side blocks`] : []),
      ...(this.#head === null ? [] : [`head ${this.#head.number} ${toHex(this.#head.hash)}`]),
    ]
    result(parts.join(', '))
    if (signal.aborted) say('stopped by a signal; run the same command to continue')
    return this.#isFailed || signal.aborted ? EXIT_FAILED : EXIT_DONE
  }

  #show(state: ImportProgress): void {
    const fraction = Math.min(1, (this.#bytesBefore + state.bytesRead) / this.totalBytes)
    const { added, side, known, gas } = this.#with(state)
    this.#progress.update({ fraction, block: state.head.number, blocks: added + side + known, gas })
  }

  /** The files before, and the one at work. */
  #with({ added, side, known, transactions, gas }: ImportProgress): Total {
    const total = this.#total
    return {
      added: total.added + added,
      side: total.side + side,
      known: total.known + known,
      transactions: total.transactions + transactions,
      gas: total.gas + gas,
    }
  }
}

function progressOf(name: string, { call, config, clock }: OpenChain): Progress {
  const { terminal, platform } = call.world
  return new Progress({ name, json: config.app.logJson, terminal, line: platform.standardError, clock })
}

/** Opens the chain for `work` and always closes it. What a signal ended isn't done, and exits with 1. */
async function withChain(
  call: CliCall,
  config: ResolvedConfig,
  work: (chain: OpenChain) => Promise<number>,
): Promise<number> {
  const { world } = call
  const { platform } = world
  const json = config.app.logJson
  const stop = new AbortController()
  const signals = stopAtSignal(world, stop)
  const deps = depsOf(config, platform, 'warn')
  const chain = offlineNode(deps)
  const { clock } = deps
  const say = (message: string): void => platform.standardError(infoLine(message, json))
  const faults = world.faults.attend(chain)
  let isForced = false
  const end = (): void => {
    isForced = true
    void chain.stop()
  }
  // When told to stop, a command finishes its current step. A block can take hours to execute: it is aborted.
  const held = new Disposables(signals, faults)
  held.add(onAbort(stop.signal, () => void held.add(clock.setTimeout(end, FINISH_MS))))
  try {
    await chain.start(stop.signal).catch((error: unknown) => {
      if (!stop.signal.aborted) throw error
    })
    if (stop.signal.aborted) return EXIT_FAILED
    return await work({ ...chain, call, config, signal: stop.signal, clock, say, result: platform.standardOutput })
  } catch (error) {
    if (!isForced) throw error
    say('stopped by a signal; run the same command to continue') // the work was aborted, and failed
    return EXIT_FAILED
  } finally {
    await chain.stop()
    held.dispose()
  }
}
