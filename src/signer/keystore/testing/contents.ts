// Contents to sign, for tests that need any.
import { textData } from '../../data/sign-data'
import type { ToSign } from '../../model/signed-content'
import { dataToSign } from '../content-digest'

/** A text of 32 equal bytes. */
export function textToSign(fill = 1): ToSign {
  return dataToSign(textData('text/plain', new Uint8Array(32).fill(fill)), null)
}
