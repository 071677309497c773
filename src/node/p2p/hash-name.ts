// Hashes as keys of maps: 32 characters, one for a byte. Hex digits put together one by one take a kilobyte each, and there may be
// hundreds of thousands.

/** @param hash 32 bytes */
export function hashName(hash: Uint8Array): string {
  return Buffer.from(hash.buffer, hash.byteOffset, hash.byteLength).toString('latin1')
}

/** The inverse of `hashName`. */
export function bytesOfName(name: string): Uint8Array {
  return new Uint8Array(Buffer.from(name, 'latin1'))
}
