// How the mining API says no: a status and a JSON body with one text.

export interface ApiFailure {
  readonly status: number
  readonly error: string
}

export function badRequest(error: string): ApiFailure {
  return { status: 400, error }
}

/** True for what `parse...` functions give instead of a value. */
export function isFailure(value: object): value is ApiFailure {
  return 'status' in value && 'error' in value
}

/** `{"error": "text"}` */
export function errorBody(error: string): string {
  return JSON.stringify({ error })
}
