// A file of encrypted values by name. AES-256-GCM with the name as additional data, so that values can't be swapped;
// the names themselves are readable. Format: prlx signer/storage/aes_gcm_storage.go.
import { createCipheriv, createDecipheriv } from 'node:crypto'
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { secretCopy, wipe } from '../../base/bytes'
import { isSystemCode, messageOf } from '../../base/errors'
import { replaceDurably } from '../../files/durable-file'
import { VaultError } from '../errors'

const IV_BYTES = 12
const TAG_BYTES = 16
const MAX_FILE_LENGTH = 16 * 1024 * 1024

const storedFile = z.record(z.string(), z.object({ iv: z.string(), c: z.string() }))

type Stored = z.infer<typeof storedFile>

/** File and key. */
interface EncryptedStoreOptions {
  /** Created at the first write, mode 0600; its folder too, mode 0700. */
  readonly file: string
  /** 32 bytes; kept. */
  readonly key: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
}

/** Read again for each call: another program may change the file. Changes are serialized. */
export class EncryptedStore {
  readonly #options: EncryptedStoreOptions
  #changes: Promise<void> = Promise.resolve()

  constructor(options: EncryptedStoreOptions) {
    this.#options = options
  }

  /**
   * A value's bytes, owned by the caller; null when there is none.
   * @throws VaultError SIGNER_VAULT_UNUSABLE, also for a value that was modified or moved to another name
   */
  async get(name: string): Promise<Uint8Array | null> {
    const stored = await this.#read()
    return Object.hasOwn(stored, name) ? this.#open(name, stored[name]) : null
  }

  /** All values. @throws VaultError SIGNER_VAULT_UNUSABLE */
  async all(): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map(Object.entries(await this.#read()).map(([name, value]) => [name, this.#open(name, value)]))
  }

  /**
   * Sets values, or removes them with null, in one write.
   * @throws VaultError SIGNER_VAULT_UNUSABLE
   */
  change(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const done = this.#changes.then(() => this.#change(changes))
    this.#changes = done.catch(() => undefined)
    return done
  }

  async #change(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const stored = new Map(Object.entries(await this.#read()))
    for (const [name, value] of changes) {
      if (value === null) stored.delete(name)
      else stored.set(name, this.#seal(name, value))
    }
    await this.#write(JSON.stringify(Object.fromEntries(stored)))
  }

  #seal(name: string, value: Uint8Array): Stored[string] {
    const { key, randomBytes } = this.#options
    const iv = randomBytes(IV_BYTES)
    const cipher = createCipheriv('aes-256-gcm', key, iv).setAAD(Buffer.from(name))
    const sealed = Buffer.concat([cipher.update(value), cipher.final(), cipher.getAuthTag()])
    return { iv: Buffer.from(iv).toString('base64'), c: sealed.toString('base64') }
  }

  #open(name: string, value: Stored[string] | undefined): Uint8Array {
    const iv = Buffer.from(value?.iv ?? '', 'base64')
    const sealed = Buffer.from(value?.c ?? '', 'base64')
    if (iv.length !== IV_BYTES || sealed.length < TAG_BYTES) throw this.#unusable(`the value of ${name} is incomplete`)
    const parts: Uint8Array[] = []
    try {
      const decipher = createDecipheriv('aes-256-gcm', this.#options.key, iv).setAAD(Buffer.from(name))
      decipher.setAuthTag(sealed.subarray(-TAG_BYTES))
      const begun = decipher.update(sealed.subarray(0, -TAG_BYTES))
      parts.push(begun)
      decipher.final() // a stream cipher: nothing is left to come
      return secretCopy(begun)
    } catch (cause) {
      throw this.#unusable(`the value of ${name} was changed or belongs to another vault`, cause)
    } finally {
      for (const part of parts) wipe(part)
    }
  }

  async #read(): Promise<Stored> {
    const { file } = this.#options
    try {
      const text = await readFile(file, 'utf8')
      if (text.length > MAX_FILE_LENGTH) throw new Error(`more than ${MAX_FILE_LENGTH} characters`)
      return storedFile.parse(JSON.parse(text))
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return {}
      throw this.#unusable(cause instanceof z.ZodError ? 'not in the form of a vault' : messageOf(cause), cause)
    }
  }

  async #write(text: string): Promise<void> {
    const { file } = this.#options
    try {
      await mkdir(dirname(file), { recursive: true, mode: 0o700 })
      await replaceDurably(file, text)
    } catch (cause) {
      throw this.#unusable(messageOf(cause), cause)
    }
  }

  #unusable(reason: string, cause?: unknown): Error {
    return new VaultError('SIGNER_VAULT_UNUSABLE', { file: this.#options.file, reason }, { cause })
  }
}
