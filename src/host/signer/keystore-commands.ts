// What the command line does to key files, master seed, stored passwords and attested rules, without a signer. Each change
// is in the audit log.
import { randomBytes } from 'node:crypto'
import { mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { AttestedScript } from '../../base/approvals'
import { secretCopy, wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { hasCode, messageOf, reasonOf } from '../../base/errors'
import type { Service } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import { verifyAudit } from '../../signer/audit/audit-check'
import type { AuditEntry } from '../../signer/audit/audit-entry'
import { type AuditMark, headFileOf, readHead } from '../../signer/audit/audit-head'
import { AuditLog } from '../../signer/audit/audit-log'
import { KeystoreError, SignerError } from '../../signer/errors'
import { bringSignature, type UnsignedFile, unsignedFiles } from '../../signer/hardware/airgap-requests'
import type { HardwareKeys } from '../../signer/hardware/hardware-keys'
import type { HardwareAccount } from '../../signer/hardware/hardware-wallet'
import { AccountManager, isBareSecret, onlyFileOf, requireImportable } from '../../signer/keystore/account-manager'
import { type AccountMaker, createAccount } from '../../signer/keystore/create-account'
import { KeyFolder, type KeyProblem } from '../../signer/keystore/folder'
import { KeyClient } from '../../signer/keystore/key-client'
import { machineUptime } from '../../signer/rules/policy-clock'
import { dryRun, parsePolicies } from '../../signer/rules/policy-match'
import { PolicyList, readRules } from '../../signer/rules/rules'
import { openVault, type Vault } from '../../signer/vault/vault'
import { VaultKeeper } from '../../signer/vault-keeper'
import { type GivenPassword, plainPassword, type VaultPort } from '../../signer/vault-wire'
import { HostError } from '../errors'
import type { TradesDeps } from '../trades-deps'
import { airgapFolder, createHardware } from './create-signer'
import { attestDetail, auditHead, initVaultIn, keyWorkers, vaultPlace } from './running-vault'

const POLL_MS = 1_000

export interface ListedAccount {
  /** EIP-55 spelling */
  readonly address: string
  /** `ledger`: the key is in a device; `airgap`: in an offline one. */
  readonly kind: 'keystore' | HardwareAccount['kind']
  /** The file in the keystore, or the derivation path in the device. */
  readonly place: string
}

export function listedDevice({ kind, address, path }: HardwareAccount): ListedAccount {
  return { address: checksumAddress(address), kind, place: path }
}

export class KeystoreCommands implements Service {
  readonly name = 'keystore'
  /** Operations on existing or imported accounts; each change is in the audit log. */
  readonly accounts: AccountManager
  /** Explicitly requested, so a device is searched whatever --signer.usb says. */
  readonly hardware: HardwareKeys
  readonly path: string
  readonly #auditFile: string
  readonly #maker: AccountMaker
  readonly #audit: AuditLog | null
  readonly #airgap: string

  constructor(deps: TradesDeps) {
    const { config, clock, logs } = deps
    const { keystore, lightKdf, auditLog } = config.signer
    this.path = keystore
    const log = logs.logger.child({ module: 'signer' })
    const keys = new KeyClient(keyWorkers(deps, log))
    const folder = new KeyFolder({ path: keystore, pollMs: POLL_MS }, { clock, log, randomBytes })
    this.#maker = { folder, keys, strength: lightKdf ? 'light' : 'standard' }
    this.#auditFile = auditLog
    this.#audit = auditLog === '' ? null : new AuditLog({ file: auditLog, headFile: auditHead(config) }, { clock })
    this.#airgap = airgapFolder(config)
    this.hardware = createHardware(deps, { usb: true })
    this.accounts = new AccountManager({ maker: this.#maker, record: (entry) => this.#record(entry) })
  }

  /** @throws KeystoreError KEYSTORE_UNREADABLE, SignerError SIGNER_AUDIT_BROKEN, SIGNER_AUDIT_UNWRITABLE */
  async start(): Promise<void> {
    await this.#maker.folder.start()
    if (this.#audit !== null) {
      await mkdir(dirname(this.#auditFile), { recursive: true, mode: 0o700 })
      await this.#audit.open()
    }
    await this.hardware.start((entry) => this.#record(entry))
  }

  async stop(): Promise<void> {
    this.hardware.stop()
    await this.#maker.folder.stop()
    this.#maker.keys.close()
    await this.#audit?.close()
  }

  /** By file name, followed by device accounts; unusable files are among the problems. */
  listing(): { readonly accounts: readonly ListedAccount[]; readonly problems: readonly KeyProblem[] } {
    const { keys, problems } = this.#maker.folder.content()
    const ofFiles = keys.map(
      ({ address, file }) => ({ address: checksumAddress(address), kind: 'keystore', place: file }) as const,
    )
    const { problem } = this.hardware
    return {
      accounts: [...ofFiles, ...this.hardware.accounts().map(listedDevice)],
      problems: problem === null ? problems : [...problems, { file: 'hardware accounts', reason: problem }],
    }
  }

  /** Requests for offline devices. @throws SignerError SIGNER_AIRGAP_FOLDER */
  unsigned(): Promise<readonly UnsignedFile[]> {
    return unsignedFiles(this.#airgap)
  }

  async unsignedOf(requestId: string): Promise<UnsignedFile> {
    const file = (await this.unsigned()).find((each) => each.requestId === requestId.toLowerCase())
    if (file === undefined) throw new SignerError('SIGNER_AIRGAP_GONE', undefined)
    return file
  }

  /** Passes a signature to the waiting signer. @throws SignerError SIGNER_AIRGAP_* */
  bringSignature(requestId: string, text: string): Promise<void> {
    return bringSignature(this.#airgap, requestId, text)
  }

  /** @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason */
  async create(password: Uint8Array, signal: AbortSignal): Promise<string> {
    const { address, file } = await createAccount(this.#maker, password, signal)
    await this.#record({ type: 'created', address, file })
    return checksumAddress(address)
  }

  /** Whether an import has a password of its own. @throws KeystoreError KEYSTORE_FILE_INVALID when it can't be imported */
  hasPassword(text: string): boolean {
    if (!isBareSecret(text)) requireImportable(text)
    return !isBareSecret(text)
  }

  /** @throws HostError HOST_NO_ACCOUNT, SignerError SIGNER_MULTIPLE_KEYS: before anyone types a password for nothing */
  async requireAccount(address: string): Promise<void> {
    await onlyFileOf(this.#maker.folder, address.toLowerCase()).catch((error: unknown) => {
      throw hasCode(error, 'SIGNER_UNKNOWN_ACCOUNT') ? new HostError('HOST_NO_ACCOUNT', { address }) : error
    })
  }

  /** The end of the audit log in the form of `audit verify --anchor`; null without a log. */
  anchor(): string | null {
    if (this.#audit === null) return null
    const { records, hash } = this.#audit.head
    return `${records}:${hash}`
  }

  async #record(entry: AuditEntry): Promise<void> {
    await this.#audit?.append(entry)
  }
}

/** SHA-256 of a script file, hex. @throws VaultError SIGNER_RULES_UNREADABLE */
export async function rulesHash(file: string): Promise<string> {
  const { sha256 } = await readRules(file)
  return sha256
}

/**
 * Creates the master seed; returns the file's path.
 * @param password UTF-8 bytes; the caller wipes them
 * @throws SignerError SIGNER_PASSWORD_POLICY, VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE
 */
export function initVault(deps: TradesDeps, password: Uint8Array): Promise<string> {
  return initVaultIn(deps, plainPassword(password), keeper(deps.clock))
}

/** A command opens the vault in its own process: the master password was typed there. */
function keeper(clock: Clock): VaultPort {
  const refuse = (): never => {
    throw new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined)
  }
  return new VaultKeeper({ clock, uptime: machineUptime(), randomBytes, unseal: refuse, verify: async () => refuse() })
    .port
}

/** Runs with the vault, and with its password for what it changes. @param master wiped */
async function withVault<T>(
  { config, clock }: Pick<TradesDeps, 'config' | 'clock'>,
  master: Uint8Array,
  run: (vault: Vault, proof: GivenPassword) => Promise<T>,
): Promise<T> {
  const proof = secretCopy(master)
  try {
    const vault = await openVault(vaultPlace(config), plainPassword(master), {
      port: keeper(clock),
      randomBytes,
      clock,
    })
    return await run(vault, plainPassword(proof))
  } finally {
    wipe(proof)
  }
}

/**
 * Allows the script with this hash, within its cap.
 * @param master wiped
 * @throws VaultError as openMasterSeed, SignerError SIGNER_AUDIT_UNWRITABLE, SIGNER_AUDIT_BROKEN
 */
export async function attestRules(deps: TradesDeps, script: AttestedScript, master: Uint8Array): Promise<void> {
  await withVault(deps, master, async (vault, proof) => {
    const record = (): Promise<void> =>
      appendOnce(deps, vault, { type: 'settings', what: 'attest', detail: attestDetail(script) })
    await vault.attestRules(script, proof, record)
    await appendOnce(deps, vault, null)
  })
}

/**
 * Stores an account's password, which must open it, or removes it.
 * @param stored the password; null removes it; the caller wipes it
 * @param master wiped
 * @throws as attestRules, KeystoreError KEYSTORE_WRONG_PASSWORD, HostError HOST_NO_ACCOUNT,
 * SignerError SIGNER_MULTIPLE_KEYS
 */
export async function changeStoredPassword(
  deps: TradesDeps,
  stored: { readonly address: string; readonly password: Uint8Array | null },
  master: Uint8Array,
): Promise<void> {
  const { address, password } = stored
  await withVault(deps, master, async (vault, proof) => {
    if (password !== null) await provePassword(deps, address, password)
    const what = password === null ? 'delpw' : 'setpw'
    await appendOnce(deps, vault, { type: 'settings', what, detail: { address: checksumAddress(address) } })
    if (password === null) await vault.forgetPassword(address)
    else await vault.storePassword({ address, password: plainPassword(password), master: proof, keyFile: null })
  })
}

async function provePassword(deps: TradesDeps, address: string, password: Uint8Array): Promise<void> {
  const keystore = new KeystoreCommands(deps)
  try {
    await keystore.start()
    await keystore.requireAccount(address)
    await keystore.accounts.prove(address, password)
  } finally {
    await keystore.stop()
  }
}

/**
 * Replaces all form-built policies.
 * @param value parsed JSON
 * @param master wiped
 * @throws VaultError SIGNER_POLICY_INVALID, and as attestRules
 */
export async function savePolicies(deps: TradesDeps, value: unknown, master: Uint8Array): Promise<void> {
  await withVault(deps, master, (vault, proof) => policyList(deps, vault).save(value, proof))
}

/**
 * Accepts the vault's policies as they are on disk, although the audit log vouches for newer ones: a restored backup.
 * @param master wiped
 * @returns one line
 * @throws as attestRules
 */
export async function restoreVault(deps: TradesDeps, master: Uint8Array): Promise<string> {
  return withVault(deps, master, async (vault, proof) => {
    const { journal } = vault
    await appendOnce(deps, vault, { type: 'settings', what: 'restored', detail: { file: journal.file } })
    const from = await vault.restore(proof)
    await appendOnce(deps, vault, null)
    return `${journal.file}: version ${from} is in force again, as version ${journal.version}; check its limits with headframe rules policies`
  })
}

/** The policies in force, as JSON text. @param master wiped @throws VaultError as openMasterSeed */
export async function policiesText(deps: TradesDeps, master: Uint8Array): Promise<string> {
  return withVault(deps, master, async (vault) => JSON.stringify(await policyList(deps, vault).policies(), null, 2))
}

/**
 * What policies would have done with the audit log's requests: one line each; changes nothing.
 * @param value parsed JSON
 * @throws VaultError SIGNER_POLICY_INVALID
 */
export async function dryRunLines({ config }: TradesDeps, value: unknown): Promise<readonly string[]> {
  const rows = await dryRun(parsePolicies(value), config.signer.auditLog)
  return rows.map(({ time, kind, policy, reason }) => {
    const outcome = policy === null ? `asked     ${reason}` : `approved  ${policy}`
    return `${new Date(time).toISOString()}  ${kind.padEnd(15)}  ${outcome}`
  })
}

interface AuditReport {
  readonly ok: boolean
  readonly text: string
  readonly figures: Readonly<Record<string, string | number | null>>
}

export interface AuditQuestion {
  readonly file: string
  /** A mark noted down earlier; null = none. */
  readonly anchor: AuditMark | null
  /** Master password, wiped; null leaves the vault's seal unchecked. */
  readonly master: Uint8Array | null
}

/** An unreadable file counts as bad, with the reason. @throws VaultError as openMasterSeed */
export async function reportAudit(
  { config, clock }: Pick<TradesDeps, 'config' | 'clock'>,
  { file, anchor, master }: AuditQuestion,
): Promise<AuditReport> {
  const vault = master === null ? null : await withVault({ config, clock }, master, async (opened) => opened)
  const head = readHead(headFileOf(config.signer.configDir, file))
  const verdict = await verifyAudit(file, { head, anchor, key: vault?.auditKey ?? null }).catch((error: unknown) => ({
    unreadable: reasonOf(error),
  }))
  if ('unreadable' in verdict) {
    const reason = verdict.unreadable
    return { ok: false, text: `${file}: ${reason}`, figures: { file, record: null, reason } }
  }
  if (!verdict.ok) {
    const { record, reason } = verdict
    return { ok: false, text: `${file}: record ${record} is bad: ${reason}`, figures: { file, record, reason } }
  }
  const { records, lastHash, sealed } = verdict
  const stale = vault === null ? null : await faultOfJournal(vault)
  if (stale !== null) return { ok: false, text: stale, figures: { file, record: null, reason: stale } }
  const kept = head === null ? '; no head is kept for it, so a cut end would not show' : ''
  const vouched = sealed === null ? kept : `; the vault vouches for the first ${sealed}`
  const text = `${file}: ${records} records, all in order${vouched}; anchor ${records}:${lastHash}`
  return { ok: true, text, figures: { file, records, anchor: `${records}:${lastHash}`, sealed } }
}

/** Why the vault's policies aren't the ones that the log vouches for; null when they are. */
async function faultOfJournal({ journal }: Vault): Promise<string | null> {
  try {
    await journal.exclusive(async () => undefined)
    return null
  } catch (error) {
    return messageOf(error)
  }
}

function policyList(deps: TradesDeps, vault: Vault): PolicyList {
  const log = deps.logs.logger.child({ module: 'signer' })
  const record = (entry: AuditEntry): Promise<void> => appendOnce(deps, vault, entry)
  return new PolicyList({ vault, clock: deps.clock, log, record, seal: () => appendOnce(deps, vault, null) })
}

/** @param entry null only seals the log's head again */
async function appendOnce({ config, clock }: TradesDeps, vault: Vault, entry: AuditEntry | null): Promise<void> {
  const { auditLog } = config.signer
  if (auditLog === '') return
  const audit = new AuditLog({ file: auditLog, headFile: auditHead(config) }, { clock })
  audit.sealWith(vault.auditKey, () => vault.journal.version)
  await mkdir(dirname(auditLog), { recursive: true, mode: 0o700 })
  await audit.open()
  try {
    await (entry === null ? audit.seal() : audit.append(entry))
  } finally {
    await audit.close()
  }
}
