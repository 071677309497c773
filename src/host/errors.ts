// What can go wrong in the house itself: folders, locks, workers. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const HostError = defineErrors({
  HOST_DATA_DIR_IN_USE: (d: { dir: string; pid: number }) => `data directory ${d.dir} is in use by process ${d.pid}`,
  HOST_DATA_DIR_UNUSABLE: (d: { dir: string; reason: string }) => `data directory ${d.dir} cannot be used: ${d.reason}`,
  HOST_SERVICE_OFF: (d: { service: string }) => `this start has no ${d.service}`,
  HOST_WORKER_LOST: (d: { worker: string; reason: string }) => `${d.worker} worker was lost: ${d.reason}`,
  HOST_READY_FILE_FAILED: (d: { file: string; reason: string }) =>
    `ready file ${d.file} cannot be written: ${d.reason}`,
  HOST_PRACTICE_RECORD_BROKEN: (d: { file: string }) =>
    `${d.file} does not name the practice network's account: restore it, or run headframe in an empty --datadir`,
})
