// Errors of the host itself: folders, locks, workers, the control port. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const HostError = defineErrors({
  HOST_DATA_DIR_IN_USE: (d: { dir: string; pid: number }) =>
    `data directory ${d.dir} is in use by process ${d.pid}: stop that one or choose another --datadir`,
  HOST_SIGNER_IN_USE: (d: { what: string; pid: number; option: string }) =>
    `another signer (process ${d.pid}) uses ${d.what}: use that one, stop it, or choose another ${d.option}`,
  HOST_SIGNER_UNREACHABLE: (d: { target: string; reason: string }) =>
    `--signer ${d.target}: ${d.reason}. Start that signer first, or leave --signer out`,
  HOST_DATA_DIR_UNUSABLE: (d: { dir: string; reason: string }) =>
    `data directory ${d.dir} cannot be used: ${d.reason}. ${/^(ENOSPC|EDQUOT|the disk is full)/.test(d.reason) ? 'Make room on its disk' : 'Check who owns it'}, or choose another --datadir`,
  HOST_FOLDER_UNFIT: (d: { folder: string; reason: string }) => `${d.folder} cannot be the data folder: ${d.reason}`,
  HOST_FOLDER_ENTRY: (d: { path: string; reason: string }) => `${d.path} cannot be moved: it is ${d.reason}`,
  HOST_FOLDER_COPY: (d: { file: string }) =>
    `${d.file} reads back differently from what was copied: the disk is damaged`,
  HOST_NOT_RUNNING: (d: { dir: string }) =>
    `Headframe is not running with data directory ${d.dir}: pass the right one with --datadir DIR`,
  HOST_NOT_OWNER: (d: { dir: string }) =>
    `the data directory ${d.dir} belongs to another user: run this as that user, or as root`,
  HOST_NO_ANSWER: (d: { dir: string; reason: string }) =>
    `Headframe with data directory ${d.dir} gave no usable answer: ${d.reason}`,
  HOST_NO_SOCKET: (d: { path: string }) =>
    `no node is running at ${d.path}: start one, or name another: http://HOST:PORT or the path of its socket`,
  HOST_NO_ACCOUNT: (d: { address: string }) =>
    `there is no account ${d.address} in this keystore: see headframe account list`,
  HOST_SEND_WOULD_FAIL: (d: { reason: string }) => `nothing was sent, since it would fail: ${d.reason}`,
  HOST_NO_DASHBOARD: (d: { dir: string }) =>
    `Headframe with data directory ${d.dir} serves no dashboard: start it with --api-bind ADDR:PORT`,
  /** Ends the program under --exit. */
  HOST_DEVICE_FAILED: (d: { device: number; reason: string }) => `device ${d.device} failed permanently: ${d.reason}`,
  HOST_NOT_TAKEN_BACK: (d: { number: number; reason: string }) =>
    `the chain was not rewound to block ${d.number}: ${d.reason}`,
  HOST_SERVICE_OFF: (d: { service: string }) => `Headframe was started without the ${d.service}`,
  HOST_POOL_ADDRESS: (d: { fault: string }) => d.fault,
  HOST_POOL_PASSWORD: () =>
    'type the password of this pool again: it is kept only for the same host, port and encryption',
  HOST_POOL_GONE: () => 'this can no longer be undone; add it again',
  HOST_POOL_INDEX: (d: { index: number; count: number }) => `there is no pool ${d.index} in a list of ${d.count}`,
  HOST_POOL_MOVED: (d: { index: number }) =>
    `the list of pools has changed: position ${d.index + 1} is another pool now`,
  HOST_RIG_INVALID: (d: { fault: string }) => d.fault,
  HOST_RIG_UNKNOWN: (d: { name: string }) => `no rig named ${d.name} is watched`,
  HOST_RIG_FIXED: (d: { name: string }) => `${d.name} is defined in the --rig-file: change it there`,
  HOST_WORKER_LOST: (d: { worker: string; reason: string }) => `${d.worker} worker was lost: ${d.reason}`,
  HOST_READY_FILE_FAILED: (d: { file: string; reason: string }) =>
    `ready file ${d.file} cannot be written: ${d.reason}`,
  HOST_NO_CHAIN: (d: { dir: string; network: string }) =>
    `there is no chain of the ${d.network} network in ${d.dir} yet: run headframe once, or name another network (--genesis FILE, --mainnet, --testnet)`,
  HOST_DB_NO_GENESIS: (d: { folder: string }) =>
    `the genesis of the chain in ${d.folder} is missing: pass it with --genesis FILE, or move that folder aside and start again`,
  HOST_DB_NOT_CONFIRMED: (d: { folder: string }) =>
    `this deletes the chain in ${d.folder}: add --yes to confirm. Keys and your own transactions stay`,
  HOST_BLOCK_FILE_UNREADABLE: (d: { file: string; reason: string }) => `${d.file} cannot be read: ${d.reason}`,
  HOST_BLOCK_FILE_BROKEN: (d: { file: string; offset: number; reason: string }) =>
    `${d.file}: no block at byte ${d.offset}: ${d.reason}`,
  HOST_BLOCK_REFUSED: (d: { file: string; offset: number; block: string; reason: string }) =>
    `${d.file}: block ${d.block} at byte ${d.offset} was rejected: ${d.reason}`,
  HOST_BLOCK_FILE_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
  HOST_BLOCK_FILE_NAME: (d: { file: string; reason: string }) =>
    `${d.file} ${d.reason}: want an absolute path to a .rlp or .rlp.gz file`,
  HOST_BLOCK_RANGE: (d: { first: number; last: number; head: number }) =>
    `there are no blocks ${d.first} to ${d.last}: want two ascending heights up to ${d.head}`,
  HOST_BLOCK_JOB_RUNS: (d: { file: string }) => `another block import or export is running: ${d.file}`,
  HOST_DB_CHECK_RUNS: () => 'the chain database is being checked already',
  HOST_NOT_HERE: (d: { what: string }) =>
    `${d.what} only on this computer: in its window, or in a browser on it with the token`,
  HOST_CONSOLE_REFUSED: (d: { method: string }) =>
    `${d.method} is not allowed here: only methods that neither sign nor change anything`,
  HOST_CONSOLE_PARAMS: (d: { reason: string }) => `parameters are not a JSON array: ${d.reason}`,
  HOST_TRACE_BUSY: () => 'another trace is running: one at a time',
  HOST_TRACE_TOO_LARGE: (d: { limit: number }) => `the trace has more than ${d.limit} bytes`,
  HOST_TRACE_CANCELLED: () => 'the trace was cancelled',
  HOST_UNLOCK_FAILED: (d: { address: string; reason: string }) => `--unlock ${d.address}: ${d.reason}`,
  HOST_PASSWORD_FILE: (d: { file: string; reason: string }) => `--password ${d.file} cannot be read: ${d.reason}`,
  HOST_PRACTICE_RECORD_BROKEN: (d: { file: string }) =>
    `${d.file} does not name the practice network's account: restore it, or run headframe in an empty --datadir`,
  HOST_SETTING_UNKNOWN: (d: { key: string }) => `${d.key} is not a setting of the config file`,
  HOST_SETTING_LOCKED: (d: { key: string; by: string }) => `${d.key} cannot be changed here: ${d.by}`,
  HOST_ADDRESS_NOT_LISTED: (d: { address: string }) =>
    `${d.address} is neither in the keystore nor among the watched addresses`,
  HOST_ADDRESS_LISTED: (d: { address: string }) => `${d.address} is in the list already`,
  HOST_TOO_MANY_WATCHED: (d: { most: number }) => `up to ${d.most} addresses can be watched`,
  HOST_LAST_DIGITS: (d: { address: string }) => `the digits are not the last six of ${d.address}`,
  HOST_CALLER_UNKNOWN: (d: { id: string }) => `no caller ${d.id} is known`,
  HOST_SETTING_DANGER: (d: { reason: string }) => d.reason,
  HOST_RESTART_REFUSED: (d: { reason: string }) => `can't restart: ${d.reason}`,
  HOST_LINK_REFUSED: (d: { reason: string }) => `no such link: ${d.reason}`,
  HOST_NOT_FOR_LINKS: (d: { what: string }) => `${d.what} is not available through a share link`,
  HOST_CONFIG_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
  HOST_AT_MACHINE_ONLY: () => 'do this on the computer that runs Headframe',
  HOST_NOT_CONFIRMED: () => 'this was not confirmed in the window',
  HOST_REMOTE_NEEDS_TOKEN: () => 'approvals from other computers need a token: start with --api-token',
  HOST_REMOTE_NEEDS_CONSENT: (d: { word: string }) => `type the word ${d.word} to allow approvals without encryption`,
  HOST_PASSWORD_UNENCRYPTED: () =>
    'passwords are not accepted over an unencrypted connection: unlock the account on the computer that runs Headframe',
  HOST_KEEPING_OFF: () => 'accounts stay locked: keeping them unlocked is turned off in the settings',
  HOST_RELEASE_NO_KEY: () => 'this build has no release key yet: pass the public key you trust with --key FILE',
  HOST_RELEASE_KEY_FILE: (d: { file: string; reason: string }) => `release key ${d.file} cannot be used: ${d.reason}`,
  HOST_RELEASE_FILE: (d: { file: string; reason: string }) => `${d.file} cannot be read: ${d.reason}`,
  HOST_RELEASE_SIGNATURE: (d: { file: string; reason: string }) => `${d.file} is not signed correctly: ${d.reason}`,
  HOST_RELEASE_SUMS: (d: { file: string; line: number }) =>
    `${d.file}: line ${d.line} is not one hash and one name, or repeats a name`,
  HOST_RELEASE_NOT_LISTED: (d: { file: string; sums: string; version: string }) =>
    `${d.file} is not part of release ${d.version}: ${d.sums} does not name it`,
  HOST_RELEASE_CHANGED: (d: { file: string; want: string; found: string }) =>
    `${d.file} is not the file that was released: its SHA-256 is ${d.found}, want ${d.want}. Delete it and download it again`,
  HOST_RELEASE_OLD: (d: { version: string; running: string }) =>
    `release ${d.version} is older than this program (${d.running}); add --older to check it anyway`,
  HOST_DESCRIPTORS_INVALID: (d: { file: string; reason: string }) =>
    `${d.file} is not a list of descriptors: ${d.reason}`,
  HOST_DESCRIPTORS_OLD: (d: { file: string; version: number; present: number }) =>
    `${d.file} is version ${d.version}, older than ${d.present}, which is in use; add --older to use it anyway`,
  HOST_DESCRIPTORS_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
  HOST_UPDATE_NOTHING: () => 'no newer version known: check for updates first',
  HOST_UPDATE_OFF: () => 'update checks are off (--update.check never). --from FILE uses a package you already have',
  HOST_UPDATE_NO_ADDRESS: () => 'no update address: set one with --update.url URL',
  HOST_UPDATE_UNREACHABLE: (d: { address: string; reason: string }) => `${d.address}: ${d.reason}`,
  HOST_UPDATE_NOTICE: (d: { reason: string }) => `the update's description cannot be used: ${d.reason}`,
  HOST_UPDATE_REPLAYED: (d: { signed: string; seen: string }) =>
    `the update's description of ${d.signed} is older than one seen before (${d.seen}): someone is withholding newer ones`,
  HOST_UPDATE_RECORD: (d: { file: string; reason: string }) =>
    `${d.file} can't be used, so an older update could pass as new: ${d.reason}. To check for updates again, delete it`,
  HOST_UPDATE_NOT_NEWER: (d: { version: string; running: string }) =>
    `${d.version} is not newer than this program (${d.running}); add --older to use it anyway`,
  HOST_UPDATE_NO_PACKAGE: (d: { version: string; kind: string }) =>
    `version ${d.version} has no package of this kind: ${d.kind}`,
  HOST_UPDATE_OTHER_VERSION: (d: { announced: string; found: string }) =>
    `version ${d.announced} was announced, but the package is version ${d.found}`,
  HOST_UPDATE_WAITING: (d: { folder: string; reason: string }) =>
    `the update that waits in ${d.folder} cannot be read: ${d.reason}. To remove it: headframe update --forget`,
  HOST_UPDATE_NO_ROOM: (d: { folder: string; reason: string }) =>
    `the update cannot be kept in ${d.folder}: ${d.reason}`,
  HOST_SWITCHES_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
  HOST_PORT_IN_USE: (d: { option: string; host: string; port: number }) =>
    `${d.option}: port ${d.port} of ${d.host} is in use; stop the other program or choose another port (0 = any free one)`,
  HOST_PORT_UNUSABLE: (d: { option: string; host: string; port: number; reason: string }) =>
    `${d.option}: cannot listen on ${d.host} port ${d.port}: ${d.reason}`,
  HOST_CONTROL_NEEDS_TOKEN: (d: { host: string }) =>
    `--api-allow-control: on ${d.host} control needs --api-token; without one bind to 127.0.0.1`,
})
