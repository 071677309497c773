// Hashes as map keys: a string of 32 characters, one per byte. A hex string built digit by digit takes a kilobyte, and
// there may be hundreds of thousands.

/** @param hash 32 bytes */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
}

/** The inverse of `hashName`. */
export function bytesOfName(name: string): Uint8Array {
  return new Uint8Array(Buffer.from(name, 'latin1'))
}
