// Ids of filters and subscriptions: unguessable for other callers.
import { bigintFromBytes } from '../../../base/bytes'
import { toQuantity } from '../../../base/quantity'

const ID_BYTES = 16

/** 16 random bytes as hex without leading zeros. */
export function newFilterId(randomBytes: (length: number) => Uint8Array): string {
  return toQuantity(bigintFromBytes(randomBytes(ID_BYTES)))
}
