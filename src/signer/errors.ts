// What can go wrong in the signer and in a keystore. Codes are public: never rename one, add a new one. Callers of the
// external API see the texts of the first group, in clef's wording: don't change them.
import { z } from 'zod'
import { defineErrors, HeadframeError, hasCode } from '../base/errors'

export const SignerError = defineErrors({
  SIGNER_REQUEST_DENIED: () => 'request denied',
  SIGNER_QUEUE_FULL: (d: { most: number; mostMiB: number }) =>
    `too many requests are open (max ${d.most}, or ${d.mostMiB} MiB of them): try again when some are answered`,
  SIGNER_CHECK_BOUND: (d: { seconds: number }) =>
    `the request takes more than ${d.seconds} s to check, so it was refused: shorten it`,
  SIGNER_CHECK_BUSY: (d: { most: number }) =>
    `too many long requests wait to be checked (max ${d.most}): try again when some are answered`,
  SIGNER_CHECK_LOST: () => 'the request could not be checked, so it was refused',
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
  SIGNER_MEDIA_TYPE: (d: { reason: string }) => `mime: ${d.reason}`,
  // `reference`: clef's text, used in strict mode; null when ours is the same.
  SIGNER_DATA_INVALID: (d: { reason: string; reference: string | null }) => d.reason,
  // `place`: the invalid member, from the document down; empty when the reason names it.
  SIGNER_TYPED_DATA_INVALID: (d: { reason: string; place: string; reference: string | null }) =>
    d.place === '' ? d.reason : `${d.place}: ${d.reason}`,
  SIGNER_SIGNATURE_INVALID: (d: { reason: string }) => d.reason,
  SIGNER_INVALID_CHAIN_ID: () => 'invalid chain id for signer',
  SIGNER_UI_ANSWER: (d: { rpcCode: number; text: string; extra: unknown }) => d.text,
  SIGNER_UI_MALFORMED: (d: { reason: string }) => `the user interface's answer is not valid: ${d.reason}`,
  SIGNER_UI_ENDED: () => 'EOF',
  SIGNER_UI_ABSENT: () => 'no user interface connected',
  SIGNER_UNKNOWN_WALLET: () => 'unknown wallet',
  SIGNER_ACCOUNT_EXISTS: () => 'account already exists',
  SIGNER_PRIVATE_KEY_INVALID: (d: { reason: string }) => d.reason,
  SIGNER_SAFE_HASH_MISMATCH: (d: { given: string; computed: string }) =>
    `expected hash differs from the computed one: ${d.given} is not ${d.computed}`,

  // For hardware wallets; returned to callers verbatim, since they reveal nothing about this computer.
  SIGNER_DEVICE_ABSENT: () => 'no Ledger is connected: plug it in, unlock it and open its Ethereum app',
  SIGNER_DEVICE_LOST: () => 'the Ledger was unplugged: plug it in again and repeat',
  SIGNER_DEVICE_LOCKED: () => 'the Ledger is locked: unlock it with its PIN',
  SIGNER_DEVICE_APP: () => 'the Ledger has another app open: open its Ethereum app',
  SIGNER_DEVICE_REFUSED: () => 'refused on the Ledger',
  SIGNER_DEVICE_BLIND_SIGNING: () =>
    'the Ledger does not sign what it cannot show: switch on "Blind signing" in the settings of its Ethereum app',
  SIGNER_DEVICE_PATH: (d: { path: string; reason: string }) =>
    `derivation path ${d.path} cannot be used: ${d.reason}; accepted: a path such as m/44'/60'/0'/0/0`,
  SIGNER_DEVICE_OTHER: (d: { path: string; want: string; found: string }) =>
    `this is a different Ledger: it has ${d.found} at ${d.path}, want the one with ${d.want} there`,
  SIGNER_DEVICE_SILENT: (d: { seconds: number }) =>
    `the Ledger did not answer within ${d.seconds} s; reject what it still shows, unplug it and plug it in again`,
  SIGNER_DEVICE_ANSWER: (d: { reason: string }) => `the Ledger's answer cannot be used: ${d.reason}`,
  SIGNER_DEVICE_SIGNATURE: (d: { address: string }) =>
    `the Ledger's answer is not a signature of this request by ${d.address}; it was discarded`,
  SIGNER_DEVICE_CANNOT: (d: { what: string }) =>
    `a Ledger signs transactions, texts and typed data; it cannot sign ${d.what}`,
  SIGNER_DEVICE_DRIVER: (d: { reason: string }) => `USB devices cannot be listed on this computer: ${d.reason}`,
  SIGNER_DEVICE_ACCESS: (d: { reason: string }) =>
    `the Ledger is connected and cannot be opened: ${d.reason}; end other programs that use it, and on Linux install Ledger's udev rules`,
  SIGNER_AIRGAP_FOLDER: (d: { folder: string; reason: string }) =>
    `requests for offline devices cannot be saved in ${d.folder}: ${d.reason}`,
  SIGNER_AIRGAP_SILENT: (d: { minutes: number }) => `no signature arrived within ${d.minutes} minutes`,
  SIGNER_AIRGAP_GONE: () =>
    'no such request waits for a signature: it was answered or withdrawn, or belongs to another signer',
  SIGNER_AIRGAP_ANSWER: (d: { reason: string }) => `this is not the signature: ${d.reason}`,
  SIGNER_HARDWARE_FILE: (d: { file: string; reason: string }) =>
    `list of hardware accounts ${d.file} cannot be used: ${d.reason}`,

  SIGNER_PARSE: () => 'parse error',
  SIGNER_INVALID_REQUEST: () => 'invalid request',
  SIGNER_EMPTY_BATCH: () => 'empty batch',
  SIGNER_METHOD_UNKNOWN: (d: { method: string }) => `the method ${d.method} does not exist/is not available`,
  SIGNER_ARGUMENTS_NOT_ARRAY: () => 'non-array args',
  SIGNER_ARGUMENT_MISSING: (d: { index: number }) => `missing value for required argument ${d.index}`,
  SIGNER_ARGUMENTS_TOO_MANY: (d: { most: number }) => `too many arguments, want at most ${d.most}`,
  SIGNER_ARGUMENT_INVALID: (d: { index: number; reason: string }) => `invalid argument ${d.index}: ${d.reason}`,

  SIGNER_DECISION_REFUSED: (d: { id: string; reason: string }) => `not decided: ${d.reason}`,
  SIGNER_PASSWORD_POLICY: (d: { reason: string }) => `password requirements not met: ${d.reason}`,
  SIGNER_NOT_RUNNING: () => 'signer is not running',
  SIGNER_PORT_IN_USE: (d: { host: string; port: number }) =>
    `port ${d.port} on ${d.host} is in use by another program: choose a free one with --signer.http.port`,
  SIGNER_IPC_FAILED: (d: { path: string; reason: string }) => `signer cannot listen on ${d.path}: ${d.reason}`,
  SIGNER_SELECTORS_UNREADABLE: (d: { file: string; reason: string }) =>
    `selector file ${d.file} cannot be used: ${d.reason}`,
  SIGNER_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `signer cannot listen on ${d.host}:${d.port}: ${d.reason}`,
  SIGNER_AUDIT_BROKEN: (d: { file: string; record: number; reason: string }) =>
    `audit log ${d.file} is broken at record ${d.record}: ${d.reason}; to begin a new one, move it away`,
  SIGNER_AUDIT_FOREIGN: (d: { file: string }) =>
    `${d.file} is not an audit log of Headframe and stays as it is: move it away, or name another file with --signer.auditlog`,
  SIGNER_AUDIT_UNWRITABLE: (d: { file: string; reason: string }) =>
    `audit log ${d.file} cannot be written: ${d.reason}`,
})

export const KeystoreError = defineErrors({
  KEYSTORE_UNREADABLE: (d: { path: string; reason: string }) => `keystore ${d.path} cannot be used: ${d.reason}`,
  KEYSTORE_FILE_INVALID: (d: { reason: string; format?: number }) => `key file is not valid: ${d.reason}`,
  KEYSTORE_FILE_UNSUPPORTED: (d: { what: string }) => `key file uses ${d.what}, which is not supported`,
  KEYSTORE_WRONG_PASSWORD: () => 'could not decrypt key with given password',
  KEYSTORE_KEY_MISMATCH: (d: { expected: string }) => `key content mismatch: want the key of ${d.expected}`,
  KEYSTORE_SIGNATURE_WRONG: (d: { address: string }) =>
    `the key worker returned a signature that ${d.address} did not make; it was terminated and nothing was handed out`,
  KEYSTORE_SECRET_INVALID: () => 'private key is not a number of 1 to the order of secp256k1 minus 1 in 32 bytes',
  KEYSTORE_PHRASE_INVALID: (d: { reason: string; word?: number }) => `seed phrase cannot be used: ${d.reason}`,
  KEYSTORE_ACCOUNT_EXISTS: (d: { address: string }) => `account already exists: ${d.address}`,
  KEYSTORE_WRITE_FAILED: (d: { file: string; reason: string }) => `key file ${d.file} cannot be written: ${d.reason}`,
  KEYSTORE_OLD_ELECTRON: (d: { version: string }) =>
    `keys of the main network stay closed: Electron ${d.version} is for tests and gets no security fixes. Use the server package, or one with a current Electron`,
  KEYSTORE_LOCKED: () => 'keystore was locked while the request waited',
  KEYSTORE_NOT_UNLOCKED: (d: { address: string }) => `account ${d.address} is not unlocked`,
  KEYSTORE_CONTENT_INVALID: () => 'the key worker reads this content in another way: nothing was signed',
  KEYSTORE_APPROVAL_UNREADABLE: () =>
    'the approval was made for another key process, or was changed on its way: reload the page and approve again',
  KEYSTORE_APPROVAL_OTHER: () => 'the approval is for other content, or for another account: nothing was signed',
  KEYSTORE_APPROVAL_USED: () => 'the approval was already used: approve again',
  KEYSTORE_NOT_ALLOWED: (d: { address: string }) =>
    `neither a policy nor the attested script within its cap covers this, as the key process counts: the stored password of ${d.address} was not used`,
  KEYSTORE_TOO_MANY_TRIES: (d: { address: string; waitSeconds: number }) =>
    `too many wrong passwords for ${d.address}, try again in ${d.waitSeconds} s`,
})

export const VaultError = defineErrors({
  SIGNER_SEED_MISSING: (d: { file: string }) => `no master seed in ${d.file}: create one with headframe signer init`,
  SIGNER_SEED_EXISTS: (d: { file: string }) => `${d.file} already has a master seed; it is never overwritten`,
  SIGNER_SEED_INSECURE: (d: { file: string; mode: string }) =>
    `insecure file permissions: ${d.file} has mode ${d.mode}, want 0400`,
  SIGNER_SEED_INVALID: (d: { file: string; reason: string }) => `master seed ${d.file} is not valid: ${d.reason}`,
  SIGNER_VAULT_CLOSED: () => 'the vault is locked: unlock it with the master password first',
  SIGNER_MASTER_PASSWORD: () => 'could not decrypt the master seed with given password',
  SIGNER_MASTER_NEEDED: () => 'this needs the master password, typed for exactly this change: nothing was changed',
  SIGNER_VAULT_UNUSABLE: (d: { file: string; reason: string }) => `vault file ${d.file} cannot be used: ${d.reason}`,
  SIGNER_VAULT_OLDER: (d: { file: string; version: number; wanted: number }) =>
    `${d.file} is older than it was: version ${d.version}, want ${d.wanted}. Policies stay off. If you restored a backup on purpose, run: headframe signer restore`,
  SIGNER_VAULT_UNVOUCHED: (d: { file: string; version: number }) =>
    `no audit log vouches for ${d.file} (version ${d.version}). Policies stay off. If you restored a backup or removed the log on purpose, run: headframe signer restore`,
  SIGNER_RULES_UNREADABLE: (d: { file: string; reason: string }) => `rules ${d.file} cannot be read: ${d.reason}`,
  SIGNER_RULES_NOT_ATTESTED: (d: { file: string; sha256: string }) =>
    `rules ${d.file} with SHA-256 ${d.sha256} are not attested: run headframe rules attest ${d.file}`,
  SIGNER_RULES_FAILED: (d: { reason: string }) => `rule script failed: ${d.reason}`,
  SIGNER_POLICY_CHANGED: (d: { id: string }) =>
    `policy ${d.id} was changed or removed since you opened it: view the current one first`,
  SIGNER_POLICY_INVALID: (d: { reason: string }) => `policies are not valid: ${d.reason}`,
})

interface RpcError {
  readonly code: number
  readonly message: string
  /** Only for an error answered by the user interface. */
  readonly data?: unknown
}

/** The only place that chooses them. */
const RPC_CODES: Readonly<Record<string, number>> = {
  SIGNER_PARSE: -32_700,
  SIGNER_INVALID_REQUEST: -32_600,
  SIGNER_EMPTY_BATCH: -32_600,
  SIGNER_METHOD_UNKNOWN: -32_601,
  SIGNER_ARGUMENTS_NOT_ARRAY: -32_602,
  SIGNER_ARGUMENT_MISSING: -32_602,
  SIGNER_ARGUMENTS_TOO_MANY: -32_602,
  SIGNER_ARGUMENT_INVALID: -32_602,
}

const OTHER = -32_000

/** What is wrong with a key file, told to who asked for its signature, as in clef. None contains a path. */
export const KEY_FILE_FAULTS = [
  'KEYSTORE_FILE_INVALID',
  'KEYSTORE_FILE_UNSUPPORTED',
  'KEYSTORE_KEY_MISMATCH',
  'KEYSTORE_SECRET_INVALID',
]

const uiAnswer = z.object({ rpcCode: z.number(), text: z.string(), extra: z.unknown().optional() })

/** Errors that aren't the signer's own or about a key file say `internal error`: their text could tell too much. */
export function toRpcError(error: unknown): RpcError {
  if (hasCode(error, 'SIGNER_UI_ANSWER')) return answeredError(error)
  if (isSignerError(error)) return { code: RPC_CODES[error.code] ?? OTHER, message: error.message }
  const isTold = error instanceof HeadframeError && KEY_FILE_FAULTS.includes(error.code)
  return { code: OTHER, message: isTold ? error.message : new SignerError('SIGNER_INTERNAL', undefined).message }
}

const worded = z.object({ reference: z.string() })

/** The error in clef's words, where those differ. */
export function inStrictWords(error: unknown): unknown {
  const read = error instanceof HeadframeError && isWorded(error.code) ? worded.safeParse(error.data) : null
  if (read?.success !== true) return error
  return new SignerError('SIGNER_DATA_INVALID', { reason: read.data.reference, reference: null }, { cause: error })
}

function isWorded(code: string): boolean {
  return code === 'SIGNER_TYPED_DATA_INVALID' || code === 'SIGNER_DATA_INVALID'
}

function answeredError(error: HeadframeError): RpcError {
  const { rpcCode, text, extra } = uiAnswer.parse(error.data)
  return { code: rpcCode, message: text, ...(extra === undefined ? {} : { data: extra }) }
}

function isSignerError(error: unknown): error is HeadframeError {
  return error instanceof HeadframeError && Object.hasOwn(SignerError.table, error.code)
}
