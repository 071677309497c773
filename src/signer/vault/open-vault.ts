// Opens the vault at startup: asks for the master password when there is a master seed, and continues without a vault
// when it is wrong, as in clef.
import { wipe } from '../../base/bytes'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import { requirePolicy } from '../keystore/create-account'
import type { KdfStrength } from '../keystore/kdf'
import type { InputPort } from '../ports'
import { type GivenPassword, plainPassword, type VaultPort } from '../vault-wire'
import { hasMasterSeed, readSeedFile, requireNoSeed, writeSeedFile } from './master-seed'
import { handed, Vault } from './vault'

export interface VaultPlace {
  readonly configDir: string
  /** `masterseed.json`, usually in configDir. */
  readonly seedFile: string
  /** Version that the sealed heads of audit logs vouch for; null = none does. Missing: no log is kept. */
  readonly vouched?: (configDir: string, auditKey: Uint8Array) => number | null
}

interface OpenVaultDeps {
  /** Opens the seed and keeps its keys. */
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
export async function openVault(
  place: VaultPlace,
  password: GivenPassword,
  { port, randomBytes, clock }: OpenVaultDeps,
): Promise<Vault> {
  try {
    const seedFile = await readSeedFile(place.seedFile)
    const opened = await port.call('vaultOpen', { seedFile, ...handed({ password }) })
    return new Vault({
      configDir: place.configDir,
      vouched: place.vouched ?? (() => 0),
      port,
      opened,
      randomBytes,
      clock,
    })
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
  await requireNoSeed(file)
  const { seedFile } = await port.call('vaultCreate', { strength, ...handed({ password }) })
  await writeSeedFile(file, seedFile)
}
