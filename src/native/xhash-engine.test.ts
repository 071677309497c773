import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { chainVectors, datasetItem } from '../../test/xhash/vectors'
import { bigintFromBytes, bytesFromBigint } from '../base/bytes'
import { hasCode } from '../base/errors'
import { bytesOfHex, toHex } from '../base/hex'
import { makeCacheSteps } from '../xhash/cache'
import { buildDatasetSteps, finished } from '../xhash/dataset'
import { hashimotoFull, hashimotoLightSteps } from '../xhash/hashimoto'
import { XHASH_FULL, XHASH_TEST } from '../xhash/params'
import { seedHash } from '../xhash/seed'
import { targetOfDifficulty } from '../xhash/target'
import { loadAddon } from './loader'
import { createNativeEngine } from './native-engine'
import { createTypescriptEngine } from './typescript-engine'
import { type CpuJob, type CpuSolution, createXhashEngine, type Simd, type XhashEngine } from './xhash-engine'

const here = fileURLToPath(new URL('.', import.meta.url))
const loaded = loadAddon({ searchFrom: here })
const addon = 'addon' in loaded ? loaded.addon : null
const levels: readonly (Simd | 'none')[] = ['scalar', 'avx2', 'avx512', 'none']

const makeEngine = (level: Simd | 'none', params = XHASH_TEST): XhashEngine =>
  level === 'none' || addon === null
    ? createTypescriptEngine(params, 'test')
    : createNativeEngine(params, addon, { simd: level })

/** A search over the test dataset of epoch 0, with everything it delivers. */
async function aSearch(engine: XhashEngine, threads = 2) {
  const solutions: CpuSolution[] = []
  const finished: number[] = []
  const dataset = await engine.buildDataset(0, { threads: 1 })
  const search = engine.createCpuSearch({
    threads,
    onSolution: (solution) => solutions.push(solution),
    onSegmentDone: (token) => finished.push(token),
  })
  search.setDataset(dataset)
  return { search, dataset, solutions, finished }
}

const aJob = (over: Partial<CpuJob> = {}): CpuJob => ({
  token: 1,
  sealHash: new Uint8Array(32).fill(7),
  target: bytesFromBigint(targetOfDifficulty(64n), 32),
  startNonce: 2n ** 64n - 100n,
  segmentBits: 9,
  ...over,
})

/** Solutions in a row; a batch contains fewer. */
const MANY = 200

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

const until = async (holds: () => boolean): Promise<void> => {
  while (!holds()) await pause(1)
}

describe.each(levels)('engine %s', (level) => {
  // A level that isn't available (no addon, older CPU) is skipped, and the report says so.
  const present = level === 'none' || addon?.simdLevels.includes(level) === true
  let engine: XhashEngine
  beforeEach(() => {
    engine = makeEngine(level)
  })
  afterEach(() => engine.close())

  it.runIf(present)('says what it is', () => {
    expect(engine).toMatchObject({ kind: level === 'none' ? 'typescript' : 'native', simd: level })
  })

  it.runIf(present)('checks the recorded seals of both test-mode epochs', async () => {
    const cases = chainVectors.reducedSize.filter((row) => row.cache <= 1)

    const hashes = await Promise.all(
      cases.map((row) => engine.hashLight(row.cache, bytesOfHex(row.headerHash), BigInt(row.nonce))),
    )

    expect(hashes.map((hash) => [toHex(hash.mixDigest), toHex(hash.result)])).toEqual(
      cases.map((row) => [row.mixHash, row.result]),
    )
  })

  it.runIf(present)('computes single items as in the whole dataset', async () => {
    const cache = finished(makeCacheSteps(seedHash(1), 1_024))
    const indices = Uint32Array.of(511, 0, 77)

    const items = await engine.datasetItems(1, indices)

    const expected = [...indices].flatMap((index) => [...new Uint8Array(datasetItem(cache, index).buffer)])
    expect([...items]).toEqual(expected)
  })

  it.runIf(present)('finds exactly the nonces that meet the target, across the end of the nonce space', async () => {
    const { search, solutions, finished } = await aSearch(engine, 3)
    const job = aJob()

    search.setJob(job)
    await until(() => finished.length > 0)

    const expected = solutionsByReference(job)
    expect(solutions.sort((a, b) => order(a, job) - order(b, job))).toEqual(expected)
    expect(expected.length).toBeGreaterThan(1)
    expect(search.hashCount()).toBe(512n)
    expect(finished).toEqual([1])
  })

  it.runIf(present)('switches to a new job, and delivers nothing after close', async () => {
    const { search, solutions } = await aSearch(engine)

    search.setJob(aJob({ token: 1, segmentBits: 40 }))
    await until(() => solutions.length > 0)
    search.setJob(aJob({ token: 2, segmentBits: 40 }))
    // What a running batch found for the old job still arrives, late on a busy machine: a thread that stayed on the old
    // job would run forever, and never deliver this many results in a row for the new one.
    await until(() => solutions.length >= MANY && solutions.slice(-MANY).every(({ token }) => token === 2))
    await search.close()
    const delivered = solutions.length
    await pause(20)

    expect(solutions).toHaveLength(delivered)
  })

  it.runIf(present)('stops hashing when the job is cleared', async () => {
    const { search } = await aSearch(engine)
    search.setJob(aJob({ segmentBits: 40, target: new Uint8Array(32) }))
    await until(() => search.hashCount() > 0n)

    search.clearJob()
    // A busy computer may finish a batch late; a batch that keeps running never reports the same count twice.
    let count = -1n
    while (count !== search.hashCount()) {
      count = search.hashCount()
      await pause(30)
    }

    expect(search.hashCount()).toBe(count)
  })

  it.runIf(present)('waits for its dataset if the job comes first', async () => {
    const finished: number[] = []
    const search = engine.createCpuSearch({ threads: 1, onSolution: () => {}, onSegmentDone: (t) => finished.push(t) })
    search.setJob(aJob())

    search.setDataset(await engine.buildDataset(0, { threads: 1 }))
    search.setJob(aJob({ token: 2 }))
    await until(() => finished.length > 0)

    expect(finished).toEqual([2])
  })

  it.runIf(present)("rejects a released dataset, another engine's, and bad arguments", async () => {
    const { search, dataset } = await aSearch(engine)
    dataset.release()
    dataset.release()

    expect(codeOf(() => search.setDataset(dataset))).toBe('DEVICE_DATASET_FOREIGN')
    expect(codeOf(() => search.setDataset({ epoch: 0, sizeBytes: 1, release: () => {} }))).toBe(
      'DEVICE_DATASET_FOREIGN',
    )
    expect(codeOf(() => search.setJob(aJob({ target: new Uint8Array(31) })))).toBe('DEVICE_ARGUMENT')
    expect(codeOf(() => search.setJob(aJob({ startNonce: 2n ** 64n })))).toBe('DEVICE_ARGUMENT')
    expect(codeOf(() => search.setJob(aJob({ segmentBits: 64 })))).toBe('DEVICE_ARGUMENT')
    expect(codeOf(() => engine.createCpuSearch({ threads: 0, onSolution: () => {} }))).toBe('DEVICE_ARGUMENT')
    await expect(engine.hashLight(-1, new Uint8Array(32), 0n)).rejects.toSatisfy((e) => hasCode(e, 'DEVICE_ARGUMENT'))
    await expect(engine.hashLight(0, new Uint8Array(3), 0n)).rejects.toSatisfy((e) => hasCode(e, 'DEVICE_ARGUMENT'))
  })

  it.runIf(present)("rejects a dataset build with its signal's reason", async () => {
    const reason = new Error('pool changed')
    const controller = new AbortController()
    controller.abort(reason)

    await expect(engine.buildDataset(0, { threads: 1, signal: controller.signal })).rejects.toBe(reason)
    await expect(engine.prepareEpoch(1, controller.signal)).rejects.toBe(reason)
  })

  it.runIf(present)('hashes with the padding of Ethereum', () => {
    const empty = '0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470'
    expect(toHex(engine.keccak256(new Uint8Array(0)))).toBe(empty)
  })

  it.runIf(present)('rejects work after close', async () => {
    await engine.close()
    await engine.close()

    expect(codeOf(() => engine.createCpuSearch({ threads: 1, onSolution: () => {} }))).toBe('DEVICE_ENGINE_CLOSED')
    await expect(engine.prepareEpoch(0)).rejects.toSatisfy((e) => hasCode(e, 'DEVICE_ENGINE_CLOSED'))
  })

  it.runIf(present)('keeps working when more epochs are in use than it caches', async () => {
    const checks = Array.from({ length: 16 }, (_, i) => engine.hashLight(i % 8, new Uint8Array(32), BigInt(i)))

    const hashes = await Promise.all(checks)

    expect(hashes.map((hash) => toHex(hash.result))).toEqual(
      hashes.map((_, i) => toHex(lightHash(i % 8, new Uint8Array(32), BigInt(i)).result)),
    )
  })
})

it('yields to the event loop without the addon', async () => {
  const engine = createTypescriptEngine({ ...XHASH_TEST, fixed: { cacheBytes: 65536, datasetBytes: 262144 } }, 'test')
  const turns = { count: 0 }
  const watch = (): void => {
    turns.count += 1
    handle = setImmediate(watch)
  }
  let handle = setImmediate(watch)

  await Promise.all([engine.hashLight(0, new Uint8Array(32), 0n), engine.buildDataset(0, { threads: 1 })])
  clearImmediate(handle)
  await engine.close()

  // How long one of them takes is for a benchmark: other processes take the CPU at any time.
  expect(turns.count).toBeGreaterThan(10)
})

it('rejects a full-size dataset without the addon', async () => {
  const engine = createTypescriptEngine(XHASH_FULL, 'test')

  await expect(engine.buildDataset(0, { threads: 1 })).rejects.toSatisfy((e) => hasCode(e, 'DEVICE_DATASET_TOO_BIG'))
})

it('falls back to TypeScript with a warning if no addon is found', async () => {
  const messages: string[] = []
  const engine = createXhashEngine(XHASH_TEST, { searchFrom: '/', log: (message) => messages.push(message) })

  expect(engine.kind).toBe('typescript')
  expect(engine.loadError).toMatch(/no headframe.node/)
  expect(messages).toHaveLength(1)
})

function codeOf(action: () => unknown): string {
  try {
    action()
  } catch (error: unknown) {
    if (error instanceof Error && 'code' in error) return String(error.code)
  }
  return 'no error'
}

function lightHash(epoch: number, sealHash: Uint8Array, nonce: bigint) {
  const cache = finished(makeCacheSteps(seedHash(epoch), 1024))
  return finished(hashimotoLightSteps(cache, { datasetBytes: 32768, sealHash, nonce }))
}

function order(solution: CpuSolution, job: CpuJob): number {
  return Number(BigInt.asUintN(64, solution.nonce - job.startNonce))
}

function solutionsByReference(job: CpuJob): CpuSolution[] {
  const dataset = finished(buildDatasetSteps(finished(makeCacheSteps(seedHash(0), 1024)), 32768))
  const target = bigintFromBytes(job.target)
  return Array.from({ length: 2 ** job.segmentBits }, (_, i) => BigInt.asUintN(64, job.startNonce + BigInt(i)))
    .map((nonce) => ({ token: job.token, nonce, ...hashimotoFull(dataset, job.sealHash, nonce) }))
    .filter((solution) => bigintFromBytes(solution.result) <= target)
}
