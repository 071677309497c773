// Checks of the callers' arguments, so that both engines reject the same input with the same message.
import { NativeError } from './errors'
import type { CpuJob } from './xhash-port'

/** @throws NativeError DEVICE_ARGUMENT */
export function checkJob(job: CpuJob): void {
  checkBytes('sealHash', job.sealHash, 32)
  checkBytes('target', job.target, 32)
  expect(Number.isSafeInteger(job.token) && job.token >= 0, 'token', 'in 0..2^53-1')
  expect(job.startNonce >= 0n && job.startNonce < 2n ** 64n, 'startNonce', 'in 0..2^64-1')
  expect(Number.isInteger(job.segmentBits) && job.segmentBits >= 0 && job.segmentBits <= 63, 'segmentBits', 'in 0..63')
}

/** @throws NativeError DEVICE_ARGUMENT */
export function checkLightInput(epoch: number, sealHash: Uint8Array, nonce: bigint): void {
  checkEpoch(epoch)
  checkBytes('sealHash', sealHash, 32)
  expect(nonce >= 0n && nonce < 2n ** 64n, 'nonce', 'in 0..2^64-1')
}

/** @throws NativeError DEVICE_ARGUMENT */
export function checkEpoch(epoch: number): void {
  expect(Number.isInteger(epoch) && epoch >= 0 && epoch <= 32639, 'epoch', 'in 0..32639')
}

/** @throws NativeError DEVICE_ARGUMENT */
export function checkThreads(threads: number): void {
  expect(Number.isInteger(threads) && threads >= 1 && threads <= 256, 'threads', 'in 1..256')
}

function checkBytes(name: string, bytes: Uint8Array, length: number): void {
  expect(bytes.length === length, name, `${length} bytes`)
}

function expect(holds: boolean, name: string, expected: string): void {
  if (!holds) throw new NativeError('DEVICE_ARGUMENT', { name, expected })
}
