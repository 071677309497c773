// What can go wrong in the signer and in a keystore. Codes are public: never rename one, add a new one. The texts
// of the first group are what callers of the external API read; the reference's wording, so they stay as they are.
import { defineErrors } from '../base/errors'

export const SignerError = defineErrors({
  SIGNER_REQUEST_DENIED: () => 'request denied',
  SIGNER_UNKNOWN_ACCOUNT: () => 'unknown account',
  SIGNER_WRONG_PASSWORD: () => 'could not decrypt key with given password',
  SIGNER_ACCOUNT_CREATION_FAILED: () => 'account creation failed',
  SIGNER_VALIDATION_FAILED: (d: { findings: readonly string[] }) => `validation failed: ${d.findings.join(',')}`,
  SIGNER_CHAIN_ID_MISMATCH: (d: { requested: string }) =>
    `requested chainid ${d.requested} does not match the configuration of the signer`,
  SIGNER_AMBIGUOUS_DATA: () => 'ambiguous request: both "data" and "input" are set and are not identical',
  SIGNER_VALUE_WITHOUT_CODE: () => 'transaction will create a contract with value but empty code',
  SIGNER_MULTIPLE_KEYS: (d: { files: readonly string[] }) => `multiple keys match address (${d.files.join(', ')})`,
  SIGNER_NO_NOTIFICATIONS: () => 'notifications not supported',
  SIGNER_INTERNAL: () => 'internal error',

  SIGNER_PARSE: () => 'parse error',
  SIGNER_INVALID_REQUEST: () => 'invalid request',
  SIGNER_EMPTY_BATCH: () => 'empty batch',
  SIGNER_METHOD_UNKNOWN: (d: { method: string }) => `the method ${d.method} does not exist/is not available`,
  SIGNER_ARGUMENTS_NOT_ARRAY: () => 'non-array args',
  SIGNER_ARGUMENT_MISSING: (d: { index: number }) => `missing value for required argument ${d.index}`,
  SIGNER_ARGUMENTS_TOO_MANY: (d: { most: number }) => `too many arguments, want at most ${d.most}`,
  SIGNER_ARGUMENT_INVALID: (d: { index: number; reason: string }) => `invalid argument ${d.index}: ${d.reason}`,

  SIGNER_DECISION_REFUSED: (d: { id: string; reason: string }) => `decision on request ${d.id} refused: ${d.reason}`,
  SIGNER_PASSWORD_POLICY: (d: { reason: string }) => `password requirements not met: ${d.reason}`,
  SIGNER_NOT_RUNNING: () => 'signer is not running',
  SIGNER_PORT_IN_USE: (d: { host: string; port: number }) =>
    `port ${d.port} on ${d.host} is in use by another program, want a free port for the signer`,
  SIGNER_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `signer cannot listen on ${d.host}:${d.port}: ${d.reason}`,
  SIGNER_AUDIT_BROKEN: (d: { file: string; record: number; reason: string }) =>
    `audit log ${d.file} is broken at record ${d.record}: ${d.reason}`,
  SIGNER_AUDIT_UNWRITABLE: (d: { file: string; reason: string }) =>
    `audit log ${d.file} cannot be written: ${d.reason}`,
})

export const KeystoreError = defineErrors({
  KEYSTORE_UNREADABLE: (d: { path: string; reason: string }) => `keystore ${d.path} cannot be used: ${d.reason}`,
  KEYSTORE_FILE_INVALID: (d: { reason: string }) => `key file is not valid: ${d.reason}`,
  KEYSTORE_FILE_UNSUPPORTED: (d: { what: string }) => `key file uses ${d.what}, which is not supported`,
  KEYSTORE_WRONG_PASSWORD: () => 'could not decrypt key with given password',
  KEYSTORE_KEY_MISMATCH: (d: { expected: string }) => `key content mismatch: want the key of ${d.expected}`,
  KEYSTORE_SECRET_INVALID: () => 'private key is not a number of 1 to the order of secp256k1 minus 1 in 32 bytes',
  KEYSTORE_ACCOUNT_EXISTS: (d: { address: string }) => `account already exists: ${d.address}`,
  KEYSTORE_WRITE_FAILED: (d: { file: string; reason: string }) =>
    `key file ${d.file} could not be written: ${d.reason}`,
  KEYSTORE_LOCKED: () => 'key store was locked while the request waited',
})
