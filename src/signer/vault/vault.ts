// What the master seed protects: stored passwords, the scripts' storage, and which rules were attested. The same files
// as the reference's, so that both can use one configuration folder in turn.
import { join } from 'node:path'
import { keccak_256 } from '@noble/hashes/sha3.js'
import { concatBytes, wipe } from '../../base/bytes'
import { checksumAddress } from '../../base/checksum-address'
import { toBareHex } from '../../base/hex'
import type { Clock } from '../../base/time'
import type { PasswordStore } from '../ports'
import { EncryptedStore } from './encrypted-store'
import { SealedJournal } from './sealed-journal'

const ATTESTED_RULES = 'ruleset_sha256'
const FOLDER_BYTES = 10

/** Inputs of a vault. */
interface VaultOptions {
  readonly configDir: string
  /** From openMasterSeed; wiped after the vault was made from it. */
  readonly seed: Uint8Array
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
  /** Version that the sealed heads of audit logs vouch for; null = none does. See SealedJournal. */
  readonly vouched: (configDir: string, auditKey: Uint8Array) => number | null
}

/** An open vault. */
export class Vault implements PasswordStore {
  /** Folder of its files. */
  readonly path: string
  /** Values stored by rule scripts. */
  readonly scriptStorage: EncryptedStore
  /** Policies made in a form and what they have approved. Ours: the reference ignores the file. */
  readonly journal: SealedJournal
  /** The same as earlier versions of this program stored it. */
  readonly earlierPolicies: EncryptedStore
  /** 32 bytes, seals the heads of this vault's audit logs. */
  readonly auditKey: Uint8Array
  readonly #credentials: EncryptedStore
  readonly #config: EncryptedStore

  constructor({ configDir, seed, randomBytes, clock, vouched }: VaultOptions) {
    const path = join(configDir, toBareHex(keyFrom('vault', seed).subarray(0, FOLDER_BYTES)))
    const store = (name: string, file: string): EncryptedStore =>
      new EncryptedStore({ file: join(path, file), key: keyFrom(name, seed), randomBytes })
    this.path = path
    this.#credentials = store('credentials', 'credentials.json')
    this.scriptStorage = store('jsstorage', 'jsstorage.json')
    this.earlierPolicies = store('policies', 'policies.json')
    this.#config = store('config', 'config.json')
    const auditKey = keyFrom('headframe audit', seed)
    this.auditKey = auditKey
    this.journal = new SealedJournal({
      file: join(path, 'policies.log'),
      key: keyFrom('headframe journal', seed),
      randomBytes,
      clock,
      vouched: () => vouched(configDir, auditKey),
    })
    wipe(seed)
  }

  /** @throws VaultError SIGNER_VAULT_UNUSABLE */
  passwordOf(address: string): Promise<Uint8Array | null> {
    return this.#credentials.get(checksumAddress(address))
  }

  /**
   * @param address `0x` and 40 hex digits in any case
   * @param password UTF-8 bytes; null removes the stored one
   * @throws VaultError SIGNER_VAULT_UNUSABLE
   */
  storePassword(address: string, password: Uint8Array | null): Promise<void> {
    return this.#credentials.change(new Map([[checksumAddress(address), password]]))
  }

  /** SHA-256 of the attested script, hex; null when there is none. @throws VaultError SIGNER_VAULT_UNUSABLE */
  async attestedRules(): Promise<string | null> {
    const value = await this.#config.get(ATTESTED_RULES)
    return value === null ? null : new TextDecoder().decode(value).toLowerCase()
  }

  /** @param sha256 64 hex digits @throws VaultError SIGNER_VAULT_UNUSABLE */
  attestRules(sha256: string): Promise<void> {
    return this.#config.change(new Map([[ATTESTED_RULES, new TextEncoder().encode(sha256.toLowerCase())]]))
  }
}

function keyFrom(name: string, seed: Uint8Array): Uint8Array {
  const input = concatBytes(new TextEncoder().encode(name), seed)
  try {
    return keccak_256(input)
  } finally {
    wipe(input)
  }
}
