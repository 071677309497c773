// Passwords on their way out of a form: how long one has to be, and the form in which its bytes travel.

/** Characters of a password that is chosen here. */
export const MIN_PASSWORD = 10

/** Base64 of bytes, without going through a text that stays in memory longer than needed. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
