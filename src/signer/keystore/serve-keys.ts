// The key worker's side: derives, decrypts, hashes, signs, wipes. Private keys exist only inside these functions.
import { approvedChangeHash, changeText } from '../../base/approvals'
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
import type { GivenPassword } from '../vault-wire'
import { ApprovalGate } from './approval-gate'
import { type ReadContent, readContent } from './content-digest'
import { requirePolicy } from './create-account'
import { AttemptLimit, ScryptLimiter } from './derivation-limits'
import { deriveKey, type KdfStrength, kdfWeightBytes } from './kdf'
import { type KeysWire, keysWire } from './keys-wire'
import { makeKeyFile } from './new-key-file'
import { addressOfSecret, isSecretKey, recoverAddress, signDigest } from './secret-key'
import { bareSecretOf, foreignText, notBare } from './seed-phrase'
import { newKdfParams, openKeyFile, openPresaleWallet, parseKeyFile, readPresaleWallet } from './v3-file'

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
  readonly #keys = new Map<string, UnlockedKey>()

  constructor(private readonly clock: Clock) {}

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
    const [until, untilMonotonic] = [this.clock.now(), this.clock.monotonic()].map((now) => now + minutes * MINUTE_MS)
    if (until === undefined || untilMonotonic === undefined || (before?.page === page && before.until > until)) {
      wipe(secret)
      return
    }
    this.lock(address)
    const timer = this.clock.setTimeout(() => this.#present(address), minutes * MINUTE_MS)
    this.#keys.set(address, { secret, lease: { page, until, untilMonotonic, timer } })
  }

  /** @param run with the page whose approval it takes; null = none @throws KeystoreError KEYSTORE_NOT_UNLOCKED */
  use<T>(address: string, run: (secret: Uint8Array, page: string | null) => T): T {
    const found = this.#present(address)
    if (found === null) throw new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address })
    return run(found.secret, found.lease?.page ?? null)
  }

  lock(address: string | null): void {
    for (const [known, { secret, lease }] of [...this.#keys]) {
      if (address !== null && known !== address) continue
      lease?.timer.dispose()
      wipe(secret)
      this.#keys.delete(known)
    }
  }

  #present(address: string): UnlockedKey | null {
    const found = this.#keys.get(address) ?? null
    const lease = found?.lease ?? null
    const isOver = lease !== null && (this.clock.now() >= lease.until || this.clock.monotonic() >= lease.untilMonotonic)
    if (!isOver) return found
    this.lock(address)
    return null
  }
}

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
  const held = { keys, unlocked, gate, vault }
  transport.onClose(() => {
    unlocked.lock(null)
    vault.close()
  })
  return serveWire(
    keysWire,
    transport,
    {
      ...keyMaking(held),
      sign: (input) =>
        wiping([input.password], async () => {
          // First: what can't be read needs no key.
          const { digest } = contentOf(input)
          return keys.sign(input, input.password, digest)
        }),
      unlock: (input) =>
        wiping([input.password], async () => {
          unlocked.keep(input.address, await keys.open(input))
        }),
      receiver: () => ({ receiver: gate.receiver }),
      ...approvedSigning(held),
      ...vault.handlers,
      ...storedSigning(held),
      lock: ({ address }) => {
        if (address === null) keys.dropWaiting()
        unlocked.lock(address)
      },
    },
    { log: deps.log, deny: trustedPeer },
  )
}

interface Held {
  readonly keys: KeyHolder
  readonly unlocked: UnlockedKeys
  readonly gate: ApprovalGate
  readonly vault: VaultKeeper
}

/** New, imported and changed key files, and the proof that one opens. */
function keyMaking({ keys, gate }: Held): Pick<Handlers<KeysWire>, 'create' | 'import' | 'reencrypt' | 'verify'> {
  /** Runs with the bytes of what was given, and wipes them. What is sealed is for this change, and all or none of it is. */
  const having = async <T>(
    change: object,
    given: readonly GivenPassword[],
    run: (first: Uint8Array, second: Uint8Array) => Promise<T>,
  ): Promise<T> => {
    const opened: Uint8Array[] = given.flatMap((each) => (each.kind === 'plain' ? [each.password] : []))
    return wiping(opened, async () => {
      // With one of the caller's own, it could read what the other one protects.
      if (opened.length > 0 && opened.length < given.length)
        throw new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined)
      const hash = approvedChangeHash(changeText(change))
      for (const each of given) if (each.kind === 'sealed') opened.push(gate.open(each, hash).password)
      const [first = new Uint8Array(0), second = new Uint8Array(0)] = opened
      return run(first, second)
    })
  }
  /** What the caller can't read is checked here. */
  const encrypt = (secret: Uint8Array, password: Uint8Array, kind: GivenPassword['kind'], strength: KdfStrength) => {
    if (kind === 'sealed') requirePolicy(password)
    return keys.encrypt(secret, password, strength)
  }
  return {
    create: ({ password, strength }) =>
      having({ change: 'create' }, [password], async (bytes) => {
        const secret = keys.newSecret()
        return wiping([secret], () => encrypt(secret, bytes, password.kind, strength))
      }),
    import: ({ secret, password, strength }) =>
      having({ change: 'import' }, [secret, password], async (given, bytes) => {
        const key = secret.kind === 'plain' ? given : secretOfSealed(given)
        if (key.length !== 32) throw new KeystoreError('KEYSTORE_SECRET_INVALID', undefined)
        return wiping([key], () => encrypt(key, bytes, password.kind, strength))
      }),
    reencrypt: ({ change, password, newPassword, ...input }) => {
      const told = change === 'import' ? { change } : { change, address: input.address }
      return having(told, [password, newPassword], async (old, next) => {
        const secret = await keys.open({ ...input, password: old })
        return wiping([secret], () => encrypt(secret, next, newPassword.kind, input.strength))
      })
    },
    verify: ({ password, ...input }) =>
      having({ change: 'open', address: input.address }, [password], async (bytes) => {
        wipe(await keys.open({ ...input, password: bytes }))
      }),
  }
}

/** @param bytes UTF-8 @throws KeystoreError KEYSTORE_PHRASE_INVALID, KEYSTORE_FILE_INVALID for any other text */
function secretOfSealed(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder().decode(bytes)
  const secret = bareSecretOf(text)
  if (secret === null) throw notBare(foreignText(text.trim()))
  return secret
}

function storedSigning({ keys, vault }: Held): Pick<Handlers<KeysWire>, 'signStored'> {
  return {
    signStored: async (input) => {
      const { digest, isTransaction } = contentOf(input)
      const { password, undo, done } = vault.takePassword({ ...input, digest, isTransaction })
      return wiping([password], async () => {
        try {
          const signed = await keys.sign(input, password, digest)
          done()
          return signed
        } catch (error) {
          undo()
          throw error
        }
      })
    },
  }
}

/** Signatures of what a page has approved: by a sealed password, or by a token for an unlocked account. */
function approvedSigning({ keys, unlocked, gate }: Held): Pick<Handlers<KeysWire>, 'signSealed' | 'signUnlocked'> {
  return {
    signSealed: async ({ sealed, ...input }) => {
      const { digest, approvalHash } = contentOf(input)
      const { password, statement } = gate.open(sealed, approvalHash())
      const { page, keepMinutes: minutes } = statement
      const lend = (secret: Uint8Array): void => {
        if (page !== null && minutes > 0) unlocked.lend(input.address, secretCopy(secret), { page, minutes })
      }
      return wiping([password], () => keys.sign(input, password, digest, lend))
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
  readonly #limiter = new ScryptLimiter()
  readonly #attempts: AttemptLimit

  constructor(private readonly deps: ServeKeysDeps) {
    this.#attempts = new AttemptLimit(deps.clock)
  }

  dropWaiting(): void {
    this.#limiter.dropWaiting()
  }

  newSecret(): Uint8Array {
    for (;;) {
      const secret = new Uint8Array(this.deps.randomBytes(32))
      if (isSecretKey(secret)) return secret
    }
  }

  async encrypt(
    secret: Uint8Array,
    password: Uint8Array,
    strength: KdfStrength,
  ): Promise<{ address: string; keyFile: string }> {
    const { randomBytes } = this.deps
    const address = addressOfSecret(secret)
    const kdf = newKdfParams(strength, randomBytes(32))
    const derive = () => this.#limiter.run(kdfWeightBytes(kdf), () => deriveKey(kdf, password))
    const derived = await derive()
    return wiping([derived], async () => {
      const keyFile = makeKeyFile({ secret, derived, kdf, iv: randomBytes(16) })
      // Derived anew: a file that doesn't open is a lost key.
      const again = await derive()
      return wiping([again], async () => {
        wipe(openKeyFile(parseKeyFile(keyFile), again))
        return { address, keyFile }
      })
    })
  }

  async sign(
    { keyFile, address, alone }: { readonly keyFile: string; readonly address: string; readonly alone: boolean },
    password: Uint8Array,
    digest: Uint8Array,
    signed: (secret: Uint8Array) => void = () => undefined,
  ): Promise<{ readonly signature: Uint8Array<ArrayBuffer> }> {
    const secret = await this.open({ keyFile, address, password }, alone ? 'thread' : 'pool')
    return wiping([secret], async () => {
      const signature = provenSignature(digest, secret, address)
      signed(secret)
      return { signature }
    })
  }

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
