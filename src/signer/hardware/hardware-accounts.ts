// The list of device accounts: a file of addresses and paths without secrets, so that they are known while the device
// is unplugged. Several processes may write it; it is read again when it changed.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { isSystemCode, messageOf } from '../../base/errors'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import type { LowerAddress } from '../address'
import { SignerError } from '../errors'
import { withFileLock } from '../file-lock'
import type { HardwareAccount } from './hardware-wallet'

const MAX_ACCOUNTS = 1_000
const MAX_BYTES = 1_000_000

const bookSchema = z.object({
  version: z.literal(1),
  accounts: z
    .array(
      z.object({
        kind: z.enum(['ledger', 'airgap']),
        address: z.string().regex(/^0x[0-9a-f]{40}$/),
        path: z.string().regex(/^m(?:\/\d{1,10}'?){1,10}$/),
        fingerprint: z
          .string()
          .regex(/^[0-9a-f]{8}$/)
          .exactOptional(),
      }),
    )
    .max(MAX_ACCOUNTS),
})

interface HardwareAccountsDeps {
  readonly clock: Clock
}

/** Throws SignerError SIGNER_HARDWARE_FILE; an unreadable file is never overwritten. */
export class HardwareAccounts {
  #accounts: readonly HardwareAccount[] = []
  #stamp = ''

  constructor(
    private readonly file: string,
    private readonly deps: HardwareAccountsDeps,
  ) {}

  /** As last read, in the order in which they were added. */
  accounts(): readonly HardwareAccount[] {
    return this.#accounts
  }

  /** @returns whether the list changed */
  async refresh(): Promise<boolean> {
    const stamp = await this.#stampNow()
    if (stamp === this.#stamp) return false
    this.#accounts = await this.#read()
    this.#stamp = stamp
    return true
  }

  /** A known address gets the new path. On disk when it resolves. */
  async add(account: HardwareAccount): Promise<void> {
    await this.#change((accounts) => [...accounts.filter(({ address }) => address !== account.address), account])
  }

  /** @returns false when it wasn't in the list */
  async remove(address: LowerAddress): Promise<boolean> {
    let wasThere = false
    await this.#change((accounts) => {
      const others = accounts.filter((each) => each.address !== address)
      wasThere = others.length < accounts.length
      return others
    })
    return wasThere
  }

  async #change(change: (accounts: readonly HardwareAccount[]) => readonly HardwareAccount[]): Promise<void> {
    try {
      await mkdir(dirname(this.file), { recursive: true, mode: 0o700 })
    } catch (cause) {
      throw this.#failure(messageOf(cause), cause)
    }
    const failure = (reason: string, cause?: unknown): Error => this.#failure(reason, cause)
    await withFileLock({ file: `${this.file}.lock`, clock: this.deps.clock, failure }, async () => {
      const accounts = change(await this.#read())
      if (accounts.length > MAX_ACCOUNTS) throw failure(`it holds ${MAX_ACCOUNTS} accounts, which is the limit`)
      try {
        await replaceDurably(this.file, JSON.stringify({ version: 1, accounts }, null, 2))
      } catch (cause) {
        throw failure(messageOf(cause), cause)
      }
    })
    await this.refresh()
  }

  async #read(): Promise<readonly HardwareAccount[]> {
    try {
      const text = await readFile(this.file, 'utf8')
      if (text.length > MAX_BYTES) throw new Error(`${text.length} characters, want up to ${MAX_BYTES}`)
      return bookSchema.parse(JSON.parse(text)).accounts
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return []
      throw this.#failure(messageOf(cause).slice(0, 300), cause)
    }
  }

  /** Changes with each write: files are replaced, never written in place. */
  async #stampNow(): Promise<string> {
    try {
      const { ino, size, mtimeMs } = await stat(this.file)
      return `${ino} ${size} ${mtimeMs}`
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return ''
      throw this.#failure(messageOf(cause), cause)
    }
  }

  #failure(reason: string, cause?: unknown): Error {
    return new SignerError('SIGNER_HARDWARE_FILE', { file: this.file, reason }, { cause })
  }
}
