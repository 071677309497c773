// One error family: a code that callers test, typed data, a message. Codes are public; edges map them to their numbers.

// Recognizing file system errors by their code.

/** Whether the system failed with one of these codes (`ENOENT`, `EEXIST`, ...). */
export function isSystemCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code))
}

/** Every error of ours. Test with `hasCode`, never by message. */
export class HeadframeError<Code extends string = string, Data = unknown> extends Error {
  /** Family prefix and name, for example `STORE_CORRUPT`. Never renamed once released. */
  readonly code: Code
  /** The message's inputs; plain JSON, no secrets. */
  readonly data: Data

  constructor(code: Code, message: string, data: Data, options?: { readonly cause?: unknown }) {
    super(message, options)
    this.name = 'HeadframeError'
    this.code = code
    this.data = data
  }
}

/** A table row: makes the message (lower case, no full stop, names the value and what was expected). */
type Messages = Record<string, (data: never) => string>

/** The class a table yields: `new PoolError('POOL_CLOSED', { host })`. */
interface ErrorClass<T extends Messages> {
  new <C extends keyof T & string>(
    code: C,
    data: Parameters<T[C]>[0],
    options?: { readonly cause?: unknown },
  ): HeadframeError<C, Parameters<T[C]>[0]>
  /** The rows, for the generated reference page. */
  readonly table: T
}

/**
 * Makes an error class from a table code -> data -> message. The table is the single source of codes and texts.
 * @example export const PoolError = defineErrors({ POOL_CLOSED: (d: { host: string }) => `connection to ${d.host} closed` })
 */
export function defineErrors<const T extends Messages>(table: T): ErrorClass<T> {
  class TableError extends HeadframeError {
    static readonly table = table
    constructor(code: string, data: unknown, options?: { readonly cause?: unknown }) {
      super(code, table[code]?.(data as never) ?? code, data, options)
    }
  }
  return TableError as unknown as ErrorClass<T>
}

/** True when `error` is one of ours with exactly this code. */
export function hasCode<C extends string>(error: unknown, code: C): error is HeadframeError<C> {
  return error instanceof HeadframeError && error.code === code
}

/** What a schema (zod) says of faults. */
interface SchemaFailure {
  readonly issues: readonly {
    readonly code?: string | undefined
    readonly path: readonly PropertyKey[]
    readonly message: string
    readonly issues?: readonly { readonly message: string }[]
  }[]
}

/** A one-line text for any thrown value; never empty for an error. */
export function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  // A host with several addresses fails with an error for each, and no words of its own.
  const several = error.message === '' && error instanceof AggregateError ? error.errors.map(messageOf) : []
  const fault = 'issues' in error && Array.isArray(error.issues) ? schemaFault(error as SchemaFailure) : ''
  return fault || error.message || [...new Set(several)].join('; ') || error.name
}

/** A schema's first fault, as `place: what is wrong`. @param whole the place of a fault that no part of the value has */
export function schemaFault({ issues }: SchemaFailure, whole = ''): string {
  const [issue] = issues
  if (issue === undefined) return ''
  const place = issue.path.map(String).join('.') || whole
  // An invalid name of a record's member has its fault inside.
  const what = issue.issues?.[0]?.message ?? issue.message
  const [, wanted, found] = /^Invalid input: expected (.+), received (.+)$/.exec(what) ?? []
  const text =
    wanted === undefined ? what : found === 'undefined' ? `missing, want ${wanted}` : `want ${wanted}, not ${found}`
  return place === '' ? text : `${place}: ${text}`
}

/** What the system's codes mean to a reader. */
const SYSTEM_REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or folder',
  ENOTDIR: 'part of its path is a file',
  EISDIR: 'it is a folder',
  EEXIST: 'there is a file of this name',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'it is on a read-only disk',
  ENOSPC: 'the disk is full',
  ENAMETOOLONG: 'the name is too long',
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'the other side closed the connection',
  ETIMEDOUT: 'no answer',
  ENOTFOUND: 'no such host',
  EAI_AGAIN: 'the host cannot be looked up at the moment',
  EHOSTUNREACH: 'no route to it',
  ENETUNREACH: 'no route to it',
}

/** Why the system refused, in words; the message of any other error. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return Object.hasOwn(SYSTEM_REASONS, code) ? (SYSTEM_REASONS[code] ?? '') : messageOf(error)
}

/** The message of the innermost cause. */
export function rootMessage(error: unknown): string {
  return error instanceof Error && error.cause instanceof Error ? rootMessage(error.cause) : messageOf(error)
}
