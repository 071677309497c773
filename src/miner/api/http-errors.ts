// How the mining API reports errors: a status and a JSON body with one text.

/** An HTTP status and its text. */
export interface ApiFailure {
  readonly status: number
  readonly error: string
}

/** A 400 with this text. */
export function badRequest(error: string): ApiFailure {
  return { status: 400, error }
}

/** Tells an error from a parsed value. */
export function isFailure(value: object): value is ApiFailure {
  return 'status' in value && 'error' in value
}

/** `{"error": "text"}` */
export function errorBody(error: string): string {
  return JSON.stringify({ error })
}
