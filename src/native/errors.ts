// What can go wrong with devices and their datasets. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

export const NativeError = defineErrors({
  DEVICE_ENGINE_CLOSED: () => 'hashing engine is closed',
  DEVICE_DATASET_FOREIGN: () => 'DAG was not built by this engine, or was released',
  DEVICE_DATASET_TOO_BIG: (d: { sizeBytes: number; limitBytes: number }) =>
    `DAG of ${d.sizeBytes} bytes is over the ${d.limitBytes} bytes that hashing without the addon allows`,
  DEVICE_GPU_MEMORY: (d: { text: string }) => `not enough GPU memory: ${d.text}`,
  DEVICE_GPU_BUILD: (d: { text: string }) => `the GPU's kernels cannot be built: ${d.text}`,
  DEVICE_GPU_LOST: (d: { text: string }) => `the GPU no longer responds: ${d.text}`,
  DEVICE_GPU_FAULT: (d: { text: string }) => `the GPU failed: ${d.text}`,
  DEVICE_DRIVER_SILENT: (d: { kind: string; seconds: number }) =>
    `the ${d.kind} driver did not respond within ${d.seconds} s`,
  DEVICE_ARGUMENT: (d: { name: string; expected: string }) => `${d.name} is not ${d.expected}`,
})
