// The RLPx v4 handshake in EIP-8 form: one packet each way, from which both sides derive the frame secrets. Source:
// devp2p, RLPx, EIP-8; vectors test/vectors/p2p/rlpx.json

import { createCipheriv, createDecipheriv, createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes } from '../../../base/bytes'
import { secp256k1 } from '../../../native/secp256k1'
import { keccak256 } from '../../codec/keccak'
import { encodeRlp, leadingList, type RlpItem, rlpInteger } from '../../codec/rlp'
import { newSecretKey } from '../../identity/node-key'

// ECIES as used by RLPx: secp256k1, AES-128-CTR, HMAC-SHA-256, with the packet's 2-byte length as shared MAC data.
// Source: devp2p, RLPx; vectors test/vectors/p2p/rlpx.json

/** Must be cryptographically secure; tests supply fixed bytes. */
export type RandomBytes = (length: number) => Uint8Array

const POINT = 65
const IV = 16
const MAC = 32
/** Overhead of sealing, bytes. */
const ECIES_OVERHEAD = POINT + IV + MAC

/** @param key 32 bytes @returns 64 bytes: the node id */
export function publicKeyOf(key: Uint8Array): Uint8Array {
  return secp256k1().publicKey(key)
}

/** The x of the shared point, 32 bytes; null when the remote key isn't a point. @param publicKey 64 bytes */
function sharedSecret(key: Uint8Array, publicKey: Uint8Array): Uint8Array | null {
  return secp256k1().sharedX(key, publicKey)
}

/** Encrypts to `publicKey` (64 bytes). @param shared covered by the MAC, not sent @throws RangeError if no point */
function seal(message: Uint8Array, publicKey: Uint8Array, shared: Uint8Array, random: RandomBytes): Uint8Array {
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
function open(packet: Uint8Array, key: Uint8Array, shared: Uint8Array): Uint8Array | null {
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

/** An incremental keccak state. */
export type MacState = ReturnType<typeof keccak_256.create>

/** Secrets for encrypting and authenticating frames. */
export interface FrameSecrets {
  /** 32 bytes each */
  readonly aes: Uint8Array
  readonly mac: Uint8Array
  readonly egress: MacState
  readonly ingress: MacState
}

/** What one side keeps until the other's packet arrives. */
export interface HandshakeSide {
  /** 32 bytes */
  readonly ephemeralKey: Uint8Array
  readonly nonce: Uint8Array
}

interface HandshakeWord {
  /** 64 bytes */
  readonly ephemeralId: Uint8Array
  /** 32 bytes */
  readonly nonce: Uint8Array
}

const VERSION = 4
const MIN_PADDING = 100

/** The first packet. @param remoteId 64 bytes @throws RangeError when it isn't a key */
export function authPacket(staticKey: Uint8Array, remoteId: Uint8Array, side: HandshakeSide, random: RandomBytes) {
  const secret = sharedSecret(staticKey, remoteId)
  if (secret === null) throw new RangeError('not a public key')
  const signature = secp256k1().sign(xor(secret, side.nonce), side.ephemeralKey)
  return packet([signature, publicKeyOf(staticKey), side.nonce, rlpInteger(VERSION)], remoteId, random)
}

/** The answer. @param remoteId 64 bytes */
export function ackPacket(remoteId: Uint8Array, side: HandshakeSide, random: RandomBytes): Uint8Array {
  return packet([publicKeyOf(side.ephemeralKey), side.nonce, rlpInteger(VERSION)], remoteId, random)
}

/** Decodes the first packet, including its 2-byte length; null when it isn't for us. */
export function readAuth(bytes: Uint8Array, staticKey: Uint8Array) {
  const [signature, remoteId, nonce] = itemsOf(bytes, staticKey, [65, 64, 32]) ?? []
  if (signature === undefined || remoteId === undefined || nonce === undefined) return null
  const secret = sharedSecret(staticKey, remoteId)
  if (secret === null) return null
  const ephemeralId = secp256k1().recoverKey(xor(secret, nonce), signature.subarray(0, 64), signature[64] ?? 4)
  return ephemeralId === null ? null : { remoteId, ephemeralId, nonce }
}

/** Decodes the answer, including its 2-byte length; null when it isn't for us. */
export function readAck(bytes: Uint8Array, staticKey: Uint8Array): HandshakeWord | null {
  const [ephemeralId, nonce] = itemsOf(bytes, staticKey, [64, 32]) ?? []
  return ephemeralId === undefined || nonce === undefined ? null : { ephemeralId, nonce }
}

interface SecretsInput {
  readonly isInitiator: boolean
  readonly side: HandshakeSide
  readonly remote: HandshakeWord
  /** Whole packets, as sent. */
  readonly auth: Uint8Array
  readonly ack: Uint8Array
}

/** Null when the other side's ephemeral key is invalid. */
export function frameSecrets({ isInitiator, side, remote, auth, ack }: SecretsInput): FrameSecrets | null {
  const ephemeral = sharedSecret(side.ephemeralKey, remote.ephemeralId)
  if (ephemeral === null) return null
  const [initNonce, respNonce] = isInitiator ? [side.nonce, remote.nonce] : [remote.nonce, side.nonce]
  const shared = keccak256(concatBytes(ephemeral, keccak256(concatBytes(respNonce, initNonce))))
  const aes = keccak256(concatBytes(ephemeral, shared))
  const mac = keccak256(concatBytes(ephemeral, aes))
  const ofInitiator = keccak_256.create().update(xor(mac, respNonce)).update(auth)
  const ofRecipient = keccak_256.create().update(xor(mac, initNonce)).update(ack)
  const [egress, ingress] = isInitiator ? [ofInitiator, ofRecipient] : [ofRecipient, ofInitiator]
  return { aes, mac, egress, ingress }
}

function packet(items: readonly RlpItem[], remoteId: Uint8Array, random: RandomBytes): Uint8Array {
  const padding = MIN_PADDING + ((random(1)[0] ?? 0) % MIN_PADDING)
  const message = concatBytes(encodeRlp(items), new Uint8Array(padding))
  const length = message.length + ECIES_OVERHEAD
  const prefix = Uint8Array.of(length >>> 8, length & 0xff)
  return concatBytes(prefix, seal(message, remoteId, prefix, random))
}

/** The first items of the sealed list, if they have these lengths; further items and padding are allowed (EIP-8). */
function itemsOf(
  bytes: Uint8Array,
  staticKey: Uint8Array,
  lengths: readonly number[],
): readonly (Uint8Array | undefined)[] | null {
  const message = open(bytes.subarray(2), staticKey, bytes.subarray(0, 2))
  const list = message === null ? null : leadingList(message)
  if (list?.ok !== true) return null
  const items = lengths.flatMap((length, index) => {
    const item = list.value[index]
    return item instanceof Uint8Array && item.length === length ? [item.slice()] : []
  })
  return items.length === lengths.length ? items : null
}

function xor(a: Uint8Array, b: Uint8Array): Uint8Array {
  return a.map((byte, index) => byte ^ (b[index] ?? 0))
}
