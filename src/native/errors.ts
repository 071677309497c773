// What can go wrong with a CPU device and its datasets. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const NativeError = defineErrors({
  DEVICE_ENGINE_CLOSED: () => 'hashing engine is closed',
  DEVICE_DATASET_FOREIGN: () => 'dataset was not built by this engine, or was released',
  DEVICE_DATASET_TOO_BIG: (d: { sizeBytes: number; limitBytes: number }) =>
    `dataset of ${d.sizeBytes} bytes is over the ${d.limitBytes} bytes that hashing without the addon allows`,
  DEVICE_ARGUMENT: (d: { name: string; expected: string }) => `${d.name} is not ${d.expected}`,
})
