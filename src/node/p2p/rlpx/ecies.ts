// ECIES as used by RLPx: secp256k1, AES-128-CTR, HMAC-SHA-256, with the packet's 2-byte length as shared MAC data.
// Source: devp2p, RLPx; vectors test/vectors/p2p/rlpx.json
import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { concatBytes } from '../../../base/bytes'
import { secp256k1 } from '../../../native/secp256k1'
import { newSecretKey } from '../../identity/node-key'

/** Must be cryptographically secure; tests supply fixed bytes. */
export type RandomBytes = (length: number) => Uint8Array

const POINT = 65
const IV = 16
const MAC = 32
/** Overhead of sealing, bytes. */
export const ECIES_OVERHEAD = POINT + IV + MAC

/** @param key 32 bytes @returns 64 bytes: the node id */
export function publicKeyOf(key: Uint8Array): Uint8Array {
  return secp256k1().publicKey(key)
}

/** The x of the shared point, 32 bytes; null when the remote key isn't a point. @param publicKey 64 bytes */
export function sharedSecret(key: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  return secp256k1().sharedX(key, publicKey)
}

/** Encrypts to `publicKey` (64 bytes). @param shared covered by the MAC, not sent @throws RangeError if no point */
export function seal(message: Uint8Array, publicKey: Uint8Array, shared: Uint8Array, random: RandomBytes): Uint8Array {
  const ephemeral = newSecretKey(random)
  const secret = sharedSecret(ephemeral, publicKey)
  if (secret === null) throw new RangeError('not a public key')
  const { cipherKey, macKey } = keysOf(secret)
  const iv = new Uint8Array(random(IV))
  const cipher = createCipheriv('aes-128-ctr', cipherKey, iv)
  const sealed = concatBytes(iv, cipher.update(message), cipher.final())
  const mac = createHmac('sha256', macKey).update(sealed).update(shared).digest()
  return concatBytes(Uint8Array.of(4), publicKeyOf(ephemeral), sealed, mac)
}

/** The message, or null when it wasn't sealed to `key` or was modified. */
export function open(packet: Uint8Array, key: Uint8Array, shared: Uint8Array): Uint8Array | null {
  if (packet.length < ECIES_OVERHEAD || packet[0] !== 4) return null
  const sealed = packet.subarray(POINT, packet.length - MAC)
  const secret = sharedSecret(key, packet.subarray(1, POINT))
  if (secret === null) return null
  const { cipherKey, macKey } = keysOf(secret)
  const mac = createHmac('sha256', macKey).update(sealed).update(shared).digest()
  if (!timingSafeEqual(mac, packet.subarray(packet.length - MAC))) return null
  const cipher = createDecipheriv('aes-128-ctr', cipherKey, sealed.subarray(0, IV))
  return concatBytes(cipher.update(sealed.subarray(IV)), cipher.final())
}

/** NIST SP 800-56 concatenation KDF, one round. */
function keysOf(secret: Uint8Array): { readonly cipherKey: Uint8Array; readonly macKey: Uint8Array } {
  const round = createHash('sha256')
    .update(Uint8Array.of(0, 0, 0, 1))
    .update(secret)
    .digest()
  return { cipherKey: round.subarray(0, 16), macKey: createHash('sha256').update(round.subarray(16)).digest() }
}
