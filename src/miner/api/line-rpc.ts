// Line JSON-RPC (miner.md A9): from one line of text to one line of answer. Pure; sockets and tokens belong to the host.

const MAX_BATCH = 32

export interface LineSession {
  /** a token is set and this connection has not shown it */
  readonly needsAuthorization: boolean
  /** Tries a password; `limited` ends the connection. */
  authorize(password: string): 'right' | 'wrong' | 'limited'
}

export interface LineAnswer {
  readonly text: string
  /** the connection is to be closed after it */
  readonly close: boolean
}

interface RpcFault {
  readonly code: number
  readonly message: string
}

type Outcome = { readonly result: unknown } | { readonly error: RpcFault }

const TOO_MANY: RpcFault = { code: -429, message: 'Too many attempts' }

/** @param line without its line end, UTF-8 decoded; not blank */
export function answerLine(line: string, session: LineSession): LineAnswer {
  const value = parse(line)
  if (value === undefined) return written(reply(null, fault(-32700, 'Parse error')))
  if (!Array.isArray(value)) return written(answerOne(value, session))
  if (value.length === 0 || value.length > MAX_BATCH) return written(reply(null, fault(-32600, 'Invalid Request')))
  const replies = value.map((request: unknown) => answerOne(request, session))
  return { text: JSON.stringify(replies), close: replies.some(isTooMany) }
}

/** The answer to a line that is longer than the limit; the connection ends with it. */
export function tooLongAnswer(): LineAnswer {
  return { text: JSON.stringify(reply(null, fault(-32600, 'Request too large'))), close: true }
}

type Reply = Readonly<Record<string, unknown>>

function answerOne(request: unknown, session: LineSession): Reply {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return reply(null, fault(-32600, 'Invalid Request'))
  }
  const { id, jsonrpc, method, params }: Reply = { ...request }
  if (id === undefined || id === null) return reply(null, fault(-32600, 'Invalid Request (missing or empty id)'))
  if (id === '') return reply(null, fault(-32600, 'Invalid Request (missing or empty id)'))
  const usable = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)
  if (!usable) return reply(null, fault(-32600, 'Invalid Request (id has invalid type)'))
  if (jsonrpc !== '2.0' || typeof method !== 'string') return reply(id, fault(-32600, 'Invalid Request'))
  return reply(id, call(method, params, session))
}

function call(method: string, params: unknown, session: LineSession): Outcome {
  if (method === 'api_authorize') return authorize(params, session)
  if (session.needsAuthorization) return fault(-403, 'Authorization needed')
  if (method === 'miner_ping') return { result: 'pong' }
  return fault(-32601, 'Method not found')
}

function authorize(params: unknown, session: LineSession): Outcome {
  if (params === undefined || params === null) return fault(-32602, "Missing 'params'")
  if (typeof params !== 'object' || Array.isArray(params)) return fault(-32602, "Invalid type of value 'params'")
  const { psw }: Reply = { ...params }
  if (Object.keys(params).length === 0) return fault(-32602, "Empty 'params'")
  if (psw === undefined) return fault(-32602, "Missing 'psw'")
  if (typeof psw !== 'string') return fault(-32602, "Invalid type of value 'psw'")
  const outcome = session.authorize(psw)
  if (outcome === 'limited') return { error: TOO_MANY }
  return outcome === 'right' ? { result: true } : fault(-401, 'Invalid password')
}

function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(line)
    return value
  } catch {
    return undefined // JSON has no undefined: it marks what is no JSON
  }
}

function reply(id: unknown, outcome: Outcome): Reply {
  return { id, jsonrpc: '2.0', ...outcome }
}

function fault(code: number, message: string): { readonly error: RpcFault } {
  return { error: { code, message } }
}

function written(answer: Reply): LineAnswer {
  return { text: JSON.stringify(answer), close: isTooMany(answer) }
}

function isTooMany(answer: Reply): boolean {
  return answer.error === TOO_MANY
}
