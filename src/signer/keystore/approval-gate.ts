// Approvals in the key worker: passwords that pages seal for it, and tokens of pages that have unlocked an account. Each
// is used once, for the content that it names.
import {
  createDecipheriv,
  createECDH,
  createPublicKey,
  type ECDH,
  hkdfSync,
  type JsonWebKey,
  verify,
} from 'node:crypto'
import {
  type ApprovalToken,
  readStatement,
  type SealedPassword,
  type SealedStatement,
  sealInfo,
  tokenMessage,
} from '../../base/approvals'
import { secretCopy, wipe } from '../../base/bytes'
import { bytesOfHex, toBareHex } from '../../base/hex'
import { KeystoreError } from '../errors'

const CURVE = 'prime256v1'
const TAG_BYTES = 16
const COORDINATE_BYTES = 32
/** Approvals remembered as used; a person makes fewer between two starts of the worker. More are refused. */
const MOST_USED = 100_000

interface OpenedApproval {
  /** UTF-8 bytes; the caller wipes them. */
  readonly password: Uint8Array
  readonly statement: SealedStatement
}

/** Reads approvals. Its key pair exists only in this process's memory, and only while it runs. */
export class ApprovalGate {
  /** Public key for which pages seal, an uncompressed point, hex. */
  readonly receiver: string
  readonly #key: ECDH
  /** What was used: sender and content of a sealed password, random value of a token. */
  readonly #used = new Set<string>()

  constructor() {
    this.#key = createECDH(CURVE)
    this.receiver = this.#key.generateKeys('hex', 'uncompressed')
  }

  /**
   * Opens a sealed password for one of the contents it names, and uses it up for that one.
   * @param content hash of what is to be signed, hex
   * @throws KeystoreError KEYSTORE_APPROVAL_UNREADABLE, KEYSTORE_APPROVAL_OTHER, KEYSTORE_APPROVAL_USED
   */
  open(sealed: SealedPassword, content: string): OpenedApproval {
    const password = this.#decrypt(sealed)
    try {
      // Only now: it is authenticated.
      const statement = readStatement(sealed.statement)
      if (statement === null) throw unreadable()
      if (!statement.contents.includes(content)) throw new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined)
      this.#use(`${sealed.sender} ${content}`)
      return { password, statement }
    } catch (error) {
      wipe(password)
      throw error
    }
  }

  /**
   * Uses a token up. @param token null: there is none
   * @param page public key of the page that unlocked the account, hex @param content hash, hex
   * @throws KeystoreError KEYSTORE_APPROVAL_OTHER, KEYSTORE_APPROVAL_USED
   */
  accept(token: ApprovalToken | null, page: string, content: string): void {
    if (token === null) throw new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined)
    const { once, signature } = token
    const message = tokenMessage(this.receiver, content, once)
    const key = { key: createPublicKey({ key: webKey(page), format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const
    if (!verify('sha256', message, key, bytesOfHex(signature, 64))) {
      throw new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined)
    }
    this.#use(`${page} ${once}`)
  }

  #use(name: string): void {
    if (this.#used.has(name) || this.#used.size >= MOST_USED)
      throw new KeystoreError('KEYSTORE_APPROVAL_USED', undefined)
    this.#used.add(name)
  }

  #decrypt({ sender, statement, password }: SealedPassword): Uint8Array {
    const sealed = bytesOfHex(password)
    const end = sealed.length - TAG_BYTES
    if (end < 0) throw unreadable()
    const parts: Buffer[] = []
    let shared: Buffer | null = null
    let key: Uint8Array | null = null
    try {
      shared = this.#key.computeSecret(Buffer.from(sender, 'hex'))
      key = new Uint8Array(hkdfSync('sha256', shared, new Uint8Array(0), sealInfo(sender, this.receiver), 32))
      const decipher = createDecipheriv('aes-256-gcm', key, new Uint8Array(12))
      decipher.setAAD(Buffer.from(statement, 'utf8')).setAuthTag(sealed.subarray(end))
      parts.push(decipher.update(sealed.subarray(0, end)))
      parts.push(decipher.final())
      return secretCopy(parts[0] ?? new Uint8Array(0))
    } catch (cause) {
      throw unreadable(cause)
    } finally {
      for (const secret of [shared, key, ...parts]) if (secret !== null) wipe(secret)
    }
  }
}

function unreadable(cause?: unknown): Error {
  return new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined, { cause })
}

/** @param point uncompressed, hex @throws Error for one that isn't on the curve */
function webKey(point: string): JsonWebKey {
  const bytes = bytesOfHex(point, 1 + 2 * COORDINATE_BYTES)
  const text = (part: Uint8Array): string => Buffer.from(toBareHex(part), 'hex').toString('base64url')
  const [x, y] = [bytes.subarray(1, 1 + COORDINATE_BYTES), bytes.subarray(1 + COORDINATE_BYTES)]
  return { kty: 'EC', crv: 'P-256', x: text(x), y: text(y) }
}
