// How a method of the line RPC reports errors, and parameter checks shared by many of them.

/** A call's parameters by name. */
export type Params = Readonly<Record<string, unknown>>

/** Ends a call with this code and text; caught where calls are answered. */
export class LineFault extends Error {
  constructor(
    readonly code: number,
    message: string,
  ) {
    super(message)
    this.name = 'LineFault'
  }
}

/** A value out of range, a missing pool, or a state that forbids the call. */
export function refused(message: string): LineFault {
  return new LineFault(-422, message)
}

/** The error for missing or invalid parameters, -32602. */
export function badParams(message: string): LineFault {
  return new LineFault(-32602, message)
}

/** @throws LineFault -32602 when it isn't an object with members */
export function objectOf(params: unknown): Params {
  if (params === undefined || params === null) throw badParams("Missing 'params'")
  if (typeof params !== 'object' || Array.isArray(params)) throw badParams("Invalid type of value 'params'")
  if (Object.keys(params).length === 0) throw badParams("Empty 'params'")
  return { ...params }
}

/** @throws LineFault -32602 */
export function textOf(params: Params, name: string): string {
  const value = present(params, name)
  if (typeof value !== 'string') throw badParams(`Invalid type of value '${name}'`)
  return value
}

/** @throws LineFault -32602 */
export function flagOf(params: Params, name: string): boolean {
  const value = present(params, name)
  if (typeof value !== 'boolean') throw badParams(`Invalid type of value '${name}'`)
  return value
}

/** A nonnegative integer. @throws LineFault -32602 */
export function countOf(params: Params, name: string): number {
  const value = present(params, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value) || value < 0)
    throw badParams(`Invalid type of value '${name}'`)
  return value
}

function present(params: Params, name: string): unknown {
  const value = params[name]
  if (value === undefined) throw badParams(`Missing '${name}'`)
  return value
}
