// The key worker's side: derives, decrypts, hashes, signs, wipes. Private keys exist only inside these functions.
import { secretCopy, wipe } from '../../base/bytes'
import type { Disposable } from '../../base/disposable'
import { hasCode } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { type Clock, MINUTE_MS } from '../../base/time'
import type { Handlers, Transport } from '../../base/wire/define'
import { serveWire, trustedPeer, type WireServer } from '../../base/wire/server'
import { KeystoreError } from '../errors'
import { signedContentSchema } from '../model/signed-content'
import { VaultKeeper, type VaultKeeperDeps } from '../vault-keeper'
import { ApprovalGate } from './approval-gate'
import { AttemptLimit } from './attempt-limit'
import { type ReadContent, readContent } from './content-digest'
import { deriveKey, type KdfStrength, kdfWeightBytes } from './kdf'
import { type KeysWire, keysWire } from './keys-wire'
import { ScryptLimiter } from './scrypt-limiter'
import { addressOfSecret, isSecretKey, recoverAddress, signDigest } from './secret-key'
import { makeKeyFile, newKdfParams, openKeyFile, openPresaleWallet, parseKeyFile, readPresaleWallet } from './v3-file'

/** How long a key stays unlocked, and whose approvals it signs. */
interface Lease {
  /** Public key of the page that unlocked it, hex. */
  readonly page: string
  /** UTC ms */
  readonly until: number
  /** The same by the clock that nobody sets; whichever comes first. */
  readonly untilMonotonic: number
  readonly timer: Disposable
}

/** A key that stays unlocked; `lease` null: by configuration, for everything and until it is locked. */
interface UnlockedKey {
  readonly secret: Uint8Array
  readonly lease: Lease | null
}

/** Keys that stay unlocked because the configuration or the user keeps their accounts unlocked. */
class UnlockedKeys {
  readonly #clock: Clock
  readonly #keys = new Map<string, UnlockedKey>()

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** By configuration. @param secret 32 bytes, owned by this object from now on */
  keep(address: string, secret: Uint8Array): void {
    this.lock(address)
    this.#keys.set(address, { secret, lease: null })
  }

  /** For one page. A longer time of the same page stays. @param secret owned by this object from now on */
  lend(
    address: string,
    secret: Uint8Array,
    { page, minutes }: { readonly page: string; readonly minutes: number },
  ): void {
    const before = this.#present(address)?.lease ?? null
    const [until, untilMonotonic] = [this.#clock.now(), this.#clock.monotonic()].map((now) => now + minutes * MINUTE_MS)
    if (until === undefined || untilMonotonic === undefined || (before?.page === page && before.until > until)) {
      wipe(secret)
      return
    }
    this.lock(address)
    const timer = this.#clock.setTimeout(() => this.#present(address), minutes * MINUTE_MS)
    this.#keys.set(address, { secret, lease: { page, until, untilMonotonic, timer } })
  }

  /** @param run with the page whose approval it takes; null = none @throws KeystoreError KEYSTORE_NOT_UNLOCKED */
  use<T>(address: string, run: (secret: Uint8Array, page: string | null) => T): T {
    const found = this.#present(address)
    if (found === null) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
    return run(found.secret, found.lease?.page ?? null)
  }

  /** Wipes one key, or all for null. */
  lock(address: string | null): void {
    for (const [known, { secret, lease }] of [...this.#keys]) {
      if (address !== null && known !== address) continue
      lease?.timer.dispose()
      wipe(secret)
      this.#keys.delete(known)
    }
  }

  /** Locks it when its time is over. */
  #present(address: string): UnlockedKey | null {
    const found = this.#keys.get(address) ?? null
    const lease = found?.lease ?? null
    const isOver =
      lease !== null && (this.#clock.now() >= lease.until || this.#clock.monotonic() >= lease.untilMonotonic)
    if (!isOver) return found
    this.lock(address)
    return null
  }
}

/** What the worker's thread gets from its platform. */
interface ServeKeysDeps {
  readonly log: Logger
  readonly clock: Clock
  /** Cryptographically strong; the worker entry passes node:crypto's. */
  readonly randomBytes: (length: number) => Uint8Array
  /** By which policies count; missing: the clock's own, without a start of the machine. */
  readonly uptime?: VaultKeeperDeps['uptime']
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
  const unlocked = new UnlockedKeys(deps.clock)
  const gate = new ApprovalGate()
  const vault = new VaultKeeper({
    uptime: { ms: () => deps.clock.monotonic(), boot: null },
    ...deps,
    unseal: (sealed, content) => gate.open(sealed, content).password,
    verify: (key) => wiping([key.password], async () => wipe(await keys.open(key))),
  })
  transport.onClose(() => {
    unlocked.lock(null)
    vault.close()
  })
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
      receiver: () => ({ receiver: gate.receiver }),
      ...approvedSigning({ keys, unlocked, gate }),
      ...vault.handlers,
      ...storedSigning(keys, vault),
      lock: ({ address }) => {
        if (address === null) keys.dropWaiting()
        unlocked.lock(address)
        return {}
      },
    },
    { log: deps.log, deny: trustedPeer },
  )
}

/** Signatures with stored passwords. */
function storedSigning(keys: KeyHolder, vault: VaultKeeper): Pick<Handlers<KeysWire>, 'signStored'> {
  return {
    signStored: async (input) => {
      const { digest, isTransaction } = contentOf(input)
      const { password, undo, done } = vault.takePassword({ ...input, digest, isTransaction })
      return wiping([password], async () => {
        try {
          const secret = await keys.open({ ...input, password }, input.alone ? 'thread' : 'pool')
          const signature = await wiping([secret], async () => provenSignature(digest, secret, input.address))
          done()
          return { signature }
        } catch (error) {
          undo()
          throw error
        }
      })
    },
  }
}

interface ApprovedSigning {
  readonly keys: KeyHolder
  readonly unlocked: UnlockedKeys
  readonly gate: ApprovalGate
}

/** Signatures of what a page has approved: by a sealed password, or by a token for an unlocked account. */
function approvedSigning({
  keys,
  unlocked,
  gate,
}: ApprovedSigning): Pick<Handlers<KeysWire>, 'signSealed' | 'signUnlocked'> {
  return {
    signSealed: async ({ sealed, ...input }) => {
      const { digest, approvalHash } = contentOf(input)
      const { password, statement } = gate.open(sealed, approvalHash())
      return wiping([password], async () => {
        const secret = await keys.open({ ...input, password }, input.alone ? 'thread' : 'pool')
        return wiping([secret], async () => {
          const signature = provenSignature(digest, secret, input.address)
          const { page, keepMinutes: minutes } = statement
          if (page !== null && minutes > 0) unlocked.lend(input.address, secretCopy(secret), { page, minutes })
          return { signature }
        })
      })
    },
    signUnlocked: (input) => {
      const { digest, approvalHash } = contentOf(input)
      return unlocked.use(input.address, (secret, page) => {
        if (page !== null) gate.accept(input.token, page, approvalHash())
        return { signature: provenSignature(digest, secret, input.address) }
      })
    },
  }
}

/** Opens and makes key files, one derivation at a time where they are heavy. */
class KeyHolder {
  readonly #deps: ServeKeysDeps
  readonly #limiter = new ScryptLimiter()
  readonly #attempts: AttemptLimit

  constructor(deps: ServeKeysDeps) {
    this.#deps = deps
    this.#attempts = new AttemptLimit(deps.clock)
  }

  dropWaiting(): void {
    this.#limiter.dropWaiting()
  }

  async encrypt(
    secret: Uint8Array,
    password: Uint8Array,
    strength: KdfStrength,
  ): Promise<{ address: string; keyFile: string }> {
    const { randomBytes } = this.#deps
    const address = addressOfSecret(secret)
    const kdf = newKdfParams(strength, randomBytes(32))
    const derived = await this.#limiter.run(kdfWeightBytes(kdf), () => deriveKey(kdf, password))
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
    const derived = await this.#limiter.run(kdfWeightBytes(file.kdf), async () => {
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
