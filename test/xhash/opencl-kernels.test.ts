// The OpenCL kernels on a CPU (pocl) against the recorded vectors and the CPU's own kernels: every kernel, several
// group sizes, whole and split datasets.
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NativeCache, NativeDataset } from '../../src/native/addon'
import { theAddon } from './addon'
import { openPocl, Pocl, poclIndex, poclSkipReason } from './pocl'
import { chainVectors, minerVectors, mockCacheBytes } from './vectors'

const LIMIT_MS = 240_000
const VARIANTS = [0, 1, 2]
const unhex = (text: string): Uint8Array => Uint8Array.from(Buffer.from(text.replace(/^0x/, ''), 'hex'))
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
const simd = (): string => theAddon().simdLevels.at(-1) ?? 'scalar'

/** Caches of the chain's vectors that a test can afford. */
const reduced = chainVectors.caches.filter(({ datasetBytes }) => datasetBytes <= 2 ** 21)

interface Searched {
  readonly pocl: Pocl
  readonly cache: NativeCache
  /** the same dataset, built and searched by the CPU */
  readonly dataset: NativeDataset
}

async function searched(cache: NativeCache, bytes: number): Promise<Searched> {
  const pocl = new Pocl(await openPocl())
  await pocl.prepare(cache, bytes)
  return { pocl, cache, dataset: await theAddon().startDataset(cache, bytes, 1).ready }
}

/** The CPU's results among `count` nonces from `start` on. */
function expectedHits(
  dataset: NativeDataset,
  { sealHash, target }: { readonly sealHash: Uint8Array; readonly target: Uint8Array },
  start: bigint,
  count: number,
): readonly bigint[] {
  const all = Array.from({ length: count }, (_, i) => BigInt.asUintN(64, start + BigInt(i)))
  const hits = all.filter((nonce) => {
    const result = theAddon().hashFull(dataset, sealHash, nonce).subarray(32, 40)
    return Buffer.compare(result, target.subarray(0, 8)) <= 0
  })
  return hits.sort((a, b) => (a < b ? -1 : 1))
}

describe.skipIf(poclIndex === null)(`OpenCL kernels${poclSkipReason}`, () => {
  it.each(reduced)(
    'build the dataset of $datasetBytes bytes of recorded cache $id, to the last byte',
    async ({ seed, cacheBytes, datasetBytes, datasetSha256 }) => {
      const cache = await theAddon().createCache(unhex(seed), cacheBytes, simd())
      const pocl = new Pocl(await openPocl())

      await pocl.prepare(cache, datasetBytes)
      const bytes = await pocl.items(datasetBytes / 64)
      await pocl.close()

      expect(Buffer.compare(bytes, allItems(cache, datasetBytes))).toBe(0)
      expect(sha256(bytes)).toBe(datasetSha256)
    },
    LIMIT_MS,
  )

  it(
    'find each recorded hash at its own result, and not one below it, with every kernel',
    async () => {
      for (const { id, seed, cacheBytes, datasetBytes } of reduced) {
        const cache = await theAddon().createCache(unhex(seed), cacheBytes, simd())
        const pocl = new Pocl(await openPocl())
        await pocl.prepare(cache, datasetBytes)
        for (const row of chainVectors.reducedSize.filter((each) => each.cache === id)) {
          const nonce = BigInt(row.nonce)
          const result = unhex(row.result)
          for (const variant of VARIANTS) {
            pocl.shape(variant, 64)
            const found = await pocl.search(unhex(row.headerHash), result, nonce, 0)
            expect(found).toEqual([nonce])
            expect(await pocl.search(unhex(row.headerHash), oneBelow(result), nonce, 0)).toEqual([])
          }
        }
        await pocl.close()
      }
    },
    LIMIT_MS,
  )

  it(
    'search the recorded dataset of 501 rows over the recorded cache of one word',
    async () => {
      const { smallDataset } = minerVectors.mock
      const cache = theAddon().cacheFromBytes(mockCacheBytes(), simd())
      const { pocl, dataset } = await searched(cache, smallDataset.datasetItems * 128)

      for (const { start, solutions } of smallDataset.searches) {
        const target = unhex(smallDataset.target)
        const found = await pocl.search(new Uint8Array(32), target, BigInt(start), 9)
        const end = BigInt(start) + BigInt(smallDataset.count)
        expect(found.filter((nonce) => nonce < end)).toEqual(solutions.map(({ nonce }) => BigInt(`0x${nonce}`)))
        expect(found).toEqual(expectedHits(dataset, { sealHash: new Uint8Array(32), target }, BigInt(start), 512))
      }
      await pocl.close()
    },
    LIMIT_MS,
  )

  describe('over a dataset of 2 MiB', () => {
    const sealHash = new Uint8Array(32).fill(0xa7)
    const target = new Uint8Array(32).fill(0xff)
    target[0] = 2
    let whole: Searched
    let expected: readonly bigint[] = []
    beforeAll(async () => {
      const cache = await theAddon().createCache(new Uint8Array(32), 64_576, simd())
      whole = await searched(cache, 2_097_152)
      expected = expectedHits(whole.dataset, { sealHash, target }, 2n ** 64n - 500n, 2_048)
    }, LIMIT_MS)
    afterAll(() => whole?.pocl.close())

    it.each([
      [0, 64],
      [1, 64],
      [1, 256],
      [2, 64],
      [2, 128],
    ])(
      'kernel %i with groups of %i finds exactly what the CPU finds, also past the last nonce',
      async (variant, groupSize) => {
        whole.pocl.shape(variant, groupSize)
        const found = await whole.pocl.search(sealHash, target, 2n ** 64n - 500n, 11)

        expect(expected.length).toBeGreaterThan(10)
        expect(found).toEqual(expected)
      },
      LIMIT_MS,
    )

    it(
      'build and find the same with bytes folded by dot products',
      async () => {
        const pocl = new Pocl(await openPocl(0, true))
        await pocl.prepare(whole.cache, 2_097_152)

        expect(Buffer.compare(await pocl.items(32_768), allItems(whole.cache, 2_097_152))).toBe(0)
        for (const variant of VARIANTS) {
          pocl.shape(variant, 64)
          expect(await pocl.search(sealHash, target, 2n ** 64n - 500n, 11)).toEqual(expected)
        }
        await pocl.close()
      },
      LIMIT_MS,
    )

    it.each(VARIANTS)(
      'kernel %i finds every nonce if every one is a hit',
      async (variant) => {
        whole.pocl.shape(variant, 64)
        const found = await whole.pocl.search(sealHash, new Uint8Array(32).fill(0xff), 77n, 9)

        expect(found).toEqual(Array.from({ length: 512 }, (_, i) => 77n + BigInt(i)))
      },
      LIMIT_MS,
    )

    it.each([
      ['two', 1_100_000, 2],
      ['four', 600_000, 1],
    ])(
      'holds the same in %s buffers if one would be too large',
      async (_, limit, variant) => {
        const split = new Pocl(await openPocl(limit))
        await split.prepare(whole.cache, 2_097_152)
        split.shape(variant, 64)

        expect(Buffer.compare(await split.items(32_768), allItems(whole.cache, 2_097_152))).toBe(0)
        expect(await split.search(sealHash, target, 2n ** 64n - 500n, 11)).toEqual(expected)
        await split.close()
      },
      LIMIT_MS,
    )

    it(
      'works with cached kernels, and without them if their file is truncated or of something else',
      async () => {
        const folder = await mkdtemp(join(tmpdir(), 'headframe-opencl-'))
        const start = 2n ** 64n - 500n
        /** By a new device: compiled, or read from the folder. @returns what is in the folder then, with its time */
        const used = async (): Promise<readonly (readonly [name: string, bytes: number, mtimeMs: number])[]> => {
          const pocl = new Pocl(await openPocl(), folder)
          await pocl.prepare(whole.cache, 2_097_152)
          for (const variant of [0, 2]) {
            pocl.shape(variant, 64)
            expect(await pocl.search(sealHash, target, start, 11)).toEqual(expected)
          }
          await pocl.close()
          const names = (await readdir(folder)).sort()
          const stats = await Promise.all(names.map((name) => stat(join(folder, name))))
          return names.map((name, i) => [name, stats[i]?.size ?? 0, stats[i]?.mtimeMs ?? 0])
        }

        const kept = await used()
        expect(kept).toHaveLength(2)
        expect(kept.filter(([name]) => !/^opencl-[0-9a-f]{32}\.bin$/.test(name))).toEqual([])
        expect(await used()).toEqual(kept)

        const [[first = ''] = [], [second = ''] = []] = kept
        await truncate(join(folder, first), 1_000)
        await writeFile(join(folder, second), 'not a kernel')
        const again = await used()
        await rm(folder, { recursive: true })

        expect(again.map(([name, bytes]) => [name, bytes])).toEqual(kept.map(([name, bytes]) => [name, bytes]))
      },
      LIMIT_MS,
    )
  })
})

function allItems(cache: NativeCache, bytes: number): Uint8Array {
  return theAddon().datasetItems(
    cache,
    Uint32Array.from({ length: bytes / 64 }, (_, index) => index),
  )
}

/** A target that the result just misses in its first 64 bits. */
function oneBelow(result: Uint8Array): Uint8Array {
  const target = result.slice()
  const view = new DataView(target.buffer)
  view.setBigUint64(0, view.getBigUint64(0) - 1n)
  return target
}
