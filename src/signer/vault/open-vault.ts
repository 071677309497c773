// Opens the vault at the start: asks for the master password when there is a master seed, and goes on without a vault
// when it is wrong, as the reference does.
import { wipe } from '../../base/bytes'
import { hasCode, messageOf } from '../../base/errors'
import type { Logger } from '../../base/logger'
import type { InputPort } from '../ports'
import { hasMasterSeed, openMasterSeed } from './master-seed'
import { Vault } from './vault'

export interface VaultPlace {
  readonly configDir: string
  /** `masterseed.json`, usually in configDir. */
  readonly seedFile: string
}

export interface OpenVaultDeps {
  /** Who is asked for the master password. */
  readonly input: InputPort
  readonly log: Logger
  readonly randomBytes: (length: number) => Uint8Array
}

/** Null without a master seed, or when it could not be opened; the log tells why. */
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
    log.warn('vault stays closed: no stored passwords and no rules', { reason })
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
  { randomBytes }: Pick<OpenVaultDeps, 'randomBytes'>,
): Promise<Vault> {
  try {
    const seed = await openMasterSeed(place.seedFile, password)
    return new Vault({ configDir: place.configDir, seed, randomBytes })
  } finally {
    wipe(password)
  }
}
