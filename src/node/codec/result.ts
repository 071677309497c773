// Outcome of reading something that others wrote: a value or the reason why it is none. Bad input is never an exception.

export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: string }

export function ok<T>(value: T): Result<T> {
  return { ok: true, value }
}

/** @param error lower case, no full stop */
export function fail(error: string): { readonly ok: false; readonly error: string } {
  return { ok: false, error }
}
