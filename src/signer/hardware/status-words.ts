// What the status word of a device's answer means to the user. Sources: the status words of Ledger's Ethereum app and
// of its operating system, and test/vectors/ledger.
import { type HeadframeError, messageOf } from '../../base/errors'
import { SignerError } from '../errors'

type Meaning = 'LOCKED' | 'APP' | 'REFUSED' | 'BLIND_SIGNING' | 'PATH'

const MEANINGS: ReadonlyMap<number, Meaning> = new Map([
  [0x5515, 'LOCKED'],
  [0x6804, 'LOCKED'],
  [0x6982, 'LOCKED'],
  [0x6b0c, 'LOCKED'],
  // The dashboard answers some of these, other apps the rest: class or instruction not supported.
  [0x6511, 'APP'],
  [0x6d00, 'APP'],
  [0x6d02, 'APP'],
  [0x6e00, 'APP'],
  [0x6e01, 'APP'],
  [0x6985, 'REFUSED'],
  [0x5501, 'REFUSED'],
  [0x6a80, 'BLIND_SIGNING'],
  [0x6a15, 'PATH'],
])

/** An instruction that an older Ethereum app lacks. */
export const UNKNOWN_INSTRUCTION = 0x6d00

/** The library's error in our words. @param path the requested one */
export function deviceError(error: unknown, path: string): HeadframeError {
  const status = statusOf(error)
  const meaning = status === null ? undefined : MEANINGS.get(status)
  const cause = { cause: error }
  if (meaning === 'PATH') {
    return new SignerError('SIGNER_DEVICE_PATH', { path, reason: 'the device does not derive it' }, cause)
  }
  if (meaning !== undefined) return new SignerError(`SIGNER_DEVICE_${meaning}`, undefined, cause)
  const reason = status === null ? messageOf(error).slice(0, 200) : `status 0x${status.toString(16)}`
  return new SignerError('SIGNER_DEVICE_ANSWER', { reason }, cause)
}

/** Null when there is none. The library hides the status of rejected call data behind its own error. */
export function statusOf(error: unknown): number | null {
  if (!(error instanceof Error)) return null
  if (error.name === 'EthAppPleaseEnableContractData') return 0x6a80
  return 'statusCode' in error && typeof error.statusCode === 'number' ? error.statusCode : null
}
