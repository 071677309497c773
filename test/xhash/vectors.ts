// The proof-of-work vectors as typed values. The files' `about` describes their form.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { DatasetItemMaker } from '../../src/xhash/dataset'

const hashRow = z.object({ headerHash: z.string(), nonce: z.string(), mixHash: z.string(), result: z.string() })
const item = z.tuple([z.number(), z.string()])
const chainSchema = z.object({
  fnv: z.array(z.tuple([z.number(), z.number(), z.number()])),
  caches: z.array(
    z.object({
      id: z.number(),
      seed: z.string(),
      cacheBytes: z.number(),
      datasetBytes: z.number(),
      cacheSha256: z.string(),
      cache: z.string().optional(),
      items: z.array(item),
      datasetSha256: z.string().optional(),
    }),
  ),
  reducedSize: z.array(hashRow.extend({ cache: z.number() })),
  fullSize: z.array(hashRow.extend({ epoch: z.number(), block: z.number() })),
  fullSizeCaches: z.array(z.object({ epoch: z.number(), cacheSha256: z.string(), items: z.array(item) })),
})

const solution = z.object({ nonce: z.string(), mix: z.string(), final: z.string() })
const minerSchema = z.object({
  seeds: z.array(z.object({ epoch: z.number(), seed: z.string() })),
  sizes: z.array(z.object({ epoch: z.number(), cacheBytes: z.number(), datasetBytes: z.number() })),
  caches: z.array(z.object({ epoch: z.number(), sha3_256: z.string(), first: z.string(), last: z.string() })),
  datasetItems: z.array(z.object({ epoch: z.number(), index: z.number(), item: z.string() })),
  hashes: z.array(solution.extend({ epoch: z.number(), header: z.string() })),
  searches: z.array(
    z.object({
      epoch: z.number(),
      header: z.string(),
      start: z.string(),
      count: z.number(),
      target: z.string(),
      solutions: z.array(solution),
    }),
  ),
  mock: z.object({
    cacheWord64LE: z.string(),
    cacheItems: z.number(),
    items: z.array(z.object({ index: z.number(), item: z.string() })),
    smallDataset: z.object({
      datasetItems: z.number(),
      count: z.number(),
      target: z.string(),
      searches: z.array(z.object({ start: z.string(), solutions: z.array(solution) })),
    }),
  }),
})

const epochsSchema = z.object({ rows: z.array(z.tuple([z.number(), z.number(), z.number(), z.string()])) })

/** test/vectors/chain/xhash.json: hex with 0x except for digests of files; nonces as 0x numbers */
export const chainVectors = chainSchema.parse(readJson('../vectors/chain/xhash.json'))

/** test/vectors/miner/xhash.json: hex without 0x; nonces as 16 digits, big-endian */
export const minerVectors = minerSchema.parse(readJson('../vectors/miner/xhash.json'))

/** test/vectors/chain/epochs.json: epoch, cache bytes, dataset bytes, seed hash without 0x */
export const epochRows = epochsSchema.parse(readJson('../vectors/chain/epochs.json')).rows

/** The whole mock cache of the miner vectors: one 64-bit word repeated. */
export function mockCacheBytes(): Uint8Array {
  const { cacheWord64LE, cacheItems } = minerVectors.mock
  const bytes = new Uint8Array(cacheItems * 64)
  new BigUint64Array(bytes.buffer).fill(BigInt(`0x${cacheWord64LE}`))
  return bytes
}

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(fileURLToPath(new URL(path, import.meta.url)), 'utf8'))
}

/** Item `index` of the dataset of `cache`: 16 words. */
export function datasetItem(cache: Uint32Array, index: number): Uint32Array {
  const item = new Uint32Array(16)
  new DatasetItemMaker(cache).write(index, item, 0)
  return item
}
