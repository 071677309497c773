// A file of encrypted values by name; the names themselves are readable. This side of it keeps the file; who has the key
// opens the values.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { isSystemCode, messageOf } from '../../base/errors'
import { Mutex } from '../../base/mutex'
import { replaceDurably } from '../../files/durable-file'
import { VaultError } from '../errors'
import { openValue, readSealedValues, type SealedValue, sealValue } from './sealed-values'

const MAX_FILE_LENGTH = 16 * 1024 * 1024

/** The file without its key. Read again for each call: another program may change it. Changes are serialized. */
export class SealedFile {
  readonly #changes = new Mutex()

  /** @param file created at the first write, mode 0600; its folder too, mode 0700 */
  constructor(readonly file: string) {}

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  async get(name: string): Promise<SealedValue | null> {
    return (await this.read()).get(name) ?? null
  }

  /** Sets values, or removes them with null, in one write. @throws VaultError SIGNER_VAULT_UNUSABLE */
  change(changes: ReadonlyMap<string, SealedValue | null>): Promise<void> {
    return this.#changes.run(() => this.#change(changes))
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  async read(): Promise<Map<string, SealedValue>> {
    try {
      const text = await readFile(this.file, 'utf8')
      if (text.length > MAX_FILE_LENGTH) throw new Error(`more than ${MAX_FILE_LENGTH} characters`)
      return readSealedValues(text)
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return new Map()
      throw this.unusable(messageOf(cause), cause)
    }
  }

  unusable(reason: string, cause?: unknown): Error {
    return new VaultError('SIGNER_VAULT_UNUSABLE', { file: this.file, reason }, { cause })
  }

  async #change(changes: ReadonlyMap<string, SealedValue | null>): Promise<void> {
    const stored = await this.read()
    for (const [name, value] of changes) {
      if (value === null) stored.delete(name)
      else stored.set(name, value)
    }
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
      await replaceDurably(this.file, JSON.stringify(Object.fromEntries(stored)))
    } catch (cause) {
      throw this.unusable(messageOf(cause), cause)
    }
  }
}

interface EncryptedStoreOptions {
  readonly file: string
  /** 32 bytes; kept. */
  readonly key: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
}

/** A file whose values this side opens: what rule scripts stored. */
export class EncryptedStore {
  readonly #file: SealedFile

  constructor(private readonly options: EncryptedStoreOptions) {
    this.#file = new SealedFile(options.file)
  }

  /** All values. @throws VaultError SIGNER_VAULT_UNUSABLE, also for one that was modified or moved to another name */
  async all(): Promise<ReadonlyMap<string, Uint8Array>> {
    return new Map([...(await this.#file.read())].map(([name, value]) => [name, this.#open(name, value)]))
  }

  /** Sets values, or removes them with null, in one write. @throws VaultError SIGNER_VAULT_UNUSABLE */
  async change(changes: ReadonlyMap<string, Uint8Array | null>): Promise<void> {
    const { key, randomBytes } = this.options
    const sealed = [...changes].map(
      ([name, value]) => [name, value === null ? null : sealValue(key, name, { value, randomBytes })] as const,
    )
    await this.#file.change(new Map(sealed))
  }

  #open(name: string, value: SealedValue): Uint8Array {
    const opened = openValue(this.options.key, name, value)
    if (opened !== null) return opened
    throw this.#file.unusable(`the value of ${name} was changed or belongs to another vault`)
  }
}
