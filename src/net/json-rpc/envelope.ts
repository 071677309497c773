// What a JSON-RPC request is. The programs whose callers we serve disagree about details; a `Dialect` names each of them.
import { endOfValue, memberTexts } from '../../base/json-text'

export interface RpcErrorObject {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

/** What one front takes for a request, and what it says to the rest. Every text is a part of its public API. */
export interface Dialect {
  /** Behind the first JSON value of a text: `refused` makes all of it a parse error, `ignored` answers the first value. */
  readonly trailingText: 'refused' | 'ignored'
  /** Null when that may be an id. Asked about `undefined` too, when there is none: null makes the call a notification. */
  readonly idFault: (id: unknown) => RpcErrorObject | null
  /** `received`: with the caller's own spelling; `printed`: as JSON prints its value. */
  readonly idEcho: 'received' | 'printed'
  /** Whether `"jsonrpc": "2.0"` has to be there. */
  readonly needsVersion: boolean
  /** Whether a method may have an empty name; it is unknown then. */
  readonly takesEmptyMethod: boolean
  /** What has an id and a result, but no method: `ignored` says nothing to it. */
  readonly responses: 'ignored' | 'refused'
  /** Which member of an answer comes first. */
  readonly answersBegin: 'version' | 'id'
  /** Calls of one batch. */
  readonly maxBatch: number
  readonly errors: {
    readonly parse: RpcErrorObject
    readonly invalid: RpcErrorObject
    readonly emptyBatch: RpcErrorObject
    readonly largeBatch: RpcErrorObject
  }
}

export interface RpcCall {
  /** The id as JSON text, `null` where there is none. */
  readonly idText: string
  readonly method: string
  /** As parsed; of any type. */
  readonly params: unknown
  /** The request as received. */
  readonly text: string
  readonly isNotification: boolean
}

/** What a request gets that cannot be carried out; null: nothing. */
export interface RequestFault {
  readonly idText: string
  readonly error: RpcErrorObject
}

/** The id, as JSON text, of an answer to what has none. */
export const NO_ID = 'null'

/** Levels of arrays and objects within each other. As the reference's JSON reader. */
const MAX_DEPTH = 10_000
/** A value of this depth has at least so many characters: shorter texts needn't be looked through. */
const MIN_DEEP_TEXT = 2 * MAX_DEPTH

/**
 * One JSON value, boxed: null is a value. Null when the text is no JSON, or nested deeper than any request.
 */
export function parseJson(text: string): { readonly value: unknown } | null {
  if (text.length > MIN_DEEP_TEXT && isTooDeep(text)) return null
  try {
    return { value: JSON.parse(text) }
  } catch {
    return null
  }
}

/** The text of the first JSON value; null when it isn't complete. */
export function firstValue(text: string): string | null {
  const end = endOfValue(text, 0)
  return end < 0 ? null : text.slice(0, end)
}

/** @param text of `request` as received, since its id may go back as it came: a number may have more digits than a float */
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

export function isFault(read: RpcCall | RequestFault): read is RequestFault {
  return 'error' in read
}

/** Parameters by position, none where they were left out; null when they are anything else. */
export function positionalParams(params: unknown): readonly unknown[] | null {
  if (params === undefined || params === null) return []
  return Array.isArray(params) ? params : null
}

const FIRST_ID = /^\{(?:"jsonrpc":"2\.0",)?"id":([\w."-]+),/
const LAST_ID = /,"id":([\w."-]+)(?:,"jsonrpc":"2\.0")?\}$/
/** Longer ids are looked for with the rest of the request. */
const MAX_QUICK_ID = 80

/** Where most clients write the id it is found without cutting the request up: at its beginning or its end. */
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
  let inString = false
  for (let at = 0; at < text.length; at++) {
    const char = text.charCodeAt(at)
    if (char === 0x22) inString = !inString
    else if (inString) at += char === 0x5c ? 1 : 0
    else if (char === 0x5b || char === 0x7b) {
      depth += 1
      if (depth > MAX_DEPTH) return true
    } else if (char === 0x5d || char === 0x7d) depth -= 1
  }
  return false
}
