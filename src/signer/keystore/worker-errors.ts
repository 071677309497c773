// How a key worker may report a failure: a code from a fixed list, and a waiting time. Messages are made on this side,
// so that a compromised worker has no text in which to hide a key.
import { z } from 'zod'
import { HeadframeError } from '../../base/errors'
import { WireError } from '../../base/wire/define'
import { KeystoreError, SignerError, VaultError } from '../errors'
import { checkKdfLimits } from './kdf'
import { FOREIGN_TEXTS, notBare, phraseInvalid } from './seed-phrase'
import { parseKeyFile } from './v3-file'

const LONGEST_WAIT_SECONDS = 60

/** All data it may return with a code. */
export const keyWorkerErrorData = z
  .object({
    waitSeconds: z.number().int().min(1).max(LONGEST_WAIT_SECONDS),
    /** Of a seed phrase, from 1: it isn't on the list. */
    word: z.number().int().min(1).max(24),
    /** Index of a format that can't be imported. */
    format: z
      .number()
      .int()
      .min(0)
      .max(FOREIGN_TEXTS.length - 1),
  })
  .partial()

/**
 * What is wrong with a key file is determined on this side, where it can be described.
 * @throws KeystoreError KEYSTORE_FILE_INVALID, KEYSTORE_FILE_UNSUPPORTED
 */
export function checkKeyFile(text: string): void {
  checkKdfLimits(parseKeyFile(text).kdf)
}

/**
 * A call's error, with message and data from this side.
 * @param call its name @param address of its account, empty without one
 */
export function inOwnWords(error: unknown, call: string, address: string): unknown {
  if (!(error instanceof HeadframeError)) return error
  const ours = makers[error.code]
  return ours === undefined ? error : ours({ call, address, data: error.data })
}

interface Failure {
  readonly call: string
  readonly address: string
  readonly data: unknown
}

const makers: Readonly<Record<string, (failure: Failure) => HeadframeError>> = {
  KEYSTORE_WRONG_PASSWORD: () => new KeystoreError('KEYSTORE_WRONG_PASSWORD', undefined),
  KEYSTORE_KEY_MISMATCH: ({ address }) => new KeystoreError('KEYSTORE_KEY_MISMATCH', { expected: address }),
  KEYSTORE_SECRET_INVALID: () => new KeystoreError('KEYSTORE_SECRET_INVALID', undefined),
  KEYSTORE_LOCKED: () => new KeystoreError('KEYSTORE_LOCKED', undefined),
  KEYSTORE_NOT_UNLOCKED: ({ address }) => new KeystoreError('KEYSTORE_NOT_UNLOCKED', { address }),
  KEYSTORE_TOO_MANY_TRIES: ({ address, data }) => {
    const { waitSeconds = LONGEST_WAIT_SECONDS } = keyWorkerErrorData.safeParse(data).data ?? {}
    return new KeystoreError('KEYSTORE_TOO_MANY_TRIES', { address, waitSeconds })
  },
  KEYSTORE_PHRASE_INVALID: ({ data }) => phraseInvalid(keyWorkerErrorData.safeParse(data).data?.word ?? null),
  KEYSTORE_FILE_INVALID: ({ call, data }) => {
    if (call === 'import') return notBare(keyWorkerErrorData.safeParse(data).data?.format ?? null)
    return new KeystoreError('KEYSTORE_FILE_INVALID', { reason: 'the key worker does not read it' })
  },
  KEYSTORE_FILE_UNSUPPORTED: () =>
    new KeystoreError('KEYSTORE_FILE_UNSUPPORTED', { what: 'what the key worker does not know' }),
  KEYSTORE_CONTENT_INVALID: () => new KeystoreError('KEYSTORE_CONTENT_INVALID', undefined),
  KEYSTORE_APPROVAL_UNREADABLE: () => new KeystoreError('KEYSTORE_APPROVAL_UNREADABLE', undefined),
  KEYSTORE_APPROVAL_OTHER: () => new KeystoreError('KEYSTORE_APPROVAL_OTHER', undefined),
  KEYSTORE_APPROVAL_USED: () => new KeystoreError('KEYSTORE_APPROVAL_USED', undefined),
  KEYSTORE_NOT_ALLOWED: ({ address }) => new KeystoreError('KEYSTORE_NOT_ALLOWED', { address }),
  SIGNER_PASSWORD_POLICY: () =>
    new SignerError('SIGNER_PASSWORD_POLICY', { reason: 'want 10 or more printable ASCII characters, no backslash' }),
  SIGNER_VAULT_CLOSED: () => new VaultError('SIGNER_VAULT_CLOSED', undefined),
  SIGNER_MASTER_PASSWORD: () => new VaultError('SIGNER_MASTER_PASSWORD', undefined),
  SIGNER_MASTER_NEEDED: () => new VaultError('SIGNER_MASTER_NEEDED', undefined),
  SIGNER_POLICY_CHANGED: () => new VaultError('SIGNER_POLICY_CHANGED', { id: '' }),
  SIGNER_POLICY_INVALID: () => new VaultError('SIGNER_POLICY_INVALID', { reason: 'the key worker does not read them' }),
  SIGNER_VAULT_UNUSABLE: () =>
    new VaultError('SIGNER_VAULT_UNUSABLE', { file: '', reason: 'a value was changed or belongs to another vault' }),
  CONTRACT_FAILED: ({ call }) => new WireError('CONTRACT_FAILED', { name: call }),
}

/** All codes it may return; anything else counts as CONTRACT_FAILED. */
export const KEY_WORKER_CODES = Object.keys(makers) as [string, ...string[]]
