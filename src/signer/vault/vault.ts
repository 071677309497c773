// The files that the master seed protects: stored passwords, attested rules, policies, the scripts' storage. Their keys
// are elsewhere (`VaultPort`), but for the scripts' and the log's. The same files as clef's, so that both can use
// one configuration folder in turn.
import { lstat, mkdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type AttestedScript, changeText } from '../../base/approvals'
import { secretCopy, wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, isSystemCode, messageOf, reasonOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import { Mutex } from '../../base/mutex'
import type { Clock } from '../../base/time'
import { placeNewFile, replaceDurably } from '../../files/durable-file'
import { VaultError } from '../errors'
import { requirePolicy } from '../keystore/create-account'
import type { KdfStrength } from '../keystore/kdf'
import type { InputPort, PasswordStore } from '../ports'
import { type GivenPassword, plainPassword, type VaultPort } from '../vault-wire'
import { JournalFile } from './journal-file'
import { openValue, readSealedValues, type SealedValue, sealValue } from './sealed-values'
import { faultOfSeedText } from './seed-text'

const MAX_SEED_FILE_LENGTH = 64 * 1024

/** Whether there is a seed to ask a password for. */
export async function hasMasterSeed(file: string): Promise<boolean> {
  return (await statOf(file)) !== null
}

/**
 * The seed's text, checked for form and cost.
 * @throws VaultError SIGNER_SEED_MISSING, SIGNER_SEED_INSECURE, SIGNER_SEED_INVALID, SIGNER_VAULT_UNUSABLE
 */
export async function readSeedFile(file: string): Promise<string> {
  const stat = await statOf(file)
  if (stat === null) throw new VaultError('SIGNER_SEED_MISSING', { file })
  const mode = stat.mode & 0o777
  // Like clef: readable by the owner only. Windows has no such bits.
  if (process.platform !== 'win32' && (mode & 0o377) !== 0) {
    throw new VaultError('SIGNER_SEED_INSECURE', { file, mode: `0${mode.toString(8)}` })
  }
  if (!stat.isFile() || stat.size > MAX_SEED_FILE_LENGTH) {
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: 'it is no small regular file' })
  }
  const text = await readFile(file, 'utf8').catch((cause: unknown) => {
    throw new VaultError('SIGNER_SEED_INVALID', { file, reason: reasonOf(cause) }, { cause })
  })
  const reason = faultOfSeedText(text)
  if (reason !== null) throw new VaultError('SIGNER_SEED_INVALID', { file, reason })
  return text
}

/** Mode 0400. @throws VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE */
async function writeSeedFile(file: string, text: string): Promise<void> {
  try {
    await placeNewFile(file, text, { mode: 0o400 })
  } catch (cause) {
    if (isSystemCode(cause, 'EEXIST')) throw new VaultError('SIGNER_SEED_EXISTS', { file })
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: reasonOf(cause) }, { cause })
  }
}

async function statOf(file: string) {
  try {
    return await lstat(file)
  } catch (error) {
    if (isSystemCode(error, 'ENOENT', 'ENOTDIR')) return null
    throw new VaultError('SIGNER_VAULT_UNUSABLE', { file, reason: reasonOf(error) }, { cause: error })
  }
}

const MAX_FILE_LENGTH = 16 * 1024 * 1024

/** The file without its key. Read again for each call: another program may change it. Changes are serialized. */
class SealedFile {
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

const ATTESTED_RULES = 'ruleset_sha256'

/** An account's password to store, and what proves that it may be. */
interface PasswordChange {
  /** `0x` and 40 hex digits in any case */
  readonly address: string
  readonly password: GivenPassword
  readonly master: GivenPassword
  /** The key file that has to open with it; null = that was tried. */
  readonly keyFile: string | null
}

export class Vault implements PasswordStore {
  readonly path: string
  readonly port: VaultPort
  readonly scriptStorage: EncryptedStore
  /** Policies made in a form and what they have approved. Ours: clef ignores the file. */
  readonly journal: JournalFile
  /** 32 bytes, seals the heads of this vault's audit logs. */
  readonly auditKey: Uint8Array
  readonly #credentials: SealedFile
  readonly #config: SealedFile
  readonly #earlier: string

  /** @param opened by `vaultOpen` */
  constructor(
    { configDir, vouched = () => 0 }: VaultPlace,
    {
      folder,
      scriptKey,
      auditKey,
    }: { readonly folder: string; readonly scriptKey: Uint8Array; readonly auditKey: Uint8Array },
    { port, randomBytes, clock }: OpenVaultDeps,
  ) {
    this.path = join(configDir, folder)
    this.port = port
    this.auditKey = auditKey
    this.#credentials = new SealedFile(join(this.path, 'credentials.json'))
    this.#config = new SealedFile(join(this.path, 'config.json'))
    this.#earlier = join(this.path, 'policies.json')
    this.scriptStorage = new EncryptedStore({ file: join(this.path, 'jsstorage.json'), key: scriptKey, randomBytes })
    this.journal = new JournalFile({
      file: join(this.path, 'policies.log'),
      clock,
      vouched: () => vouched(configDir, auditKey),
      reader: {
        read: async (text, version) =>
          port.call('journalRead', { text, earlier: text === '' ? await this.#earlierText() : null, vouched: version }),
      },
    })
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  storedFor(address: string): Promise<SealedValue | null> {
    return this.#credentials.get(checksumAddress(address))
  }

  /**
   * @param record before it is stored, once everything is proven
   * @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE, KeystoreError as opening the key file
   */
  async storePassword(
    { address, password, master, keyFile }: PasswordChange,
    record: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const lower = address.toLowerCase()
    const change = changeText({ change: 'store', address: lower })
    await this.prove(change, master)
    const { value } = await this.port.call('vaultStore', { change, keyFile, address: lower, ...handed({ password }) })
    await record()
    await this.#credentials.change(new Map([[checksumAddress(address), value]]))
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  forgetPassword(address: string): Promise<void> {
    return this.#credentials.change(new Map([[checksumAddress(address), null]]))
  }

  /** The attested script; null when there is none. @throws VaultError SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER */
  async attestedRules(): Promise<AttestedScript | null> {
    const value = await this.#config.get(ATTESTED_RULES)
    if (value === null) return null
    const { script, fault } = await this.journal.written(() => this.port.call('vaultAttested', { value }))
    if (script === null) throw this.#config.unusable(ATTESTATION_FAULTS[fault])
    return script
  }

  /**
   * @param sha256 64 hex digits @param record as for storePassword
   * @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE, SIGNER_VAULT_OLDER
   */
  async attestRules(
    { sha256, ...cap }: AttestedScript,
    master: GivenPassword,
    record: () => Promise<void> = async () => undefined,
  ): Promise<void> {
    const change = changeText({ change: 'attest', sha256: sha256.toLowerCase(), ...cap })
    await this.prove(change, master)
    await record()
    await this.journal.exclusive(async (write) => {
      const { value, made } = await this.port.call('vaultAttest', { change })
      await write(made)
      await this.#config.change(new Map([[ATTESTED_RULES, value]]))
    })
  }

  /** Accepts an older journal. @returns its version before @throws VaultError SIGNER_MASTER_NEEDED, SIGNER_VAULT_UNUSABLE */
  async restore(master: GivenPassword): Promise<number> {
    const change = changeText({ change: 'restore' })
    await this.prove(change, master)
    return this.journal.restore((text, vouched) => this.port.call('journalRestore', { change, text, vouched }))
  }

  /** @throws VaultError SIGNER_MASTER_PASSWORD, KeystoreError KEYSTORE_APPROVAL_*, KEYSTORE_TOO_MANY_TRIES */
  async prove(change: string, master: GivenPassword): Promise<void> {
    await this.port.call('vaultProve', { change, ...handed({ password: master }) })
  }

  async #earlierText(): Promise<string | null> {
    try {
      return await readFile(this.#earlier, 'utf8')
    } catch (cause) {
      if (isSystemCode(cause, 'ENOENT')) return null
      throw new SealedFile(this.#earlier).unusable(messageOf(cause), cause)
    }
  }
}

const ATTESTATION_FAULTS = {
  changed: 'the attestation was changed or belongs to another vault',
  other:
    'it allows another script than this program allowed last: an older file was put back, or another program allowed one; allow the script again',
}

/** A copy of a given password that the port may wipe; the caller wipes its own. */
export function handed({ password }: { readonly password: GivenPassword }): { readonly password: GivenPassword } {
  if (password.kind !== 'plain') return { password }
  return { password: plainPassword(secretCopy(password.password)) }
}

export interface VaultPlace {
  readonly configDir: string
  /** `masterseed.json`, usually in configDir. */
  readonly seedFile: string
  /** Version that the sealed heads of audit logs vouch for; null = none does. Missing: no log is kept. See JournalFile. */
  readonly vouched?: (configDir: string, auditKey: Uint8Array) => number | null
}

interface OpenVaultDeps {
  readonly port: VaultPort
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
}

/** Null without a master seed, or when it couldn't be opened; the reason is logged. */
export async function openVaultAtStart(
  place: VaultPlace,
  { input, log, ...deps }: OpenVaultDeps & { readonly input: InputPort; readonly log: Logger },
): Promise<Vault | null> {
  if (!(await hasMasterSeed(place.seedFile))) return null
  try {
    const password = await input.ask({
      title: 'Master Password',
      prompt: 'Please enter the password to decrypt the master seed',
      isPassword: true,
    })
    return await openVault(place, plainPassword(password), deps)
  } catch (error) {
    const reason = hasCode(error, 'SIGNER_INTERNAL') ? 'nobody answered' : messageOf(error)
    log.warn('vault stays locked: no stored passwords and no rules', { reason })
    return null
  }
}

/**
 * @param password of the master seed; its bytes are wiped
 * @throws VaultError SIGNER_SEED_MISSING, SIGNER_SEED_INSECURE, SIGNER_SEED_INVALID, SIGNER_MASTER_PASSWORD
 */
export async function openVault(place: VaultPlace, password: GivenPassword, deps: OpenVaultDeps): Promise<Vault> {
  try {
    const seedFile = await readSeedFile(place.seedFile)
    return new Vault(place, await deps.port.call('vaultOpen', { seedFile, ...handed({ password }) }), deps)
  } finally {
    if (password.kind === 'plain') wipe(password.password)
  }
}

/**
 * Makes a master seed and its file (mode 0400).
 * @param password the caller wipes its bytes
 * @throws SignerError SIGNER_PASSWORD_POLICY, VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE
 */
export async function createMasterSeed(input: {
  readonly file: string
  readonly password: GivenPassword
  readonly strength: KdfStrength
  readonly port: VaultPort
}): Promise<void> {
  const { file, password, strength, port } = input
  if (password.kind === 'plain') requirePolicy(password.password)
  if (await hasMasterSeed(file)) throw new VaultError('SIGNER_SEED_EXISTS', { file })
  const { seedFile } = await port.call('vaultCreate', { strength, ...handed({ password }) })
  await writeSeedFile(file, seedFile)
}
