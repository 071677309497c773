// The native CPU device over the real dataset of epoch 0 (1 GiB, about 20 CPU seconds: in npm run test:deep), and its behaviour
// under change.
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { toBareHex } from '../../src/base/hex'
import { createNativeEngine } from '../../src/native/native-engine'
import type { CpuJob, CpuSearch, CpuSolution, DatasetHandle, XhashEngine } from '../../src/native/xhash-engine'
import { XHASH_FULL, XHASH_PRACTICE } from '../../src/xhash/params'
import { DEEP_ONLY, IS_DEEP } from '../depth'
import { addon, skipReason, theAddon } from './addon'
import { minerVectors } from './vectors'

const unhex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text, 'hex'))
/** 20 s of CPU time at background priority: seven minutes when 40 programs compete for two cores. */
const DATASET_MS = 1_800_000
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

interface Searching {
  readonly search: CpuSearch
  readonly solutions: CpuSolution[]
  /** resolves when the segment of the job with this token has been searched */
  done(token: number): Promise<void>
}

function startSearch(engine: XhashEngine, dataset: DatasetHandle, threads: number): Searching {
  const solutions: CpuSolution[] = []
  const finished = new Set<number>()
  const search = engine.createCpuSearch({
    threads,
    onSolution: (solution) => solutions.push(solution),
    onSegmentDone: (token) => finished.add(token),
  })
  search.setDataset(dataset)
  const done = async (token: number): Promise<void> => {
    while (!finished.has(token)) await pause(1)
  }
  return { search, solutions, done }
}

describe.skipIf(addon === null || !IS_DEEP)(`search over the whole dataset of epoch 0${skipReason}${DEEP_ONLY}`, () => {
  let engine: XhashEngine
  let dataset: DatasetHandle
  const fractions: number[] = []
  beforeAll(async () => {
    engine = createNativeEngine(XHASH_FULL, theAddon())
    dataset = await engine.buildDataset(0, { threads: 2, onProgress: (fraction) => fractions.push(fraction) })
  }, DATASET_MS)
  afterAll(() => engine.close())

  it('reports growing progress up to 1', () => {
    expect(fractions).toEqual([...fractions].sort((a, b) => a - b))
    expect(fractions.at(-1)).toBe(1)
  })

  it.each([1, 2, 5])('finds exactly the recorded nonces with %i threads', async (threads) => {
    const { search, solutions, done } = startSearch(engine, dataset, threads)
    const rows = minerVectors.searches.filter((row) => row.epoch === 0)
    for (const [token, row] of rows.entries()) {
      solutions.length = 0
      search.setJob({
        token,
        sealHash: unhex(row.header),
        target: unhex(row.target),
        startNonce: BigInt(`0x${row.start}`),
        segmentBits: 9,
      })
      await done(token)

      const inRange = solutions
        .filter((s) => s.nonce - BigInt(`0x${row.start}`) < BigInt(row.count))
        .map((s) => ({
          nonce: s.nonce.toString(16).padStart(16, '0'),
          mix: toBareHex(s.mixDigest),
          final: toBareHex(s.result),
        }))
      expect(inRange).toEqual(row.solutions)
    }
    await search.close()
  })

  it('agrees with the light hash for any seal hash and nonce', async () => {
    const { search, solutions, done } = startSearch(engine, dataset, 2)
    let token = 0
    const nonces = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
    const sealHashes = fc.uint8Array({ minLength: 32, maxLength: 32 })

    await fc.assert(
      fc.asyncProperty(sealHashes, nonces, async (sealHash, startNonce) => {
        solutions.length = 0
        token++
        search.setJob({ token, sealHash, target: new Uint8Array(32).fill(0xff), startNonce, segmentBits: 1 })
        await done(token)
        const found = solutions.find((s) => s.nonce === startNonce)
        expect(solutions).toHaveLength(2)
        expect(found).toMatchObject(await engine.hashLight(0, sealHash, startNonce))
      }),
      { numRuns: 30 },
    )
    await search.close()
  })
})

describe.skipIf(addon === null)(`native device on the practice sizes${skipReason}`, () => {
  const job = (token: number, over: Partial<CpuJob> = {}): CpuJob => ({
    token,
    sealHash: new Uint8Array(32).fill(token),
    target: Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x00 : 0xff)),
    startNonce: BigInt(token) << 40n,
    segmentBits: 40,
    ...over,
  })

  it('starts 50 new jobs one after another without a restart, each in its own range of nonces', async () => {
    const engine = createNativeEngine(XHASH_PRACTICE, theAddon())
    const { search, solutions } = startSearch(engine, await engine.buildDataset(0, { threads: 2 }), 2)
    for (let token = 1; token <= 50; token++) {
      search.setJob(job(token))
      while (solutions.at(-1)?.token !== token) await new Promise((resolve) => setImmediate(resolve))
    }
    await engine.close()

    const tokens = solutions.map(({ token }) => token)
    expect([...new Set(tokens)].sort((a, b) => a - b)).toEqual(Array.from({ length: 50 }, (_, index) => index + 1))
    expect(solutions.map(({ nonce }) => Number(nonce >> 40n))).toEqual(tokens)
  })

  it('cancels a dataset build within 400 ms of CPU time on two threads and frees it', async () => {
    const engine = createNativeEngine(XHASH_FULL, theAddon())
    await engine.prepareEpoch(0)
    const reason = new Error('cancelled by test')
    const controller = new AbortController()
    let outcome: Promise<unknown> = Promise.resolve()
    const building = new Promise<void>((resolve) => {
      const onProgress = (fraction: number): void => void (fraction > 0 && resolve())
      const build = engine.buildDataset(0, { threads: 2, signal: controller.signal, onProgress })
      outcome = build.catch((error: unknown) => error)
    })
    await building

    // CPU time: a busy computer takes longer, but does no more work.
    const before = process.cpuUsage()
    controller.abort(reason)
    expect(await outcome).toBe(reason)
    const { user, system } = process.cpuUsage(before)
    expect((user + system) / 1_000).toBeLessThan(400)
    await engine.close()
  })

  it('closes during builds, checks and searches', async () => {
    const engine = createNativeEngine(XHASH_PRACTICE, theAddon())
    const dataset = await engine.buildDataset(0, { threads: 1 })
    for (let i = 1; i < 4; i++) startSearch(engine, dataset, 2).search.setJob(job(i))
    const checks = Array.from({ length: 20 }, (_, i) => engine.hashLight(i % 5, new Uint8Array(32), BigInt(i)))
    const building = engine.buildDataset(3, { threads: 2 })
    const outcomes = Promise.allSettled([...checks, building])

    await engine.close()

    expect((await outcomes).at(-1)).toMatchObject({ status: 'rejected', reason: { code: 'DEVICE_ENGINE_CLOSED' } })
  })

  it('is the same in every instruction set, bit for bit, for any cache content, index and nonce', async () => {
    const native = theAddon()
    const contents = fc
      .uint8Array({ minLength: 64, maxLength: 64 * 40 })
      .map((b) => b.slice(0, b.length - (b.length % 64)))
    const indices = fc.array(fc.integer({ min: 0, max: 2 ** 32 - 1 }), { minLength: 1, maxLength: 40 })
    const nonces = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })

    await fc.assert(
      fc.asyncProperty(contents, indices, nonces, async (content, list, nonce) => {
        const outputs = await Promise.all(
          native.simdLevels.map(async (simd) => {
            const cache = native.cacheFromBytes(content, simd)
            const dataset = await native.startDataset(cache, 128 * list.length, 1).ready
            const light = await native.hashLight(cache, 128 * list.length, content.slice(0, 32), nonce)
            const full = native.hashFull(dataset, content.slice(0, 32), nonce)
            return [native.datasetItems(cache, Uint32Array.from(list)), light, full].map(toBareHex)
          }),
        )
        for (const output of outputs) expect(output).toEqual(outputs[0])
        expect(outputs[0]?.[1]).toBe(outputs[0]?.[2])
      }),
      { numRuns: 60 },
    )
  })
})
