// What can go wrong in the miner. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const MinerError = defineErrors({
  DEVICE_UNKNOWN: (d: { device: number; count: number }) =>
    d.count === 0 ? `device ${d.device}: there is no device` : `device ${d.device} is not in 0..${d.count - 1}`,
  DEVICE_OUT_OF_MEMORY: (d: { neededBytes: number; freeBytes: number }) =>
    `dataset needs ${d.neededBytes} bytes, ${d.freeBytes} are free`,
  SENSOR_TIMEOUT: (d: { timeoutMs: number }) => `sensor did not answer within ${d.timeoutMs} ms`,
})
