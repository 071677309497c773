// The signer's device accounts: listing, adding, and signing with them. Each device operation is in the audit log
// before it starts, and again with its outcome.
import { mkdir, readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { z } from 'zod'
import { HeadframeError, isSystemCode, messageOf } from '../../base/errors'
import { Emitter } from '../../base/events'
import { type LowerAddress, toHex } from '../../base/hex'
import { Disposables } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { replaceDurably } from '../../files/durable-file'
import type { AuditEntry } from '../audit/audit-entry'
import { SignerError } from '../errors'
import { withFileLock } from '../file-lock'
import type { AirgapAsk, AirgapRequests } from './airgap-requests'
import { canonicalPath, spelledPath, usualPaths } from './derivation-path'
import type { DeviceWork, HardwareAccount } from './hardware-wallet'
import type { LedgerWallet } from './ledger-wallet'

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

/** Throws SignerError SIGNER_HARDWARE_FILE; an unreadable file is never overwritten. */
export class HardwareAccounts {
  #accounts: readonly HardwareAccount[] = []
  #stamp = ''

  constructor(
    private readonly file: string,
    private readonly deps: { readonly clock: Clock },
  ) {}

  /** As last read, in the order in which they were added. */
  accounts(): readonly HardwareAccount[] {
    return this.#accounts
  }

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

interface HardwareKeysOptions {
  readonly file: string
  readonly pollMs: number
  /** Whether USB devices are enabled; offline ones always are. */
  readonly usb: boolean
}

interface HardwareKeysDeps {
  readonly wallet: Pick<LedgerWallet, 'kind' | 'addresses' | 'sign'>
  readonly airgap: AirgapRequests
  readonly clock: Clock
  readonly log: Logger
}

const USUAL_PATH = "m/44'/60'/0'/0/0"

/** Resolves when the entry is on disk; a rejection aborts the step. */
type Record = (entry: AuditEntry) => Promise<void>

export class HardwareKeys {
  readonly events = new Emitter<{ changed: null }>()
  readonly #accounts: HardwareAccounts
  readonly #held = new Disposables()
  #problem: string | null = null
  #record: Record = () => Promise.reject(new SignerError('SIGNER_NOT_RUNNING', undefined))

  constructor(
    private readonly options: HardwareKeysOptions,
    private readonly deps: HardwareKeysDeps,
  ) {
    this.#accounts = new HardwareAccounts(options.file, deps)
  }

  /** An unreadable list is logged and gives no accounts: key files still work without it. */
  async start(record: Record): Promise<void> {
    this.#record = record
    await this.#refreshQuietly()
    this.#held.add(this.deps.clock.setInterval(() => void this.#refreshQuietly(), this.options.pollMs))
  }

  stop(): void {
    this.#held.dispose()
  }

  accounts(): readonly HardwareAccount[] {
    return this.#accounts.accounts().filter(({ kind }) => kind === 'airgap' || this.options.usb)
  }

  get usb(): boolean {
    return this.options.usb
  }

  get airgap(): AirgapRequests {
    return this.deps.airgap
  }

  /** Why the list can't be read now, null when it can. */
  get problem(): string | null {
    return this.#problem
  }

  find(address: LowerAddress): HardwareAccount | null {
    return this.accounts().find((account) => account.address === address) ?? null
  }

  /** The device's addresses at the first `count` paths of each usual scheme. @throws as LedgerWallet.addresses */
  async look(count: number, signal: AbortSignal): Promise<readonly HardwareAccount[]> {
    const { wallet } = this.deps
    const paths = usualPaths(count)
    const addresses = await wallet.addresses(paths, signal)
    return paths.flatMap((path, index) => {
      const address = addresses[index]
      return address === undefined ? [] : [{ kind: wallet.kind, address, path }]
    })
  }

  /** Whether a device is present and answers. @throws as LedgerWallet.addresses */
  async probe(signal: AbortSignal): Promise<void> {
    await this.deps.wallet.addresses(usualPaths(1).slice(0, 1), signal)
  }

  /**
   * Adds the device's account at a path to the signer.
   * @param path any spelling
   * @throws SignerError SIGNER_DEVICE_*, SIGNER_HARDWARE_FILE
   */
  async add(path: string, signal: AbortSignal): Promise<HardwareAccount> {
    const { wallet } = this.deps
    const spelled = canonicalPath(path)
    const [address] = await wallet.addresses([spelled], signal)
    if (address === undefined) throw new SignerError('SIGNER_DEVICE_ANSWER', { reason: 'it is not an address' })
    return this.#take({ kind: wallet.kind, address, path: spelled })
  }

  /**
   * Adds an account whose key is in an offline device.
   * @param place a derivation path, optionally preceded by the master key's fingerprint: `1a2b3c4d/44'/60'/0'/0/0`;
   * empty: the usual path
   * @throws SignerError SIGNER_DEVICE_PATH, SIGNER_HARDWARE_FILE
   */
  watch(address: LowerAddress, place: string): Promise<HardwareAccount> {
    const match = /^([0-9a-fA-F]{8})\/(.*)$/.exec(place)
    const fingerprint = match?.[1]?.toLowerCase()
    const path = spelledPath(match?.[2] ?? (place === '' ? USUAL_PATH : place))
    return this.#take({ kind: 'airgap', address, path, ...(fingerprint === undefined ? {} : { fingerprint }) })
  }

  async #take(account: HardwareAccount): Promise<HardwareAccount> {
    const { kind, address, path } = account
    await this.#record({ type: 'deviceAccount', what: 'added', kind, address, path })
    await this.#accounts.add(account)
    this.events.emit('changed', null)
    return account
  }

  /** @returns false when it isn't in the list @throws SignerError SIGNER_HARDWARE_FILE */
  async forget(address: LowerAddress): Promise<boolean> {
    await this.#accounts.refresh()
    const account = this.find(address)
    if (account === null) return false
    await this.#record({ type: 'deviceAccount', what: 'forgotten', kind: account.kind, address, path: account.path })
    await this.#accounts.remove(address)
    this.events.emit('changed', null)
    return true
  }

  /**
   * Has an approved request signed on the device.
   * @returns 65 bytes: r, s, parity
   * @throws as LedgerWallet.sign and AirgapRequests.sign
   */
  async sign(account: HardwareAccount, work: DeviceWork, ask: AirgapAsk): Promise<Uint8Array> {
    const { address, path, kind } = account
    const { signal } = ask
    const asked = { type: 'device', kind, address, path, digest: toHex(work.digest) } as const
    await this.#record({ ...asked, state: 'asked', error: '' })
    try {
      const { wallet, airgap } = this.deps
      const signature = await (kind === 'airgap' ? airgap.sign(account, work, ask) : wallet.sign(account, work, signal))
      await this.#record({ ...asked, state: 'signed', error: '' })
      return signature
    } catch (error) {
      const reason = error instanceof HeadframeError ? error.message : 'internal error'
      await this.#recordQuietly({ ...asked, state: 'failed', error: signal.aborted ? 'withdrawn' : reason })
      throw error
    }
  }

  async #refreshQuietly(): Promise<void> {
    try {
      const isOther = (await this.#accounts.refresh()) || this.#problem !== null
      this.#problem = null
      if (isOther) this.events.emit('changed', null)
    } catch (error) {
      const reason = messageOf(error)
      if (this.#problem === reason) return
      this.#problem = reason
      this.deps.log.warn('hardware accounts cannot be read', { reason })
      this.events.emit('changed', null)
    }
  }

  /** Nothing was signed, and the caller should get that error. */
  async #recordQuietly(entry: AuditEntry): Promise<void> {
    try {
      await this.#record(entry)
    } catch (error) {
      this.deps.log.error('device result could not be recorded', { error: messageOf(error) })
    }
  }
}
