// What can go wrong in the house itself: folders, locks, workers. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const HostError = defineErrors({
  HOST_DATA_DIR_IN_USE: (d: { dir: string; pid: number }) => `data directory ${d.dir} is in use by process ${d.pid}`,
  HOST_DATA_DIR_UNUSABLE: (d: { dir: string; reason: string }) => `data directory ${d.dir} cannot be used: ${d.reason}`,
  HOST_SERVICE_OFF: (d: { service: string }) => `this start has no ${d.service}`,
  HOST_POOL_ADDRESS: (d: { fault: string }) => d.fault,
  HOST_POOL_INDEX: (d: { index: number; count: number }) => `there is no pool ${d.index} in a list of ${d.count}`,
  HOST_WORKER_LOST: (d: { worker: string; reason: string }) => `${d.worker} worker was lost: ${d.reason}`,
  HOST_READY_FILE_FAILED: (d: { file: string; reason: string }) =>
    `ready file ${d.file} cannot be written: ${d.reason}`,
  HOST_NO_CHAIN: (d: { dir: string; network: string }) =>
    `there is no chain of the ${d.network} network in ${d.dir} yet: run headframe once, or name another network (--genesis FILE, --mainnet, --testnet)`,
  HOST_BLOCK_FILE_UNREADABLE: (d: { file: string; reason: string }) => `${d.file} cannot be read: ${d.reason}`,
  HOST_BLOCK_FILE_BROKEN: (d: { file: string; offset: number; reason: string }) =>
    `${d.file}: no block at byte ${d.offset}: ${d.reason}`,
  HOST_BLOCK_REFUSED: (d: { file: string; offset: number; block: string; reason: string }) =>
    `${d.file}: block ${d.block} at byte ${d.offset} was not taken: ${d.reason}`,
  HOST_BLOCK_FILE_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
  HOST_PASSWORD_FILE: (d: { file: string; reason: string }) => `--password ${d.file} cannot be read: ${d.reason}`,
  HOST_PRACTICE_RECORD_BROKEN: (d: { file: string }) =>
    `${d.file} does not name the practice network's account: restore it, or run headframe in an empty --datadir`,
  HOST_SETTING_UNKNOWN: (d: { key: string }) => `no setting named ${d.key} that a config file may hold`,
  HOST_SETTING_LOCKED: (d: { key: string; by: string }) => `${d.key} cannot be changed here: ${d.by}`,
  HOST_CONFIG_UNWRITABLE: (d: { file: string; reason: string }) => `${d.file} cannot be written: ${d.reason}`,
})
