// The signer's side of the key worker: starts it on demand, transfers passwords as separate buffers, and restarts it
// after a crash.

import { z } from 'zod'
import type { ApprovalToken, SealedPassword } from '../../base/approvals'
import { secretCopy } from '../../base/bytes'
import { HeadframeError, messageOf } from '../../base/errors'
import type { LowerAddress } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { createWireClient, type WireClient } from '../../base/wire/client'
import { type CallName, type ParamsOf, type ResultOf, type Transport, WireError } from '../../base/wire/define'
import { KeystoreError, SignerError, VaultError } from '../errors'
import type { ToSign } from '../model/signed-content'
import { type GivenPassword, plainPassword, type VaultPort } from '../vault-wire'
import { checkKdfLimits, type KdfStrength } from './kdf'
import { type KeysWire, keysWire } from './keys-wire'
import { recoverAddress } from './secret-key'
import { FOREIGN_TEXTS, notBare, phraseInvalid } from './seed-phrase'
import { parseKeyFile, readPresaleWallet } from './v3-file'

const LONGEST_WAIT_SECONDS = 60

/** All data it may return with a code. */
export const keyWorkerErrorData = z
  .object({
    waitSeconds: z.number().int().min(1).max(LONGEST_WAIT_SECONDS),
    /** Of a seed phrase, from 1: it isn't on the list. */
    word: z.number().int().min(1).max(24),
    format: z
      .number()
      .int()
      .min(0)
      .max(FOREIGN_TEXTS.length - 1),
  })
  .partial()

/** What is wrong with it is said on this side. @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED */
function checkKeyFile(text: string): void {
  checkKdfLimits(parseKeyFile(text).kdf)
}

/** With message and data from this side. @param call its name @param address of its account, empty without one */
function inOwnWords(error: unknown, call: string, address: string): unknown {
  if (!(error instanceof HeadframeError)) return error
  const ours = makers[error.code]
  return ours === undefined ? error : ours({ call, address, data: error.data })
}

interface Failure {
  readonly call: string
  readonly address: string
  readonly data: unknown
}

/** Messages are made on this side, so that a compromised worker has no text in which to hide a key. */
const makers: Readonly<Record<string, (failure: Failure) => HeadframeError>> = {
  KEYSTORE_WRONG_PASSWORD: () => new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined),
  KEYSTORE_KEY_MISMATCH: ({ address }) => new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address }),
  KEYSTORE_SECRET_INVALID: () => new KeystoreError('KEYSTORE_SECRET_INVALID', undefined),
  KEYSTORE_LOCKED: () => new KeystoreError('KEYSTORE_LOCKED', undefined),
  KEYSTORE_NOT_UNLOCKED: ({ address }) => new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address }),
  KEYSTORE_TOO_MANY_TRIES: ({ address, data }) => {
    const { waitSeconds = LONGEST_WAIT_SECONDS } = keyWorkerErrorData.safeParse(data).data ?? {}
    return new KeystoreError('KEYSTORE_TOO_MANY_TRIES', { address, waitSeconds })
  },
  KEYSTORE_PHRASE_INVALID: ({ data }) => phraseInvalid(keyWorkerErrorData.safeParse(data).data?.word ?? null),
  KEYSTORE_FILE_INVALID: ({ call, data }) => {
    if (call === 'import') return notBare(keyWorkerErrorData.safeParse(data).data?.format ?? null)
    return new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'the key worker does not read it' })
  },
  KEYSTORE_FILE_UNSUPPORTED: () =>
    new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: 'what the key worker does not know' }),
  KEYSTORE_CONTENT_INVALID: () => new KeystoreError('KEYSTORE_CONTENT_INVALID', undefined),
  KEYSTORE_APPROVAL_UNREADABLE: () => new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined),
  KEYSTORE_APPROVAL_OTHER: () => new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined),
  KEYSTORE_APPROVAL_USED: () => new KeystoreError('KEYSTORE_APPROVAL_USED', undefined),
  KEYSTORE_NOT_ALLOWED: ({ address }) => new KeystoreError('KEYSTORE_NOT_ALLOWED', { address }),
  SIGNER_PASSWORD_POLICY: () =>
    new SignerError('SIGNER_PASSWORD_POLICY', { reason: 'want 10 or more printable ASCII characters, no backslash' }),
  SIGNER_VAULT_CLOSED: () => new VaultError('SIGNER_VAULT_CLOSED', undefined),
  SIGNER_MASTER_PASSWORD: () => new VaultError('SIGNER_MASTER_PASSWORD', undefined),
  SIGNER_MASTER_NEEDED: () => new VaultError('SIGNER_MASTER_NEEDED', undefined),
  SIGNER_POLICY_CHANGED: () => new VaultError('SIGNER_POLICY_CHANGED', { id: '' }),
  SIGNER_POLICY_INVALID: () => new VaultError('SIGNER_POLICY_INVALID', { reason: 'the key worker does not read them' }),
  SIGNER_VAULT_UNUSABLE: () =>
    new VaultError('SIGNER_VAULT_UNUSABLE', { file: '', reason: 'a value was changed or belongs to another vault' }),
  CONTRACT_FAILED: ({ call }) => new WireError('CONTRACT_FAILED', { name: call }),
}

/** All codes it may return; anything else counts as CONTRACT_FAILED. */
export const KEY_WORKER_CODES = Object.keys(makers) as [string, ...string[]]

/** A key made by the worker; its private part never left it. */
export interface NewKeyFile {
  readonly address: LowerAddress
  /** Text of the encrypted file; not stored yet. */
  readonly keyFile: string
}

/** UTF-8 bytes, which are copied and which the caller wipes; or sealed by a page: only the worker opens it. */
export type Password = Uint8Array | SealedPassword

interface KeyInFile {
  readonly keyFile: string
  readonly address: LowerAddress
}

interface KeyAndPassword extends KeyInFile {
  /** Copied; the caller wipes the original. */
  readonly password: Uint8Array
}

type OpeningParams = Pick<ParamsOf<KeysWire, 'sign'>, 'keyFile' | 'address' | 'content' | 'alone'>

/** Buffers to transfer; null for what isn't a plain password. */
function plainBytes(given: unknown): readonly Uint8Array<ArrayBuffer>[] | null {
  const isPlain = typeof given === 'object' && given !== null && 'kind' in given && given.kind === 'plain'
  return isPlain && 'password' in given && given.password instanceof Uint8Array
    ? [given.password as Uint8Array<ArrayBuffer>]
    : null
}

function givenOf(password: Password): GivenPassword {
  return password instanceof Uint8Array ? plainPassword(secretCopy(password)) : password
}

/** Every call @throws KeystoreError codes of the worker (of a signature: KEYSTORE_SIGNATURE_WRONG), WireError CONTRACT_CLOSED when the worker dies under it. */
export class KeyClient {
  readonly #open: () => Transport
  #wire: WireClient<KeysWire> | null = null
  /** Signatures that are being made with key files. */
  #openings = 0
  readonly vault: VaultPort = {
    call: (name, params) => {
      const given = 'password' in params ? plainBytes(params.password) : null
      return this.#call(name, params as never, given ?? []) as never
    },
  }
  /** Called when the worker has ended: it has forgotten what was unlocked, and the vault. */
  onLost: () => void = () => undefined

  constructor(open: () => Transport) {
    this.#open = open
  }

  async create(password: Password, strength: KdfStrength): Promise<NewKeyFile> {
    return this.#making('create', { password: givenOf(password), strength })
  }

  /** @param secret 32 bytes; or sealed the text of a key or a seed phrase */
  async import(secret: Password, password: Password, strength: KdfStrength): Promise<NewKeyFile> {
    return this.#making('import', { secret: givenOf(secret), password: givenOf(password), strength })
  }

  /** Re-encrypts a file's key with another password; the file itself is unchanged. @param change what the two are for */
  async reencrypt(
    change: 'import' | 'password',
    key: { readonly keyFile: string; readonly address: LowerAddress | null },
    passwords: { readonly old: Password; readonly next: Password },
    strength: KdfStrength,
  ): Promise<NewKeyFile> {
    if (readPresaleWallet(key.keyFile) === null) checkKeyFile(key.keyFile)
    const given = { password: givenOf(passwords.old), newPassword: givenOf(passwords.next) }
    return this.#making('reencrypt', { change, keyFile: key.keyFile, address: key.address, ...given, strength })
  }

  #making<N extends 'create' | 'import' | 'reencrypt'>(name: N, params: ParamsOf<KeysWire, N>): Promise<NewKeyFile> {
    const given = Object.values(params).flatMap((each: unknown) => plainBytes(each) ?? [])
    return this.#call(name, params, given)
  }

  /** @returns 65 bytes: r, s, parity */
  sign({ password, ...key }: KeyAndPassword, what: ToSign): Promise<Uint8Array> {
    return this.#signing(key, what, (opening) => {
      const own = secretCopy(password)
      return this.#call('sign', { ...opening, password: own }, [own])
    })
  }

  /** Like `sign`. @param sealed by a page, for this content: opened by the worker only */
  signSealed(key: KeyInFile, sealed: SealedPassword, what: ToSign): Promise<Uint8Array> {
    return this.#signing(key, what, (opening) => this.#call('signSealed', { ...opening, sealed }))
  }

  /** Like `sign`, with a stored password that only the worker opens. @throws KeystoreError also KEYSTORE_NOT_ALLOWED */
  signStored(
    key: KeyInFile,
    stored: Omit<ParamsOf<KeysWire, 'signStored'>, keyof OpeningParams>,
    what: ToSign,
  ): Promise<Uint8Array> {
    return this.#signing(key, what, (opening) => this.#call('signStored', { ...opening, ...stored }))
  }

  /** @param ask what signs with the opened file; its answer is checked */
  async #signing(
    { keyFile, address }: KeyInFile,
    { content, digest }: ToSign,
    ask: (opening: OpeningParams) => Promise<{ readonly signature: Uint8Array }>,
  ): Promise<Uint8Array> {
    checkKeyFile(keyFile)
    const alone = this.#openings === 0
    this.#openings += 1
    try {
      const { signature } = await ask({ keyFile, address, content: JSON.stringify(content), alone })
      return this.#checked(signature, digest, address)
    } finally {
      this.#openings -= 1
    }
  }

  /** Public key of the running worker, for which pages seal; hex. */
  async receiver(): Promise<string> {
    return (await this.#call('receiver', {})).receiver
  }

  async verify({ keyFile, address, password }: KeyInFile & { readonly password: Password }) {
    checkKeyFile(keyFile)
    const given = givenOf(password)
    await this.#call('verify', { keyFile, address, password: given }, plainBytes(given) ?? [])
  }

  /** Keeps the key unlocked in the worker until `lock`, or until the worker ends. */
  async unlock({ keyFile, address, password }: KeyAndPassword): Promise<void> {
    checkKeyFile(keyFile)
    const own = secretCopy(password)
    await this.#call('unlock', { keyFile, address, password: own }, [own])
  }

  /**
   * Only after an approval was recorded: see UnlockedAccounts.
   * @param token of the page that unlocked the account; null = the configuration did
   * @returns 65 bytes: r, s, parity
   * @throws KeystoreError KEYSTORE_NOT_UNLOCKED, also after the worker was lost
   */
  async signUnlocked(address: LowerAddress, what: ToSign, token: ApprovalToken | null = null): Promise<Uint8Array> {
    const content = JSON.stringify(what.content)
    const { signature } = await this.#call('signUnlocked', { address, content, token })
    return this.#checked(signature, what.digest, address)
  }

  async lock(address: LowerAddress): Promise<void> {
    await this.#call('lock', { address })
  }

  /**
   * Starts the worker, so that the first signature doesn't wait for it. Failures are logged; listing and rejecting
   * still work, and each call that needs a key reports the failure again.
   */
  open(log: Logger): void {
    try {
      this.#client()
    } catch (error) {
      log.warn('keys cannot be opened', { reason: messageOf(error) })
    }
  }

  /** Drops waiting derivations and terminates the worker; open calls fail with CONTRACT_CLOSED. */
  close(): void {
    const wire = this.#wire
    this.#wire = null
    wire?.call('lock', { address: null }).catch(() => undefined)
    void wire?.close()
  }

  /** @param given buffers transferred to the worker */
  async #call<N extends CallName<KeysWire>>(
    name: N,
    params: ParamsOf<KeysWire, N>,
    given: readonly Uint8Array<ArrayBuffer>[] = [],
  ): Promise<ResultOf<KeysWire, N>> {
    try {
      return await this.#client().call(name, params, { transfer: given.map(({ buffer }) => buffer) })
    } catch (error) {
      const address = 'address' in params && typeof params.address === 'string' ? params.address : ''
      throw inOwnWords(error, name, address)
    }
  }

  /** A worker that signs something else, or with another key, is compromised: it is terminated. */
  #checked(signature: Uint8Array, digest: Uint8Array, address: LowerAddress): Uint8Array {
    if (recoverAddress(digest, signature) === address) return signature
    this.close()
    this.onLost()
    throw new KeystoreError('KEYSTORE_SIGNATURE_WRONG', { address })
  }

  #client(): WireClient<KeysWire> {
    if (this.#wire !== null) return this.#wire
    const wire = createWireClient(keysWire, this.#open())
    wire.onClose(() => {
      if (this.#wire !== wire) return
      this.#wire = null
      this.onLost()
    })
    this.#wire = wire
    return wire
  }
}
