// Which failures of a service end the whole start.
import { HeadframeError } from '../../base/errors'

/**
 * An error with a code of ours names what its reader has to change (a port in use, a damaged database), so the program ends
 * with it instead of running half. What is unforeseen shows as a failed service, and the others go on.
 */
export function endsTheStart(error: unknown): boolean {
  return error instanceof HeadframeError && error.code !== 'HOST_WORKER_LOST' && !error.code.startsWith('CONTRACT_')
}
