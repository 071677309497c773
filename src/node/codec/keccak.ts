// Keccak-256 as the chain uses it. Hot paths get the native one handed in; everything else uses this.
import { keccak_256 } from '@noble/hashes/sha3.js'

/** 32 bytes; the original padding, not NIST SHA-3. */
export type Keccak256 = (data: Uint8Array) => Uint8Array

export const keccak256: Keccak256 = (data) => keccak_256(data)
