// A password out of a message: bytes of their own, so that wiping them leaves none behind.
import { wipe } from '../../../base/bytes'

/** A small Buffer lies in memory that Node shares among many, so that one is wiped; the caller wipes the result. */
export function passwordBytes(base64: string): Uint8Array {
  const shared = Buffer.from(base64, 'base64')
  try {
    return Uint8Array.from(shared)
  } finally {
    wipe(shared)
  }
}
