// minisign signatures: Ed25519 over a file's BLAKE2b-512 hash and over its comment (jedisct1.github.io/minisign).
import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { blake2b } from '@noble/hashes/blake2.js'

/** The SPKI header of an Ed25519 public key; its 32 bytes follow (RFC 8410). */
const SPKI_HEAD = Buffer.from('302a300506032b6570032100', 'hex')
const KEY_ID_BYTES = 8
const SIGNATURE_BYTES = 64
const KEY_ALGORITHM = 'Ed'
/** Over the hash. minisign's older format, over the file itself, isn't accepted. */
const HASHED = 'ED'
const COMMENT_HEAD = 'trusted comment: '
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/

export interface ReleaseKey {
  /** In minisign's notation: 16 hex digits. */
  readonly id: string
  readonly publicKey: KeyObject
}

export interface DetachedSignature {
  readonly keyId: string
  readonly signature: Buffer
  /** Signed too, by `commentSignature`. */
  readonly comment: string
  readonly commentSignature: Buffer
}

/** @param text a `.pub` file, or only its second line; null when it is neither */
export function readPublicKey(text: string): ReleaseKey | null {
  const lines = text.trim().split(/\r?\n/)
  const bytes = base64(lines.at(-1)?.trim() ?? '', 2 + KEY_ID_BYTES + 32)
  if (lines.length > 2 || bytes === null || bytes.toString('latin1', 0, 2) !== KEY_ALGORITHM) return null
  const point = bytes.subarray(2 + KEY_ID_BYTES)
  const publicKey = createPublicKey({ key: Buffer.concat([SPKI_HEAD, point]), format: 'der', type: 'spki' })
  return { id: idOf(bytes), publicKey }
}

/** @param text a whole `.minisig` file; null when it isn't one, or in the older format */
export function readSignature(text: string): DetachedSignature | null {
  const lines = text.split(/\r?\n/)
  if (lines.at(-1) === '') lines.pop()
  const [untrusted = '', line = '', commentLine = '', commentSignatureLine = ''] = lines
  if (lines.length !== 4 || !untrusted.startsWith('untrusted comment: ') || !commentLine.startsWith(COMMENT_HEAD))
    return null
  const bytes = base64(line, 2 + KEY_ID_BYTES + SIGNATURE_BYTES)
  const commentSignature = base64(commentSignatureLine, SIGNATURE_BYTES)
  if (bytes === null || commentSignature === null || bytes.toString('latin1', 0, 2) !== HASHED) return null
  const signature = bytes.subarray(2 + KEY_ID_BYTES)
  return { keyId: idOf(bytes), signature, comment: commentLine.slice(COMMENT_HEAD.length), commentSignature }
}

/** True when `key` signed both these bytes and the comment. */
export function isSignedBy(key: ReleaseKey, bytes: Uint8Array, signed: DetachedSignature): boolean {
  const { signature, comment, commentSignature } = signed
  if (key.id !== signed.keyId || !verify(null, blake2b(bytes, { dkLen: 64 }), key.publicKey, signature)) return false
  return verify(null, Buffer.concat([signature, Buffer.from(comment)]), key.publicKey, commentSignature)
}

/** Little-endian, after the algorithm's two letters. */
function idOf(bytes: Buffer): string {
  return bytes.readBigUInt64LE(2).toString(16).toUpperCase().padStart(16, '0')
}

/** Null unless it is canonical base64 of exactly this many bytes. */
function base64(text: string, length: number): Buffer | null {
  if (!BASE64.test(text)) return null
  const bytes = Buffer.from(text, 'base64')
  return bytes.length === length && bytes.toString('base64') === text ? bytes : null
}
