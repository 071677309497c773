// Derives the 32-byte key of a key file from a password. Asynchronous: a standard derivation takes about a second.
import { pbkdf2, pbkdf2Sync, scrypt, scryptSync } from 'node:crypto'
import { scryptAsync } from '@noble/hashes/scrypt.js'
import { wipe } from '../../base/bytes'
import { nativeScrypt, type ScryptMixing } from '../../native/loader'
import { KeystoreError } from '../errors'

/** RFC 7914; memory is 128 * n * r bytes. */
export interface ScryptParams {
  readonly kdf: 'scrypt'
  readonly n: number
  readonly r: number
  readonly p: number
  readonly dklen: number
  readonly salt: Uint8Array
}

interface Pbkdf2Params {
  readonly kdf: 'pbkdf2'
  readonly c: number
  readonly dklen: number
  readonly salt: Uint8Array
}

export type KdfParams = ScryptParams | Pbkdf2Params

/** The family's two strengths for new keys (geth: accounts/keystore StandardScryptN, LightScryptN). */
export const KDF_STRENGTHS = {
  standard: { n: 262_144, r: 8, p: 1 },
  light: { n: 4_096, r: 8, p: 6 },
} as const

export type KdfStrength = keyof typeof KDF_STRENGTHS

const MIB = 1024 * 1024
/** A file that requires more would exhaust the machine; the standard strength needs 256 MiB. */
const MAX_SCRYPT_BYTES = 1024 * MIB
/** The p blocks besides the table: with a small n they alone could take gigabytes. */
const MAX_SCRYPT_BLOCK_BYTES = 16 * MIB
/** In units of N x r x p; 64 times the standard strength, about a minute. */
const MAX_SCRYPT_WORK = 64 * 262_144 * 8
/** The light strength of the family; about 40 ms. */
const MAX_THREAD_WORK = 4_096 * 8 * 6
const MAX_PBKDF2_ROUNDS = 100_000_000
/** Some tenths of a millisecond. */
const MAX_SHORT_SPREAD = 16 * 1024
/** Some tenths of a second. */
const QUICK_SCRYPT_WORK = 8 * MAX_THREAD_WORK
const QUICK_ROUNDS = 1_000_000

/** Memory of a derivation in bytes, not counting up to three tables of up to 4 MiB in parallel. */
export function kdfMemoryBytes(params: KdfParams): number {
  return params.kdf === 'scrypt' ? 128 * params.r * (params.n + params.p) : 0
}

/** Its memory, but at least 32 MiB when it takes seconds, so that fast ones never wait for it. */
export function kdfWeightBytes(params: KdfParams): number {
  const isLong = params.kdf === 'scrypt' ? params.n * params.r * params.p > QUICK_SCRYPT_WORK : params.c > QUICK_ROUNDS
  return isLong ? Math.max(kdfMemoryBytes(params), 32 * MIB) : kdfMemoryBytes(params)
}

/**
 * Derives the key; `dklen` bytes, which the caller owns and wipes.
 * @param place `thread`: on the calling thread when it is light, which saves two thread switches (a tenth of a light
 * signature) and blocks the thread for some milliseconds
 * @param mixing default: the addon's; null: OpenSSL's
 * @throws KeystoreError KEYSTORE_FILE_UNSUPPORTED for parameters beyond the limits
 */
export async function deriveKey(
  params: KdfParams,
  password: Uint8Array,
  place: 'pool' | 'thread' = 'pool',
  mixing: ScryptMixing | null = nativeScrypt(),
): Promise<Uint8Array> {
  checkKdfLimits(params)
  if (params.kdf === 'pbkdf2') {
    return fromCallback((done) => pbkdf2(password, params.salt, params.c, params.dklen, 'sha256', done))
  }
  const { n, r, p, dklen, salt } = params
  const isHere = place === 'thread' && n * r * p <= MAX_THREAD_WORK
  if (mixing !== null) return deriveMixed(params, password, mixing, isHere)
  // RFC 7914 requires N < 2^(16 r) and OpenSSL enforces it; the published r = 1 test file violates it, so JavaScript
  // derives that one.
  if (n >= 2 ** (16 * r)) return scryptAsync(password, salt, { N: n, r, p, dkLen: dklen, maxmem: 2 * MAX_SCRYPT_BYTES })
  const maxmem = 128 * n * r + 128 * r * p + 2 * MIB
  if (isHere) return scryptSync(password, salt, dklen, { N: n, r, p, maxmem })
  return fromCallback((done) => scrypt(password, salt, dklen, { N: n, r, p, maxmem }, done))
}

/** scrypt as composed in RFC 7914 section 6, with the addon's mixing. */
async function deriveMixed(
  { n, r, p, dklen, salt }: ScryptParams,
  password: Uint8Array,
  { mix, mixApart }: ScryptMixing,
  isHere: boolean,
): Promise<Uint8Array> {
  const blocks = await spread(password, salt, 128 * r * p)
  let mixed: Uint8Array | null = null
  try {
    mixed = isHere ? mix(blocks, n, r) : await mixApart(blocks, n, r)
    return await spread(password, mixed, dklen)
  } finally {
    wipe(blocks)
    if (mixed !== null) wipe(mixed)
  }
}

/** PBKDF2 with one round; for many bytes it takes too long for this thread. */
function spread(password: Uint8Array, salt: Uint8Array, length: number): Promise<Uint8Array> | Uint8Array {
  const isShort = Math.max(salt.length, length) <= MAX_SHORT_SPREAD
  if (isShort) return pbkdf2Sync(password, salt, 1, length, 'sha256')
  return fromCallback((done) => pbkdf2(password, salt, 1, length, 'sha256', done))
}

/** @throws KeystoreError KEYSTORE_FILE_UNSUPPORTED, KEYSTORE_FILE_INVALID for parameters beyond the limits */
export function checkKdfLimits(params: KdfParams): void {
  if (params.dklen < 32 || params.dklen > 1024) {
    throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `a derived key of ${params.dklen} bytes` })
  }
  if (params.kdf === 'pbkdf2') {
    if (params.c > MAX_PBKDF2_ROUNDS) {
      throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `pbkdf2 with ${params.c} rounds` })
    }
    return
  }
  const { n, r, p } = params
  if (n < 2 || !Number.isInteger(Math.log2(n))) {
    throw new KeystoreError('KEYSTORE_FILE_INVALID', { reason: `scrypt n ${n} is no power of two` })
  }
  const isTooLarge = 128 * n * r > MAX_SCRYPT_BYTES || 128 * r * p > MAX_SCRYPT_BLOCK_BYTES
  if (isTooLarge || n * r * p > MAX_SCRYPT_WORK) {
    throw new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: `scrypt with n ${n}, r ${r}, p ${p}` })
  }
}

function fromCallback(run: (done: (error: Error | null, key: Buffer) => void) => void): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    run((error, key) => (error === null ? resolve(key) : reject(error)))
  })
}
