// Ranges of keys with a common prefix.

/** @param after only keys behind it; null = from the first on */
export function keyRange(prefix: Uint8Array, after: Uint8Array | null) {
  return { ...(after === null ? { gte: prefix } : { gt: after }), lt: afterPrefix(prefix) }
}

/** The first key after all that start with `prefix`. */
function afterPrefix(prefix: Uint8Array): Uint8Array {
  const end = prefix.slice()
  for (let i = end.length - 1; i >= 0; i--) {
    const byte = end[i] ?? 0
    if (byte === 0xff) continue
    end[i] = byte + 1
    return end.subarray(0, i + 1)
  }
  return Uint8Array.of(0xff, 0xff)
}
