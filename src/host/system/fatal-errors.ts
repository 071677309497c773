// Which service failures end the whole start.
import { HeadframeError } from '../../base/errors'

/**
 * An error with our own code says what to change (a port in use, a damaged database), so the program ends with it
 * instead of running partially. An unforeseen error shows as a failed service, and the others continue.
 */
export function endsTheStart(error: unknown): boolean {
  return error instanceof HeadframeError && error.code !== 'HOST_WORKER_LOST' && !error.code.startsWith('CONTRACT_')
}
