// What can go wrong in the miner. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const MinerError = defineErrors({
  DEVICE_UNKNOWN: (d: { device: number; count: number }) =>
    d.count === 0 ? `device ${d.device}: there is no device` : `device ${d.device} is not in 0..${d.count - 1}`,
  DEVICE_OUT_OF_MEMORY: (d: { neededBytes: number; freeBytes: number }) =>
    `dataset needs ${d.neededBytes} bytes, ${d.freeBytes} are free`,
  POOL_INDEX: (d: { index: number; count: number }) =>
    d.count === 0 ? `pool ${d.index}: the list is empty` : `pool ${d.index} is not in 0..${d.count - 1}`,
  POOL_DUPLICATE: (d: { url: string }) => `pool ${d.url} is in the list already`,
  POOL_LIST_FULL: (d: { most: number }) => `the list holds ${d.most} pools, more are not taken`,
  POOL_ACTIVE: (d: { index: number }) => `pool ${d.index} is the active one and cannot be removed`,
  POOL_SWITCHING: () => 'a switch of pools is running; try again when it is done',
  SENSOR_TIMEOUT: (d: { timeoutMs: number }) => `sensor did not answer within ${d.timeoutMs} ms`,
})
