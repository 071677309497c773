// Signing as minisign does: Ed25519 over the BLAKE2b-512 hash of a file, with a comment that is signed too. Formats: the
// documentation of minisign, jedisct1.github.io/minisign.
import { createHash, createPrivateKey, scryptSync, sign } from 'node:crypto'
import { ToolError } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'

await packagesFirst()
const { blake2b } = await import('@noble/hashes/blake2.js')

/** The head of an Ed25519 private key in PKCS 8; 32 bytes of seed follow (RFC 8410). */
const PKCS8_HEAD = Buffer.from('302e020100300506032b657004220420', 'hex')
const ALGORITHM = 'Ed'
const HASHED = 'ED'
/** Algorithm, kind of password hash, kind of checksum, salt, two limits; then key id, secret key and its checksum. */
const SECRET_BYTES = 158
const SALT = { from: 6, to: 38 }
const PROTECTED_FROM = 54
const MAX_MEMORY = 3 * 2 ** 30

/**
 * @param {string} text of a key file that `minisign -G` wrote, with a password or (`-W`) without
 * @param {string | undefined} password
 * @returns {{ id: Buffer, seed: Buffer, publicKey: Buffer }}
 */
export function readSecretKey(text, password) {
  const line = text.split('\n')[1] ?? ''
  const bytes = Buffer.from(line, 'base64')
  if (bytes.length !== SECRET_BYTES || bytes.toString('latin1', 0, 2) !== ALGORITHM)
    throw new ToolError('the release key is not a minisign secret key: use the file written by `minisign -G`')
  const kind = bytes.toString('latin1', 2, 4)
  const isProtected = kind === 'Sc'
  if (!isProtected && kind !== '\0\0') throw new ToolError('the release key is protected in an unknown way')
  const body = isProtected ? opened(bytes, password) : bytes.subarray(PROTECTED_FROM)
  return { id: body.subarray(0, 8), seed: body.subarray(8, 40), publicKey: body.subarray(40, 72) }
}

function opened(bytes, password) {
  if (password === undefined || password === '')
    throw new ToolError('the release key has a password: set HEADFRAME_RELEASE_PASSWORD')
  const limits = [bytes.readBigUInt64LE(38), bytes.readBigUInt64LE(46)].map(Number)
  const { N, p } = scryptCost(limits[0], limits[1])
  const salt = bytes.subarray(SALT.from, SALT.to)
  const pad = scryptSync(password, salt, SECRET_BYTES - PROTECTED_FROM, { N, r: 8, p, maxmem: MAX_MEMORY })
  const body = Buffer.from(bytes.subarray(PROTECTED_FROM).map((byte, index) => byte ^ pad[index]))
  const sum = blake2b(Buffer.concat([bytes.subarray(0, 2), body.subarray(0, 72)]), { dkLen: 32 })
  if (!body.subarray(72).equals(sum)) throw new ToolError('wrong password for the release key')
  return body
}

/** libsodium's way from its two limits to scrypt's cost, with r = 8 (pwhash_scryptsalsa208sha256). */
function scryptCost(operations, memory) {
  const work = Math.max(operations, 32_768)
  const isShort = work < memory / 32
  const most = isShort ? work / 32 : memory / 1024
  const bits = Math.max(1, Math.floor(Math.log2(most)))
  const p = isShort ? 1 : Math.floor(Math.min(work / 4 / 2 ** bits, 0x3fff_ffff) / 8)
  return { N: 2 ** bits, p: Math.max(1, p) }
}

/** The one line that people and programs compare: `RW` and more. */
export function publicKeyLine({ id, publicKey }) {
  return Buffer.concat([Buffer.from(ALGORITHM), id, publicKey]).toString('base64')
}

/**
 * The text of a `.minisig` file.
 * @param {Buffer} bytes what is signed
 * @param {{ key: { id: Buffer, seed: Buffer }, comment: string }} options `comment`: signed too; one line
 */
export function signatureText(bytes, { key, comment }) {
  if (/[^\x20-\x7e]/.test(comment)) throw new ToolError('a signed comment is one line of ASCII')
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_HEAD, key.seed]), format: 'der', type: 'pkcs8' })
  const signature = sign(null, createHash('blake2b512').update(bytes).digest(), privateKey)
  const whole = sign(null, Buffer.concat([signature, Buffer.from(comment)]), privateKey)
  const line = Buffer.concat([Buffer.from(HASHED), key.id, signature]).toString('base64')
  return `untrusted comment: signature of a Headframe release\n${line}\ntrusted comment: ${comment}\n${whole.toString('base64')}\n`
}
