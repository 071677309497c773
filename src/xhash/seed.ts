// Seed hashes: the 32-byte identifiers of epochs, each the tagged SHA-3 of the previous one.
import { sha3_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '../base/bytes'

/** "PARALLAX" then 0x01: the tag that separates these seeds from Ethash's */
const SEED_TAG = Uint8Array.of(0x50, 0x41, 0x52, 0x41, 0x4c, 0x4c, 0x41, 0x58, 0x01)

/**
 * Seed hash of `epoch`: 32 bytes, zeros for epoch 0. Costs one SHA-3 per epoch.
 * Source: prlx consensus/xhash/algorithm.go (seedHash); cases in test/vectors/chain/epochs.json
 */
export function seedHash(epoch: number): Uint8Array {
  let seed: Uint8Array = new Uint8Array(32)
  for (let e = 0; e < epoch; e++) seed = nextSeedHash(seed)
  return seed
}

/** Seed hash (32 bytes) of the epoch after the one that `seed` (32 bytes) identifies. */
export function nextSeedHash(seed: Uint8Array): Uint8Array {
  return sha3_256(concatBytes(SEED_TAG, seed))
}
