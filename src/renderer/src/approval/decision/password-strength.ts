// How hard a password would be to guess, in one of four words. A rough measure: length, kinds of characters, and
// repetitions or runs.
export type Strength = 'weak' | 'fair' | 'good' | 'strong'

/** Minimum bits of guessing for each word. */
const steps: readonly (readonly [Strength, number])[] = [
  ['strong', 90],
  ['good', 65],
  ['fair', 45],
]

/** Words at the top of many password lists. */
const COMMON = /password|passwort|qwert|asdf|letmein|admin|headframe|parallax|bitcoin|ethereum/i

/** @param bytes of the password, ASCII where it counts; not changed */
export function strengthOf(bytes: Uint8Array): Strength {
  const kinds = [/[a-z]/, /[A-Z]/, /[0-9]/, /[^a-zA-Z0-9]/]
  const sizes = [26, 26, 10, 33]
  const text = String.fromCharCode(...bytes.subarray(0, 256))
  const alphabet = kinds.reduce((sum, kind, index) => sum + (kind.test(text) ? (sizes[index] ?? 0) : 0), 0)
  const fresh = bytes.reduce((sum, _, index) => sum + freshness(bytes, index), 0)
  const bits = (COMMON.test(text) ? fresh / 2 : fresh) * Math.log2(Math.max(2, alphabet))
  return steps.find(([, least]) => bits >= least)?.[0] ?? 'weak'
}

/** How new a character is: 0 when it continues a run, half when it occurred before. */
function freshness(bytes: Uint8Array, index: number): number {
  if (followsOn(bytes, index)) return 0
  return bytes.indexOf(bytes[index] ?? 0) === index ? 1 : 0.5
}

/** Equal to the character before it, or its neighbor: `aaaa`, `1234`, `edcb`. */
function followsOn(bytes: Uint8Array, index: number): boolean {
  const before = bytes[index - 1]
  const here = bytes[index]
  return before !== undefined && here !== undefined && Math.abs(here - before) <= 1
}
