// Keccak-256 as the chain uses it. Importing a block asks for some forty hashes a transaction, most of short messages.
import { keccak_256 } from '@noble/hashes/sha3.js'
import { HASH_AT, keccakModule, MEMORY_BYTES, MESSAGE_AT, RATE_BYTES } from './keccak-module'

/** 32 bytes; the original padding, not NIST SHA-3. */
export type Keccak256 = (data: Uint8Array) => Uint8Array

const HASH_BYTES = 32
/** Longer messages are rare, and the module's memory is small: JavaScript hashes them. */
const MOST_BYTES = MEMORY_BYTES - MESSAGE_AT - RATE_BYTES

export const keccak256: Keccak256 = wasmKeccak() ?? keccak_256

/** Null where WebAssembly is switched off. */
function wasmKeccak(): Keccak256 | null {
  if (typeof WebAssembly === 'undefined') return null
  const { memory, hash } = new WebAssembly.Instance(new WebAssembly.Module(keccakModule())).exports
  if (!(memory instanceof WebAssembly.Memory) || typeof hash !== 'function') return null
  const bytes = new Uint8Array(memory.buffer)
  return (data) => {
    const { length } = data
    if (length > MOST_BYTES) return keccak_256(data)
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
