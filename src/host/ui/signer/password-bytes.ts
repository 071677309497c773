// A password from a message: bytes of their own, so that wiping them leaves nothing behind.
import type { SealedPassword } from '../../../base/approvals'
import { secretCopy, wipe } from '../../../base/bytes'
import { type GivenPassword, plainPassword } from '../../../signer/vault-wire'

/** A small Buffer is in memory that Node shares, so it is wiped; the caller wipes the result. */
export function passwordBytes(base64: string): Uint8Array {
  const shared = Buffer.from(base64, 'base64')
  try {
    return secretCopy(shared)
  } finally {
    wipe(shared)
  }
}

/** @param given base64, or sealed */
export function givenPassword(given: string | SealedPassword): GivenPassword {
  return typeof given === 'string' ? plainPassword(passwordBytes(given)) : given
}
