// Verifies a device's solution on the CPU: it becomes a share, fails, or was only borderline.
import { bigintFromBytes } from '../../base/bytes'
import type { XhashEngine } from '../../native/xhash-port'
import type { Job } from '../work-source'
import type { DeviceHash } from './device-backend'

/** Devices compare only the top 64 bits, so equal ones with a larger rest aren't the device's fault. */
const COMPARED_BITS = 64n
const REST_BITS = 256n - COMPARED_BITS

/** The verdict on a solution. */
export type CheckedSolution =
  | { readonly kind: 'good'; readonly mixDigest: Uint8Array; readonly result: Uint8Array }
  | { readonly kind: 'borderline' }
  | { readonly kind: 'failed' }

/** Recomputes the hash from the light cache, off the event loop. @throws what the engine throws */
export async function checkSolution(
  engine: Pick<XhashEngine, 'hashLight'>,
  job: Job,
  nonce: bigint,
): Promise<CheckedSolution> {
  return trustSolution(job, await engine.hashLight(job.epoch, job.sealHash, nonce))
}

/** The same for a hash that is trusted. */
export function trustSolution(job: Job, { mixDigest, result }: DeviceHash): CheckedSolution {
  const hash = bigintFromBytes(result)
  const target = bigintFromBytes(job.target)
  if (hash <= target) return { kind: 'good', mixDigest, result }
  return hash >> REST_BITS === target >> REST_BITS ? { kind: 'borderline' } : { kind: 'failed' }
}
