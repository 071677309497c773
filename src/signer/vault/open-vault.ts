// Opens the vault at startup: asks for the master password when there is a master seed, and continues without a vault
// when it is wrong, as in the reference.
import { wipe } from '../../base/bytes'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { Clock } from '../../base/time'
import type { InputPort } from '../ports'
import { hasMasterSeed, openMasterSeed } from './master-seed'
import { Vault } from './vault'

/** Paths of a vault. */
export interface VaultPlace {
  readonly configDir: string
  /** `masterseed.json`, usually in configDir. */
  readonly seedFile: string
  /** Version that the sealed heads of audit logs vouch for; null = none does. Missing: no log is kept. */
  readonly vouched?: (configDir: string, auditKey: Uint8Array) => number | null
}

/** What opening uses. */
interface OpenVaultDeps {
  /** Asked for the master password. */
  readonly input: InputPort
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
}

/** Null without a master seed, or when it couldn't be opened; the reason is logged. */
export async function openVaultAtStart(place: VaultPlace, deps: OpenVaultDeps): Promise<Vault | null> {
  const { input, log } = deps
  if (!(await hasMasterSeed(place.seedFile))) return null
  try {
    const password = await input.ask({
      title: 'Master Password',
      prompt: 'Please enter the password to decrypt the master seed',
      isPassword: true,
    })
    return await openVault(place, password, deps)
  } catch (error) {
    const reason = hasCode(error, 'SIGNER_INTERNAL') ? 'nobody answered' : messageOf(error)
    log.warn('vault stays locked: no stored passwords and no rules', { reason })
    return null
  }
}

/**
 * @param password UTF-8 bytes, wiped
 * @throws VaultError as openMasterSeed
 */
export async function openVault(
  place: VaultPlace,
  password: Uint8Array,
  { randomBytes, clock }: Pick<OpenVaultDeps, 'randomBytes' | 'clock'>,
): Promise<Vault> {
  try {
    const seed = await openMasterSeed(place.seedFile, password)
    return new Vault({ configDir: place.configDir, vouched: place.vouched ?? (() => 0), seed, randomBytes, clock })
  } finally {
    wipe(password)
  }
}
