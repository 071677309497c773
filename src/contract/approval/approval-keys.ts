// This page's approvals: passwords sealed so that only the key process can read them, and tokens for accounts that this
// page has unlocked. Neither the program that serves the page nor anything between can read or reuse them.
import {
  type ApprovalToken,
  type SealedPassword,
  type SealedStatement,
  sealInfo,
  tokenMessage,
} from '../../base/approvals'
import { bytesOfHex, toBareHex } from '../../base/hex'

/** A key of the page; its bytes stay in the browser. */
type PageKey = object
interface PageKeyPair {
  readonly publicKey: PageKey
  readonly privateKey: PageKey
}

/** The parts of WebCrypto that approvals use: `crypto`, which only secure pages have whole. */
export interface PageCrypto {
  getRandomValues(bytes: Uint8Array<ArrayBuffer>): Uint8Array<ArrayBuffer>
  readonly subtle: {
    generateKey(algorithm: object, isExtractable: boolean, uses: string[]): Promise<object>
    importKey(
      format: 'raw',
      bytes: ArrayBuffer | Uint8Array<ArrayBuffer>,
      algorithm: object | string,
      isExtractable: boolean,
      uses: string[],
    ): Promise<PageKey>
    exportKey(format: 'raw', key: PageKey): Promise<ArrayBuffer>
    deriveBits(algorithm: object, key: PageKey, bits: number): Promise<ArrayBuffer>
    deriveKey(algorithm: object, key: PageKey, made: object, isExtractable: boolean, uses: string[]): Promise<PageKey>
    encrypt(algorithm: object, key: PageKey, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
    sign(algorithm: object, key: PageKey, bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer>
  }
}

const ECDH = { name: 'ECDH', namedCurve: 'P-256' } as const
const ECDSA = { name: 'ECDSA', namedCurve: 'P-256' } as const

/** The page's key pair, and the key process it seals for. Ends with the page. */
export class ApprovalKeys {
  readonly #crypto: PageCrypto
  #own: Promise<{ readonly pair: PageKeyPair; readonly page: string }> | null = null
  #receiver: string | null = null
  #page: string | null = null

  constructor(crypto: PageCrypto) {
    this.#crypto = crypto
  }

  /**
   * Remembers the first key process. @param receiver its public key, hex
   * @returns false for another one than before: nothing is sealed for it
   */
  trust(receiver: string): boolean {
    this.#receiver ??= receiver
    return this.#receiver === receiver
  }

  /** Seals for the next key process that `trust` is told: the user has been asked. */
  forget(): void {
    this.#receiver = null
  }

  /** This page's public key, hex; null while it has kept nothing unlocked. */
  get known(): string | null {
    return this.#page
  }

  /** This page's public key, hex. */
  async page(): Promise<string> {
    return (await this.#pair()).page
  }

  /**
   */
  async seal(password: Uint8Array, contents: readonly string[], keepMinutes: number): Promise<SealedPassword> {
    const plain = Uint8Array.from(password)
    password.fill(0)
    try {
      const page = keepMinutes === 0 ? null : await this.page()
      const statement = JSON.stringify({ contents: [...contents], keepMinutes, page } satisfies SealedStatement)
      const { sender, key } = await this.#oneTimeKey()
      const additionalData = new TextEncoder().encode(statement)
      const algorithm = { name: 'AES-GCM', iv: new Uint8Array(12), additionalData }
      const sealed = new Uint8Array(await this.#crypto.subtle.encrypt(algorithm, key, plain))
      return { kind: 'sealed', sender, statement, password: toBareHex(sealed) }
    } finally {
      plain.fill(0)
    }
  }

  /** Approves one content for an account that this page has unlocked. @param content hash, hex */
  async token(content: string): Promise<ApprovalToken> {
    const { pair } = await this.#pair()
    const once = toBareHex(this.#crypto.getRandomValues(new Uint8Array(16)))
    const message = tokenMessage(this.#trusted(), content, once)
    const signed = await this.#crypto.subtle.sign(
      { name: 'ECDSA', hash: 'SHA-256' },
      pair.privateKey,
      ownBytes(message),
    )
    return { kind: 'token', once, signature: toBareHex(new Uint8Array(signed)) }
  }

  #trusted(): string {
    if (this.#receiver === null) throw new Error('no key process is known')
    return this.#receiver
  }

  /** A fresh pair per password, so the IV may be constant. */
  async #oneTimeKey(): Promise<{ readonly sender: string; readonly key: PageKey }> {
    const receiver = this.#trusted()
    const own = await this.#newPair(ECDH, 'deriveBits')
    const sender = await this.#publicText(own.publicKey)
    const theirs = await this.#crypto.subtle.importKey('raw', ownBytes(bytesOfHex(receiver, 65)), ECDH, false, [])
    const shared = await this.#crypto.subtle.deriveBits({ name: 'ECDH', public: theirs }, own.privateKey, 256)
    const material = await this.#crypto.subtle.importKey('raw', shared, 'HKDF', false, ['deriveKey'])
    const info = ownBytes(sealInfo(sender, receiver))
    const derivation = { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(0), info }
    const key = await this.#crypto.subtle.deriveKey(derivation, material, { name: 'AES-GCM', length: 256 }, false, [
      'encrypt',
    ])
    return { sender, key }
  }

  #pair(): Promise<{ readonly pair: PageKeyPair; readonly page: string }> {
    this.#own ??= this.#newPair(ECDSA, 'sign').then(async (pair) => {
      const page = await this.#publicText(pair.publicKey)
      this.#page = page
      return { pair, page }
    })
    return this.#own
  }

  /** The private one can't be exported. */
  async #newPair(algorithm: object, use: string): Promise<PageKeyPair> {
    return (await this.#crypto.subtle.generateKey(algorithm, false, [use])) as PageKeyPair
  }

  async #publicText(key: PageKey): Promise<string> {
    return toBareHex(new Uint8Array(await this.#crypto.subtle.exportKey('raw', key)))
  }
}

/** With a buffer of their own, as WebCrypto's types want it. */
function ownBytes(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(bytes)
}

/** What a page's forms use of its keys. */
export type PageKeys = Pick<ApprovalKeys, 'known' | 'trust' | 'seal' | 'token'>

/** Null for a page without WebCrypto: one that came over an unencrypted network. */
export function keysOfPage(page: { readonly isSecureContext: boolean; readonly crypto: object }): ApprovalKeys | null {
  return page.isSecureContext ? new ApprovalKeys(page.crypto as PageCrypto) : null
}
