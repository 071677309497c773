// The hash itself: 64 dependent reads of 128-byte dataset rows, selected by a mix seeded from seal hash and nonce.
import { sha3_256, sha3_512 } from '@noble/hashes/sha3.js'
import { concatBytes } from '../base/bytes'
import { DatasetItemMaker, finished } from './dataset'
import { fnv1 } from './fnv'
import { bytesOfWords, ITEM_WORDS, wordsOf } from './sha3-item'
import { ROW_BYTES } from './sizes'

const ACCESSES = 64
const MIX_WORDS = 32

/** mixDigest: 32 bytes; result: 32 bytes, a big-endian number to compare with the target */
interface HashimotoResult {
  readonly mixDigest: Uint8Array
  readonly result: Uint8Array
}

/** The input: seal hash (32 bytes) and 64-bit nonce, over a dataset of this many bytes. */
interface HashimotoInput {
  readonly datasetBytes: number
  readonly sealHash: Uint8Array
  readonly nonce: bigint
}

/** Writes row `index` (32 words) to `row`. */
type RowReader = (index: number, row: Uint32Array) => void

/**
 * Hash from the cache: computes each row it needs, 10 to 40 ms; yields the fraction done (0..1) after each of the 64.
 * Source: prlx consensus/xhash/algorithm.go (hashimotoLight); cases in test/vectors/chain/xhash.json
 */
export function hashimotoLightSteps(
  cache: Uint32Array,
  input: HashimotoInput,
): Generator<number, HashimotoResult, void> {
  const maker = new DatasetItemMaker(cache)
  return hashimotoSteps(input, (index, row) => {
    maker.write((2 * index) >>> 0, row, 0)
    maker.write((2 * index + 1) >>> 0, row, ITEM_WORDS)
  })
}

/** The same from a whole dataset (words, see buildDatasetSteps). */
export function hashimotoFull(dataset: Uint32Array, sealHash: Uint8Array, nonce: bigint): HashimotoResult {
  const input = { datasetBytes: dataset.length * 4, sealHash, nonce }
  const steps = hashimotoSteps(input, (index, row) => {
    const start = index * MIX_WORDS
    for (let w = 0; w < MIX_WORDS; w++) row[w] = dataset[start + w] ?? 0
  })
  return finished(steps)
}

/** What a mix digest (32 bytes) leads to, without the dataset: only the whole hash finds out a forged one. */
export function finalHash(sealHash: Uint8Array, nonce: bigint, mixDigest: Uint8Array): Uint8Array {
  return sha3_256(concatBytes(sha3_512(concatBytes(sealHash, nonceBytes(nonce))), mixDigest))
}

function* hashimotoSteps(input: HashimotoInput, readRow: RowReader): Generator<number, HashimotoResult, void> {
  const rows = input.datasetBytes / ROW_BYTES
  const seed = sha3_512(concatBytes(input.sealHash, nonceBytes(input.nonce)))
  const seedWords = wordsOf(seed)
  const seed0 = seedWords[0] ?? 0
  const mix = new Uint32Array(MIX_WORDS)
  mix.set(seedWords)
  mix.set(seedWords, ITEM_WORDS)
  const row = new Uint32Array(MIX_WORDS)
  for (let i = 0; i < ACCESSES; i++) {
    readRow(fnv1(i ^ seed0, mix[i % MIX_WORDS] ?? 0) % rows, row)
    for (let w = 0; w < MIX_WORDS; w++) mix[w] = fnv1(mix[w] ?? 0, row[w] ?? 0)
    yield (i + 1) / ACCESSES
  }
  const mixDigest = compress(mix)
  return { mixDigest, result: sha3_256(concatBytes(seed, mixDigest)) }
}

/** 32 words folded four to one into 8: the 32 bytes of the mix digest. */
function compress(mix: Uint32Array): Uint8Array {
  const folded = new Uint32Array(MIX_WORDS / 4)
  for (let j = 0; j < folded.length; j++) {
    let h = mix[4 * j] ?? 0
    for (let w = 1; w < 4; w++) h = fnv1(h, mix[4 * j + w] ?? 0)
    folded[j] = h
  }
  return bytesOfWords(folded)
}

/** 8 bytes, little-endian: the order inside the hash; headers carry the nonce big-endian. */
function nonceBytes(nonce: bigint): Uint8Array {
  const bytes = new Uint8Array(8)
  new DataView(bytes.buffer).setBigUint64(0, nonce, true)
  return bytes
}
