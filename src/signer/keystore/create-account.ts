// Makes and stores a key: the key worker encrypts, the folder writes, the worker verifies that the file opens.

import type { LowerAddress } from '../address'
import { SignerError } from '../errors'
import type { KeyFolder } from './folder'
import type { KdfStrength } from './kdf'
import type { KeyClient, NewKeyFile } from './key-client'
import { passwordFault } from './password-policy'

/** What making an account uses. */
export interface AccountMaker {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  readonly strength: KdfStrength
}

/** An account whose file is on disk and was opened once. */
export interface StoredAccount {
  readonly address: LowerAddress
  /** Name inside the keystore folder. */
  readonly file: string
}

/**
 * A new account. Nothing stays on disk if `signal` aborts before the file was verified.
 * @param password copied; the caller wipes its own
 * @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason
 */
export async function createAccount(
  maker: AccountMaker,
  password: Uint8Array,
  signal: AbortSignal,
): Promise<StoredAccount> {
  const fault = passwordFault(password)
  if (fault !== null) throw new SignerError('SIGNER_PASSWORD_POLICY', { reason: fault })
  signal.throwIfAborted()
  return store(maker, await maker.keys.create(password, maker.strength), password, signal)
}

async function store(
  { folder, keys }: AccountMaker,
  { address, keyFile }: NewKeyFile,
  password: Uint8Array,
  signal: AbortSignal,
): Promise<StoredAccount> {
  signal.throwIfAborted()
  const file = await folder.add(address, keyFile, async (readBack) => {
    await keys.verify({ keyFile: readBack, address, password })
    signal.throwIfAborted()
  })
  return { address, file }
}
