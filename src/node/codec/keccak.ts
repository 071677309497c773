// Keccak-256 as the chain uses it. Importing a block takes some forty hashes per transaction, most of short messages.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HASH_AT, keccakModule, MEMORY_BYTES, MESSAGE_AT, RATE_BYTES } from './keccak-module'

/** 32 bytes; the original padding, not NIST SHA-3. */
export type Keccak256 = (data: Uint8Array) => Uint8Array

const HASH_BYTES = 32
/** A program can pay for messages of 17 MB; the module's memory grows as needed and never shrinks. */
const MAX_BYTES = 32 * 1024 * 1024

export const keccak256: Keccak256 = wasmKeccak() ?? keccak_256

/** Null when WebAssembly is disabled. */
function wasmKeccak(): Keccak256 | null {
  if (typeof WebAssembly === 'undefined') return null
  const { memory, hash } = new WebAssembly.Instance(new WebAssembly.Module(keccakModule())).exports
  if (!(memory instanceof WebAssembly.Memory) || typeof hash !== 'function') return null
  let bytes = new Uint8Array(memory.buffer)
  return (data) => {
    const { length } = data
    if (length > MAX_BYTES) return keccak_256(data)
    const missing = MESSAGE_AT + length + RATE_BYTES - bytes.length
    if (missing > 0) {
      memory.grow(Math.ceil(missing / MEMORY_BYTES))
      bytes = new Uint8Array(memory.buffer)
    }
    const blocks = Math.floor(length / RATE_BYTES) + 1
    const [padding, end] = [MESSAGE_AT + length, MESSAGE_AT + blocks * RATE_BYTES]
    bytes.set(data, MESSAGE_AT)
    bytes.fill(0, padding, end)
    bytes[padding] = 1
    bytes[end - 1] = (bytes[end - 1] ?? 0) | 0x80
    hash(blocks)
    return bytes.slice(HASH_AT, HASH_AT + HASH_BYTES)
  }
}
