// Method names by selector: the shipped set, and names supplied by callers. A caller can supply any name whose hash
// matches, so those are marked.
import { open, readFile, rm } from 'node:fs/promises'
import { z } from 'zod'
import shipped from '../../../resources/selectors/4bytes.json?raw'
import { isSystemCode, messageOf, reasonOf } from '../../base/errors'
import { toBareHex } from '../../base/hex'
import type { Logger } from '../../base/logger'
import { renamePatiently } from '../../files/patient-rename'
import { SignerError } from '../errors'

/** The one method known to the recordings of clef. */
const MINIMAL: Readonly<Record<string, readonly string[]>> = { a9059cbb: ['transfer(address,uint256)'] }
const MAX_LEARNED = 10_000
/** Characters per name: longer ones wouldn't be read back. */
const LONGEST_NAME = 2_048

const shippedFile = z.record(z.string().regex(/^[0-9a-f]{8}$/), z.array(z.string()))
const customFile = z.record(z.string().regex(/^(?:0x)?[0-9a-fA-F]{8}$/), z.string().max(LONGEST_NAME))

export interface SelectorOptions {
  readonly builtin: 'full' | 'minimal'
  /** File of learned names (`{"a9059cbb":"transfer(address,uint256)"}`); null = nothing is learned or read. */
  readonly customFile: string | null
}

interface KnownMethods {
  readonly signatures: readonly string[]
  readonly isLearned: boolean
}

export class SelectorDatabase {
  #builtin: Readonly<Record<string, readonly string[]>> = {}
  readonly #learned = new Map<string, string>()
  #writing: Promise<void> = Promise.resolve()

  constructor(
    private readonly options: SelectorOptions,
    private readonly deps: { readonly log: Logger },
  ) {}

  /** Reads both sets; a missing custom file is empty. @throws SignerError SIGNER_SELECTORS_UNREADABLE */
  async load(): Promise<void> {
    const { builtin, customFile: file } = this.options
    this.#builtin = builtin === 'minimal' ? MINIMAL : shippedFile.parse(JSON.parse(shipped))
    if (file === null) return
    try {
      const read = customFile.parse(JSON.parse(await readFile(file, 'utf8')))
      for (const [selector, signature] of Object.entries(read)) {
        this.#learned.set(selector.replace(/^0x/, '').toLowerCase(), signature)
      }
    } catch (error) {
      if (isSystemCode(error, 'ENOENT')) return
      throw new SignerError('SIGNER_SELECTORS_UNREADABLE', { file, reason: reasonOf(error) }, { cause: error })
    }
  }

  /** @param selector at least 4 bytes, of which the first four count */
  find(selector: Uint8Array): KnownMethods | null {
    const key = toBareHex(selector.subarray(0, 4))
    const builtin = Object.hasOwn(this.#builtin, key) ? this.#builtin[key] : undefined
    if (builtin !== undefined) return { signatures: builtin, isLearned: false }
    const learned = this.#learned.get(key)
    return learned === undefined ? null : { signatures: [learned], isLearned: true }
  }

  /** Stores a canonical name from a caller that matched its data. Known selectors keep theirs. */
  learn(selector: Uint8Array, signature: string): void {
    if (this.options.customFile === null || this.find(selector) !== null) return
    if (this.#learned.size >= MAX_LEARNED || signature.length > LONGEST_NAME) return
    this.#learned.set(toBareHex(selector.subarray(0, 4)), signature)
    this.#writing = this.#writing.then(() => this.#write(this.options.customFile ?? ''))
  }

  /** Resolves when all learned names are on disk. */
  flush(): Promise<void> {
    return this.#writing
  }

  async #write(file: string): Promise<void> {
    const partial = `${file}.partial`
    try {
      await rm(partial, { force: true })
      const handle = await open(partial, 'wx', 0o600)
      try {
        await handle.writeFile(JSON.stringify(Object.fromEntries(this.#learned)), 'utf8')
      } finally {
        await handle.close()
      }
      await renamePatiently(partial, file)
    } catch (error) {
      this.deps.log.warn('learned method names could not be written', { file, error: messageOf(error) })
    }
  }
}
