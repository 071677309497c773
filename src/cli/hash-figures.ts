// Times the hashing engine at its own sizes. CPU seconds are of the whole process, including the addon's threads.
import { Disposables } from '../base/lifecycle'
import { onAbort } from '../base/on-abort'
import { type Clock, sleep, systemClock } from '../base/time'
import type { Engine } from './trades-of-call'

export interface HashFigures {
  /** CPU seconds, one thread */
  readonly cacheSeconds: number
  readonly lightCheckMs: number
  /** CPU time of one row of 128 bytes; null when none was done in the time allowed */
  readonly datasetItemMicros: number | null
  /** Figures that need a whole dataset; null when skipped. */
  readonly whole: {
    /** wall time with all threads */
    readonly datasetSeconds: number
    readonly hashesPerSecond: number
    readonly hashesPerCpuSecond: number
  } | null
}

interface MeasureOptions {
  /** Includes figures that need a whole dataset (minutes). */
  readonly whole: boolean
  readonly threads: number
  readonly signal: AbortSignal
}

const EPOCH = 0
const LIGHT_CHECKS = 64
const ROW_BYTES = 128
const ROWS_MS = 4_000
const SEARCH_MS = 10_000
/** No hash is this small, so no hits have to be handled. */
const IMPOSSIBLE_TARGET = new Uint8Array(32)
const NO_SEAL_HASH = new Uint8Array(32)

/** @throws the signal's reason */
export async function measureHashing(engine: Engine, options: MeasureOptions): Promise<HashFigures> {
  const cache = await cpuTime(() => engine.prepareEpoch(EPOCH, options.signal))
  const light = await cpuTime(async () => {
    for (let nonce = 0; nonce < LIGHT_CHECKS; nonce++) {
      options.signal.throwIfAborted()
      await engine.hashLight(EPOCH, NO_SEAL_HASH, BigInt(nonce))
    }
  })
  const datasetItemMicros = await rowMicros(engine, options.signal)
  return {
    cacheSeconds: cache,
    lightCheckMs: (light * 1_000) / LIGHT_CHECKS,
    datasetItemMicros,
    whole: options.whole ? await measureWhole(engine, options) : null,
  }
}

/** Builds part of the dataset on one thread and cancels the rest. */
async function rowMicros(engine: Engine, signal: AbortSignal): Promise<number | null> {
  const enough = new AbortController()
  const held = new Disposables(
    onAbort(signal, () => enough.abort(signal.reason)),
    systemClock().setTimeout(() => enough.abort(), ROWS_MS),
  )
  const begin = process.cpuUsage()
  let done = { fraction: 0, seconds: 0 }
  const onProgress = (fraction: number): void => {
    done = { fraction, seconds: secondsSince(begin) }
  }
  try {
    const dataset = await engine.buildDataset(EPOCH, { threads: 1, onProgress, signal: enough.signal })
    dataset.release()
  } catch (error) {
    if (!enough.signal.aborted) throw error
    signal.throwIfAborted()
  } finally {
    held.dispose()
  }
  const rows = (done.fraction * engine.params.datasetBytesInit) / ROW_BYTES
  return rows === 0 ? null : (done.seconds * 1e6) / rows
}

async function measureWhole(engine: Engine, { threads, signal }: MeasureOptions): Promise<HashFigures['whole']> {
  const clock = systemClock()
  const startedAt = clock.monotonic()
  const dataset = await engine.buildDataset(EPOCH, { threads, signal })
  const datasetSeconds = (clock.monotonic() - startedAt) / 1_000
  const search = engine.createCpuSearch({ threads, onSolution: () => undefined })
  try {
    search.setDataset(dataset)
    search.setJob({ token: 1, sealHash: NO_SEAL_HASH, target: IMPOSSIBLE_TARGET, startNonce: 0n, segmentBits: 63 })
    return { datasetSeconds, ...(await searchRates(clock, () => search.hashCount(), signal)) }
  } finally {
    await search.close()
    dataset.release()
  }
}

async function searchRates(
  clock: Clock,
  hashCount: () => bigint,
  signal: AbortSignal,
): Promise<{ hashesPerSecond: number; hashesPerCpuSecond: number }> {
  const first = hashCount()
  const begin = process.cpuUsage()
  const startedAt = clock.monotonic()
  await sleep(clock, SEARCH_MS, signal)
  const hashes = Number(hashCount() - first)
  return {
    hashesPerSecond: (hashes * 1_000) / (clock.monotonic() - startedAt),
    hashesPerCpuSecond: hashes / secondsSince(begin),
  }
}

async function cpuTime(work: () => Promise<unknown>): Promise<number> {
  const begin = process.cpuUsage()
  await work()
  return secondsSince(begin)
}

function secondsSince(begin: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begin)
  return (user + system) / 1e6
}
