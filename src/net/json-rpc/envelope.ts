// What counts as a JSON-RPC request. Fronts compatible with different programs differ in details; a `Dialect` names
// each difference.
import { elementTexts, endOfString, endOfValue, memberTexts } from '../../base/json-text'

/** The error member of a response. */
export interface RpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What one front accepts as a request, and how it answers everything else. Every text is part of its public API. */
export interface Dialect {
  /** Text after the first JSON value: `refused` makes it all a parse error, `ignored` answers the first value. */
  readonly trailingText: 'refused' | 'ignored'
  /**
   * Null when this may be an id. Also called with `undefined` when there is none: null makes the call a notification.
   */
  readonly idFault: (id: unknown) => RpcErrorObject | null
  /** `received`: with the caller's own spelling; `printed`: as JSON prints its value. */
  readonly idEcho: 'received' | 'printed'
  /** Whether `"jsonrpc": "2.0"` is required. */
  readonly needsVersion: boolean
  /** Whether a method name may be empty; it is then unknown. */
  readonly takesEmptyMethod: boolean
  /** A message with an id and a result but no method: `ignored` gets no response. */
  readonly responses: 'ignored' | 'refused'
  /** Which member of a response comes first. */
  readonly answersBegin: 'version' | 'id'
  /** Maximum calls per batch. */
  readonly maxBatch: number
  readonly errors: {
    readonly parse: RpcErrorObject
    readonly invalid: RpcErrorObject
    readonly emptyBatch: RpcErrorObject
    readonly largeBatch: RpcErrorObject
  }
}

/** One parsed call. */
export interface RpcCall {
  /** The id as JSON text, `null` when there is none. */
  readonly idText: string
  readonly method: string
  /** As parsed; of any type. */
  readonly params: unknown
  /** The request as received. */
  readonly text: string
  readonly isNotification: boolean
}

/** The response to an invalid request; null: no response. */
export interface RequestFault {
  readonly idText: string
  readonly error: RpcErrorObject
}

/** What a body holds. `null` in place of a call: it gets no response. */
export type BodyRead =
  | { readonly kind: 'nothing' | 'broken' | 'emptyBatch' | 'largeBatch' }
  | { readonly kind: 'one'; readonly call: RpcCall | RequestFault | null }
  | { readonly kind: 'batch'; readonly calls: readonly (RpcCall | RequestFault | null)[] }

/** Reads a request or a batch; nothing is carried out. */
export function readBody(text: string, dialect: Dialect): BodyRead {
  const whole = dialect.trailingText === 'refused' ? text : firstValue(text)
  const parsed = whole === null ? null : parseJson(whole)
  if (whole === null || parsed === null) return { kind: text.trim() === '' ? 'nothing' : 'broken' }
  const { value } = parsed
  if (!Array.isArray(value)) return { kind: 'one', call: readRequest(value, whole, dialect) }
  if (value.length === 0) return { kind: 'emptyBatch' }
  if (value.length > dialect.maxBatch) return { kind: 'largeBatch' }
  const texts = elementTexts(whole)
  return { kind: 'batch', calls: value.map((request, index) => readRequest(request, texts[index] ?? '', dialect)) }
}

/** Id, as JSON text, of a response to a request without one. */
export const NO_ID = 'null'

/** Maximum nesting of arrays and objects. Same as the reference's JSON reader. */
const MAX_DEPTH = 10_000
/** A value this deep has at least this many characters: shorter texts needn't be scanned. */
const MIN_DEEP_TEXT = 2 * MAX_DEPTH

/** One JSON value, boxed since null is a value. Null when the text isn't JSON, or is nested too deeply. */
export function parseJson(text: string): { readonly value: unknown } | null {
  if (text.length > MIN_DEEP_TEXT && isTooDeep(text)) return null
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** The text of the first JSON value; null when it is incomplete. */
export function firstValue(text: string): string | null {
  const end = endOfValue(text, 0)
  return end < 0 ? null : text.slice(0, end)
}

/**
 * @param text of `request` as received, since its id may be echoed verbatim: a number may have more digits than a float
 */
export function readRequest(request: unknown, text: string, dialect: Dialect): RpcCall | RequestFault | null {
  const { errors } = dialect
  const isObject = typeof request === 'object' && request !== null && !Array.isArray(request)
  if (!isObject) return { idText: NO_ID, error: errors.invalid }
  const { id, jsonrpc, method, params, result, error } = request as Readonly<Record<string, unknown>>
  const isNamed = typeof method === 'string' && (method !== '' || dialect.takesEmptyMethod)
  const isResponse = !isNamed && id !== undefined && (result !== undefined || error !== undefined)
  if (isResponse && dialect.responses === 'ignored') return null
  const idFault = dialect.idFault(id)
  if (idFault !== null) return { idText: NO_ID, error: idFault }
  const idText = id === undefined ? NO_ID : dialect.idEcho === 'printed' ? JSON.stringify(id) : receivedId(id, text)
  if (!isNamed || (dialect.needsVersion && jsonrpc !== '2.0')) return { idText, error: errors.invalid }
  return { idText, method, params, text, isNotification: id === undefined }
}

/** Tells an invalid request from a call. */
export function isFault(read: RpcCall | RequestFault): read is RequestFault {
  return 'error' in read
}

/** Positional parameters, none when omitted; null when they are anything else. */
export function positionalParams(params: unknown): readonly unknown[] | null {
  if (params === undefined || params === null) return []
  return Array.isArray(params) ? params : null
}

const FIRST_ID = /^\{(?:"jsonrpc":"2\.0",)?"id":([\w."-]+),/
const LAST_ID = /,"id":([\w."-]+)(?:,"jsonrpc":"2\.0")?\}$/
/** Longer ids are found with the full scan. */
const MAX_QUICK_ID = 80

/** Finds the id at the beginning or the end, where most clients write it, without cutting the request into parts. */
function receivedId(id: unknown, text: string): string {
  if (typeof id === 'string' || Number.isSafeInteger(id)) {
    const printed = JSON.stringify(id)
    const quick = LAST_ID.exec(text.slice(-MAX_QUICK_ID)) ?? FIRST_ID.exec(text.slice(0, MAX_QUICK_ID))
    if (quick?.[1] === printed) return printed
  }
  return memberTexts(text).get('id') ?? NO_ID
}

function isTooDeep(text: string): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) {
      const end = endOfString(text, at)
      if (end < 0) return false
      at = end - 1
    } else if (char === 0x5b || char === 0x7b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (char === 0x5d || char === 0x7d) depth -= 1
  }
  return false
}
