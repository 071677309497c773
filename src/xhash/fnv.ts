// The byte-wise FNV-1 that mixes words in cache, dataset and hashimoto.
// Ethash multiplies once per word, this chain once per byte, so their results differ.

const FNV_PRIME = 0x01000193

/** Folds `v` into `u`, lowest byte of `v` first; all uint32. Source: xhash's fnv1; test/vectors/chain/xhash.json */
export function fnv1(u: number, v: number): number {
  let h = Math.imul(u, FNV_PRIME) ^ (v & 0xff)
  h = Math.imul(h, FNV_PRIME) ^ ((v >>> 8) & 0xff)
  h = Math.imul(h, FNV_PRIME) ^ ((v >>> 16) & 0xff)
  return (Math.imul(h, FNV_PRIME) ^ (v >>> 24)) >>> 0 // Math.imul is signed
}

/** Folds the 16 words from from[start] into those from into[at]. */
export function foldItem(into: Uint32Array, at: number, from: Uint32Array, start: number): void {
  for (let w = 0; w < 16; w++) into[at + w] = fnv1(into[at + w] ?? 0, from[start + w] ?? 0)
}
