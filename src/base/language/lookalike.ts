// Address poisoning: an address made to be taken for another, since people compare its first and last digits.

const DIGITS = 40
/** So many equal digits, at the front and the end together, cost an attacker minutes of search, and chance years. */
const SIMILAR_DIGITS = 8
/** One of both ends has at least this many of them. */
export const END_DIGITS = SIMILAR_DIGITS / 2

/** Whether two different addresses have 8 equal digits at their front and end together. Lower case. */
export function looksLike(address: string, known: string): boolean {
  if (address === known) return false
  let front = 0
  while (front < DIGITS && address[2 + front] === known[2 + front]) front += 1
  let end = 0
  while (end < DIGITS - front && address.at(-1 - end) === known.at(-1 - end)) end += 1
  return front + end >= SIMILAR_DIGITS
}
