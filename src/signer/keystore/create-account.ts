// Makes and stores a key: the key worker encrypts and opens what it made, the folder writes.
import type { LowerAddress } from '../../base/hex'
import { SignerError } from '../errors'
import type { KeyFolder } from './folder'
import type { KdfStrength } from './kdf'
import type { KeyClient, Password } from './key-client'

// Password policy for new keys. Bytes, not characters: clef counts bytes, and files must open on both sides.
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

/** What only the key worker can read, it checks itself. @throws SignerError SIGNER_PASSWORD_POLICY */
export function requirePolicy(password: Password): void {
  const reason = password instanceof Uint8Array ? passwordFault(password) : null
  if (reason !== null) throw new SignerError('SIGNER_PASSWORD_POLICY', { reason })
}

/** What makes, opens and stores key files. */
export interface AccountMaker {
  readonly folder: KeyFolder
  readonly keys: KeyClient
  readonly strength: KdfStrength
}

/** An account whose file is on disk and was opened once. */
export interface StoredAccount {
  readonly address: LowerAddress
  readonly file: string
}

/**
 * A new account. Nothing stays on disk if `signal` aborts before the file gets its name.
 * @param password copied; the caller wipes its own; a sealed one is for the change `create`
 * @throws SignerError SIGNER_PASSWORD_POLICY, KeystoreError KEYSTORE_WRITE_FAILED, the signal's reason
 */
export async function createAccount(
  maker: AccountMaker,
  password: Password,
  signal: AbortSignal,
): Promise<StoredAccount> {
  requirePolicy(password)
  signal.throwIfAborted()
  const { address, keyFile } = await maker.keys.create(password, maker.strength)
  signal.throwIfAborted()
  return { address, file: await maker.folder.add(address, keyFile, () => signal.throwIfAborted()) }
}
