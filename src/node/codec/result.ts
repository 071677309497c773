// The outcome of reading untrusted data: a value, or the reason why there is none. Bad input is never an exception.

/** A value or an error text. */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** @param error lower case, no full stop */
export function fail(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}
