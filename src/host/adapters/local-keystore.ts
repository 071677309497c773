// Key files of a node without a signer window, and what `--unlock` opens: keys stay in a key worker, uses are audited.
import { mkdir, readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { messageOf, reasonOf } from '../../base/errors'
import { bytesOfHex } from '../../base/hex'
import type { Service } from '../../base/lifecycle'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { Transport } from '../../base/wire/define'
import { AuditLog } from '../../signer/audit/audit-log'
import { UnlockedAccounts } from '../../signer/keystore/account-manager'
import { KeyFolder } from '../../signer/keystore/folder'
import { KeyClient } from '../../signer/keystore/key-client'
import { HostError } from '../errors'
import type { UnlockedKeysPort } from './node-accounts'

/** Folders and accounts. */
interface LocalKeystoreOptions {
  /** Folder of the key files; created when missing. */
  readonly folder: string
  /** File of the audit log; null = off. */
  readonly auditLog: string | null
  /** Path of the log's separately stored head. */
  readonly auditHead?: string
  /** Accounts that sign without asking, lower case. */
  readonly unlock: readonly string[]
  /** One password per line, in account order; the last one is used for the rest. Read at startup only. */
  readonly passwordFile: string | null
}

interface LocalKeystoreDeps {
  /** Starts a key worker. */
  readonly keys: () => Transport
  readonly clock: Clock
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

const POLL_MS = 1_000
const LINE_FEED = 10
const CARRIAGE_RETURN = 13

/** The node's own keystore. */
export class LocalKeystore implements Service {
  readonly name = 'keystore'
  readonly #folder: KeyFolder
  readonly #keys: KeyClient
  readonly #audit: AuditLog | null
  readonly #unlocked: UnlockedAccounts

  constructor(
    private readonly options: LocalKeystoreOptions,
    deps: LocalKeystoreDeps,
  ) {
    const { clock, log, randomBytes } = deps
    this.#folder = new KeyFolder({ path: options.folder, pollMs: POLL_MS }, { clock, log, randomBytes })
    this.#keys = new KeyClient(deps.keys)
    this.#audit =
      options.auditLog === null
        ? null
        : new AuditLog({ file: options.auditLog, headFile: options.auditHead ?? null }, { clock })
    this.#unlocked = new UnlockedAccounts({
      folder: this.#folder,
      keys: this.#keys,
      record: async (entry) => this.#audit?.append(entry),
    })
  }

  get unlocked(): UnlockedKeysPort {
    return this.#unlocked
  }

  /** 20 bytes each; accounts with several files appear once. */
  addresses(): readonly Uint8Array[] {
    const names = new Set(this.#folder.content().keys.map((key) => key.address))
    return [...names].map((name) => bytesOfHex(name, 20))
  }

  /** @throws HostError HOST_UNLOCK_FAILED when an account is missing or its password is wrong; SignerError, KeystoreError */
  async start(signal: AbortSignal): Promise<void> {
    const { auditLog, unlock } = this.options
    signal.throwIfAborted()
    await this.#folder.start()
    if (auditLog !== null) {
      await mkdir(dirname(auditLog), { recursive: true, mode: 0o700 })
      await this.#audit?.open()
    }
    const passwords = unlock.length === 0 ? [] : await this.#readPasswords()
    try {
      for (const [index, address] of unlock.entries()) {
        const password = passwords[index] ?? passwords.at(-1) ?? new Uint8Array(0)
        await this.#unlocked.unlock(address, password).catch((cause: unknown) => {
          const failure = { address: checksumAddress(address), reason: messageOf(cause) }
          throw new HostError('HOST_UNLOCK_FAILED', failure, { cause })
        })
      }
    } finally {
      for (const password of passwords) wipe(password)
    }
  }

  async stop(): Promise<void> {
    await this.#folder.stop()
    this.#keys.close()
    await this.#audit?.close()
  }

  /** @throws HostError HOST_PASSWORD_FILE */
  async #readPasswords(): Promise<readonly Uint8Array[]> {
    const file = this.options.passwordFile
    if (file === null) return []
    try {
      const bytes = await readFile(file)
      const lines = splitLines(bytes)
      wipe(bytes)
      return lines
    } catch (error: unknown) {
      throw new HostError('HOST_PASSWORD_FILE', { file, reason: reasonOf(error) }, { cause: error })
    }
  }
}

/** Copies; without line ends, and without an empty last line. */
function splitLines(bytes: Uint8Array): readonly Uint8Array[] {
  const lines: Uint8Array[] = []
  let from = 0
  while (from < bytes.length) {
    const found = bytes.indexOf(LINE_FEED, from)
    const end = found < 0 ? bytes.length : found
    lines.push(Uint8Array.from(bytes.subarray(from, bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end)))
    from = end + 1
  }
  return lines
}
