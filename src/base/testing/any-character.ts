// A unit for fast-check's strings.
import fc from 'fast-check'

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800

/** Any character but lone surrogates, like fast-check's `binary`, which first lists them all: a second of CPU time. */
export const anyCharacter: fc.Arbitrary<string> = fc.nat(0x10ffff - SURROGATES).map(
  (at) => String.fromCodePoint(at < FIRST_SURROGATE ? at : at + SURROGATES),
  (text) => {
    const [character = '', ...more] = String(text)
    const code = more.length > 0 ? undefined : character.codePointAt(0)
    return code === undefined || code < FIRST_SURROGATE ? (code ?? -1) : code - SURROGATES
  },
)
