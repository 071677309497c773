// The key worker's side: derives, decrypts, hashes, signs, wipes. Private keys exist only inside these functions.
import { wipe } from '../../base/bytes'
import { hasCode } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { KeystoreError } from '../errors'
import { signedContentSchema } from '../model/signed-content'
import { AttemptLimit } from './attempt-limit'
import { type ReadContent, readContent } from './content-digest'
import { DerivationGate } from './derivation-gate'
import { deriveKey, type KdfStrength, kdfWeightBytes } from './kdf'
import { type KeysWire, keysWire } from './keys-wire'
import { addressOfSecret, isSecretKey, recoverAddress, signDigest } from './secret-key'
import { makeKeyFile, newKdfParams, openKeyFile, openPresaleWallet, parseKeyFile, readPresaleWallet } from './v3-file'

// Keys that stay unlocked because the configuration or the user keeps their accounts unlocked. They never leave the key
// worker.

/** Holds unlocked keys. */
class UnlockedKeys {
  readonly #secrets = new Map<string, Uint8Array>()

  /** @param secret 32 bytes, owned by this object from now on */
  keep(address: string, secret: Uint8Array): void {
    this.lock(address)
    this.#secrets.set(address, secret)
  }

  /** @throws KeystoreError KEYSTORE_NOT_UNLOCKED */
  use<T>(address: string, run: (secret: Uint8Array) => T): T {
    const secret = this.#secrets.get(address)
    if (secret === undefined) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
    return run(secret)
  }

  /** Wipes one key, or all for null. */
  lock(address: string | null): void {
    for (const [known, secret] of [...this.#secrets]) {
      if (address !== null && known !== address) continue
      wipe(secret)
      this.#secrets.delete(known)
    }
  }
}

/** What the worker's thread gets from its platform. */
interface ServeKeysDeps {
  readonly log: Logger
  readonly clock: Clock
  /** Cryptographically strong; the worker entry passes node:crypto's. */
  readonly randomBytes: (length: number) => Uint8Array
}

interface FileAndPassword {
  readonly keyFile: string
  /** Null = whatever key the file holds. */
  readonly address: string | null
  readonly password: Uint8Array
}

/** Answers `keysWire` on `transport`. Every call's password and key bytes are wiped, whatever its outcome. */
export function serveKeys(transport: Transport, deps: ServeKeysDeps): WireServer<KeysWire> {
  const keys = new KeyHolder(deps)
  const unlocked = new UnlockedKeys()
  transport.onClose(() => unlocked.lock(null))
  return serveWire(
    keysWire,
    transport,
    {
      create: ({ password, strength }) =>
        wiping([password], async () => {
          const secret = newSecret(deps.randomBytes)
          return wiping([secret], () => keys.encrypt(secret, password, strength))
        }),
      import: ({ secret, password, strength }) =>
        wiping([secret, password], () => keys.encrypt(secret, password, strength)),
      reencrypt: (input) =>
        wiping([input.password, input.newPassword], async () => {
          const secret = await keys.open(input)
          return wiping([secret], () => keys.encrypt(secret, input.newPassword, input.strength))
        }),
      sign: (input) =>
        wiping([input.password], async () => {
          // First: what can't be read needs no key.
          const { digest } = contentOf(input)
          const secret = await keys.open(input, input.alone ? 'thread' : 'pool')
          return wiping([secret], async () => ({ signature: provenSignature(digest, secret, input.address) }))
        }),
      verify: (input) =>
        wiping([input.password], async () => {
          wipe(await keys.open(input))
          return {}
        }),
      unlock: (input) =>
        wiping([input.password], async () => {
          unlocked.keep(input.address, await keys.open(input))
          return {}
        }),
      signUnlocked: (input) => {
        const { digest } = contentOf(input)
        return unlocked.use(input.address, (secret) => ({
          signature: provenSignature(digest, secret, input.address),
        }))
      },
      lock: ({ address }) => {
        if (address === null) keys.dropWaiting()
        unlocked.lock(address)
        return {}
      },
    },
    { log: deps.log, deny: trustedPeer },
  )
}

/** Opens and makes key files, one derivation at a time where they are heavy. */
class KeyHolder {
  readonly #deps: ServeKeysDeps
  readonly #gate = new DerivationGate()
  readonly #attempts: AttemptLimit

  constructor(deps: ServeKeysDeps) {
    this.#deps = deps
    this.#attempts = new AttemptLimit(deps.clock)
  }

  dropWaiting(): void {
    this.#gate.dropWaiting()
  }

  async encrypt(
    secret: Uint8Array,
    password: Uint8Array,
    strength: KdfStrength,
  ): Promise<{ address: string; keyFile: string }> {
    const { randomBytes } = this.#deps
    const address = addressOfSecret(secret)
    const kdf = newKdfParams(strength, randomBytes(32))
    const derived = await this.#gate.run(kdfWeightBytes(kdf), () => deriveKey(kdf, password))
    try {
      return { address, keyFile: makeKeyFile({ secret, derived, kdf, iv: randomBytes(16) }) }
    } finally {
      wipe(derived)
    }
  }

  /** The private key; the caller wipes it. */
  async open(input: FileAndPassword, place: 'pool' | 'thread' = 'pool'): Promise<Uint8Array> {
    const presale = readPresaleWallet(input.keyFile)
    if (presale !== null) return openPresaleWallet(presale, input.password)
    const file = parseKeyFile(input.keyFile)
    const claimed = input.address ?? file.address
    if (claimed !== file.address) throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: claimed ?? '' })
    const name = claimed ?? 'a file without an address'
    this.#attempts.check(name)
    const derived = await this.#gate.run(kdfWeightBytes(file.kdf), async () => {
      this.#attempts.check(name) // applies to calls that waited together, too
      return deriveKey(file.kdf, input.password, place)
    })
    try {
      const secret = openKeyFile(file, derived)
      this.#attempts.succeeded(name)
      return secret
    } catch (error) {
      if (hasCode(error, 'KEYSTORE_WRONG_PASSWORD')) this.#attempts.failed(name)
      throw error
    } finally {
      wipe(derived)
    }
  }
}

/** @throws KeystoreError KEYSTORE_CONTENT_INVALID */
function contentOf({ address, content }: { readonly address: string; readonly content: string }): ReadContent {
  try {
    return readContent(address, signedContentSchema.parse(JSON.parse(content)))
  } catch (cause) {
    throw new KeystoreError('KEYSTORE_CONTENT_INVALID', undefined, { cause })
  }
}

async function wiping<T>(secrets: readonly Uint8Array[], run: () => Promise<T>): Promise<T> {
  try {
    return await run()
  } finally {
    for (const secret of secrets) wipe(secret)
  }
}

/** A signature that doesn't recover to its account (a computation fault) could reveal the key: it never leaves. */
function provenSignature(digest: Uint8Array, secret: Uint8Array, address: string): Uint8Array<ArrayBuffer> {
  const signature = signDigest(digest, secret)
  if (recoverAddress(digest, signature) === address) return signature
  throw new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address })
}

function newSecret(randomBytes: (length: number) => Uint8Array): Uint8Array {
  for (;;) {
    const secret = new Uint8Array(randomBytes(32))
    if (isSecretKey(secret)) return secret
  }
}
