// Makes and stores a key: the key worker encrypts, the folder writes, the worker verifies that the file opens.
import type { LowerAddress } from '../address'
import { SignerError } from '../errors'
import type { KeyFolder } from './folder'
import type { KdfStrength } from './kdf'
import type { KeyClient, NewKeyFile } from './key-client'

// Password policy for new keys. Bytes, not characters: the reference counts bytes, and files must open on both sides.
// Source: prlx signer/core/validation.go; the backslash is rejected there by mistake and here for compatibility.

const MIN_BYTES = 10
const FIRST_PRINTABLE = 0x20
const LAST_PRINTABLE = 0x7e
const BACKSLASH = 0x5c

/** Null when the password is acceptable, else the reason for callers and users. */
export function passwordFault(password: Uint8Array): string | null {
  if (password.length < MIN_BYTES) return `password too short (<${MIN_BYTES} characters)`
  const odd = password.find((byte) => byte < FIRST_PRINTABLE || byte > LAST_PRINTABLE || byte === BACKSLASH)
  return odd === undefined ? null : 'password contains invalid characters - only 7bit printable ascii allowed'
}

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
