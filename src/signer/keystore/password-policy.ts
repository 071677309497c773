// Password policy for new keys. Bytes, not characters: the reference counts bytes, and files must open on both sides.
// Source: prlx signer/core/validation.go; the backslash is rejected there by mistake and here for compatibility.

const MIN_BYTES = 10
const FIRST_PRINTABLE = 0x20
const LAST_PRINTABLE = 0x7e
const BACKSLASH = 0x5c

/** Null when the password is acceptable, else the reason for callers and users. */
export function passwordFault(password: Uint8Array): string | null {
  if (password.length < MIN_BYTES) return `password too short (<${MIN_BYTES} characters)`
  const odd = password.find((byte) => byte < FIRST_PRINTABLE || byte > LAST_PRINTABLE || byte === BACKSLASH)
  return odd === undefined ? null : 'password contains invalid characters - only 7bit printable ascii allowed'
}
