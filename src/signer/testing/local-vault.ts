// For tests: the vault's keys in this process, and a master seed whose derivation costs nothing.
import { randomBytes } from 'node:crypto'
import type { Clock } from '../../base/time'
import { KeystoreError } from '../errors'
import { deriveKey } from '../keystore/kdf'
import { makeCryptoSection } from '../keystore/v3-file'
import { VaultKeeper, type VaultKeeperDeps } from '../vault-keeper'
import { type GivenPassword, plainPassword, type VaultPort } from '../vault-wire'

const MASTER = 'a sample master password'
/** Of the sample seed. */
export const sampleMaster = (): GivenPassword => plainPassword(new TextEncoder().encode(MASTER))

/** Nothing is sealed for it. @param verify a key file's password; missing: none is tried */
export function localVault(clock: Clock, verify?: VaultKeeperDeps['verify']): VaultPort {
  const refuse = (): never => {
    throw new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined)
  }
  const uptime = { ms: () => clock.monotonic(), boot: null }
  return new VaultKeeper({ clock, uptime, randomBytes, unseal: refuse, verify: verify ?? (async () => refuse()) }).port
}

/** The seed's bytes. */
export const SAMPLE_SEED = randomBytes(256)

/** Text of the sample seed's file. */
export async function sampleSeedText(): Promise<string> {
  const kdf = { kdf: 'scrypt', n: 2, r: 8, p: 1, dklen: 32, salt: randomBytes(32) } as const
  const derived = await deriveKey(kdf, new TextEncoder().encode(MASTER))
  const params = makeCryptoSection({ plain: SAMPLE_SEED, derived, kdf, iv: randomBytes(16) })
  return JSON.stringify({ description: 'Clef seed', version: 1, params })
}

/** The same port, opened with the sample seed before its first call. */
export function sampleVault(clock: Clock): VaultPort {
  const port = localVault(clock)
  const open = async () => port.call('vaultOpen', { seedFile: await sampleSeedText(), password: sampleMaster() })
  let opened: ReturnType<typeof open> | null = null
  return {
    call: async (name, params) => {
      opened ??= open()
      await opened
      return port.call(name, params)
    },
  }
}
