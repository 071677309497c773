// Work on the vault without a signer around it: what the command line does to master seed, stored passwords and attested
// rules. Each change is on record before it holds.
import { randomBytes } from 'node:crypto'
import { chmod, mkdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { checksumAddress } from '../signer/address'
import { verifyAudit } from '../signer/audit/audit-check'
import { type AuditEntry, AuditLog } from '../signer/audit/audit-log'
import { dryRun } from '../signer/rules/dry-run'
import { parsePolicies } from '../signer/rules/policy'
import { PolicyBook } from '../signer/rules/policy-book'
import { readRules } from '../signer/rules/rule-script'
import { createMasterSeed } from '../signer/vault/master-seed'
import { openVault } from '../signer/vault/open-vault'
import type { Vault } from '../signer/vault/vault'
import type { TradesDeps } from './trades-deps'
import { vaultPlace } from './vault-setup'

/** SHA-256 of a script file, hex. @throws VaultError SIGNER_RULES_UNREADABLE */
export async function rulesHash(file: string): Promise<string> {
  const { sha256 } = await readRules(file)
  return sha256
}

/**
 * Makes the master seed; the file's path.
 * @param password UTF-8 bytes; the caller wipes them
 * @throws SignerError SIGNER_PASSWORD_POLICY, VaultError SIGNER_SEED_EXISTS, SIGNER_VAULT_UNUSABLE
 */
export async function initVault({ config }: TradesDeps, password: Uint8Array): Promise<string> {
  const { configDir, seedFile } = vaultPlace(config)
  const made = await mkdir(configDir, { recursive: true, mode: 0o700 })
  if (made !== undefined) await chmod(configDir, 0o700)
  const strength = config.signer.lightKdf ? 'light' : 'standard'
  await createMasterSeed({ file: seedFile, password, strength, randomBytes })
  return seedFile
}

/**
 * Allows the script with this hash.
 * @param sha256 64 hex digits
 * @param master wiped
 * @throws VaultError as openMasterSeed, SignerError SIGNER_AUDIT_UNWRITABLE, SIGNER_AUDIT_BROKEN
 */
export async function attestRules(deps: TradesDeps, sha256: string, master: Uint8Array): Promise<void> {
  const vault = await openVault(vaultPlace(deps.config), master, { randomBytes })
  await onRecord(deps, { what: 'attest', detail: { sha256: sha256.toLowerCase() } })
  await vault.attestRules(sha256)
}

/**
 * Stores the password of an account, or forgets it.
 * @param stored what is stored for the address; null forgets; the caller wipes it
 * @param master wiped
 * @throws as attestRules
 */
export async function changeStoredPassword(
  deps: TradesDeps,
  stored: { readonly address: string; readonly password: Uint8Array | null },
  master: Uint8Array,
): Promise<void> {
  const vault = await openVault(vaultPlace(deps.config), master, { randomBytes })
  const what = stored.password === null ? 'delpw' : 'setpw'
  await onRecord(deps, { what, detail: { address: checksumAddress(stored.address) } })
  await vault.storePassword(stored.address, stored.password)
}

/**
 * Puts form-built policies in the place of the present ones.
 * @param value parsed JSON
 * @param master wiped
 * @throws VaultError SIGNER_POLICY_INVALID, and as attestRules
 */
export async function savePolicies(deps: TradesDeps, value: unknown, master: Uint8Array): Promise<void> {
  await policyBook(deps, await openVault(vaultPlace(deps.config), master, { randomBytes })).save(value)
}

/** The policies in force, as JSON text. @param master wiped @throws VaultError as openMasterSeed */
export async function policiesText(deps: TradesDeps, master: Uint8Array): Promise<string> {
  const book = policyBook(deps, await openVault(vaultPlace(deps.config), master, { randomBytes }))
  return JSON.stringify(await book.policies(), null, 2)
}

/**
 * What policies would have done with the requests in the audit log: one line each, and nothing is changed.
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

/** The outcome of a look through an audit log, in one line. */
export interface AuditReport {
  readonly ok: boolean
  readonly text: string
}

/** @throws Error when the file cannot be read */
export async function reportAudit(file: string): Promise<AuditReport> {
  const verdict = await verifyAudit(file)
  if (!verdict.ok) return { ok: false, text: `${file}: record ${verdict.record} is bad: ${verdict.reason}` }
  return { ok: true, text: `${file}: ${verdict.records} records, all in order; the last one is ${verdict.lastHash}` }
}

function policyBook(deps: TradesDeps, vault: Vault): PolicyBook {
  const { clock, logs } = deps
  const record = (entry: AuditEntry): Promise<void> => appendOnce(deps, entry)
  return new PolicyBook({ storage: vault.policyStorage, clock, log: logs.logger.child({ module: 'signer' }), record })
}

function onRecord(
  deps: TradesDeps,
  change: { readonly what: string; readonly detail: Readonly<Record<string, string>> },
): Promise<void> {
  return appendOnce(deps, { type: 'settings', ...change })
}

async function appendOnce({ config, clock }: TradesDeps, entry: AuditEntry): Promise<void> {
  const { auditLog } = config.signer
  if (auditLog === '') return
  const audit = new AuditLog({ file: auditLog }, { clock })
  await mkdir(dirname(auditLog), { recursive: true, mode: 0o700 })
  await audit.open()
  try {
    await audit.append(entry)
  } finally {
    await audit.close()
  }
}
