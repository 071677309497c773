// Passwords leaving a form: their minimum length, and the encoding of their bytes.
/** Minimum characters of a password chosen here. */
export const MIN_PASSWORD = 10

export function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))
}

/** Base64 of bytes, without an intermediate text that would stay in memory longer than needed. */
export function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}
