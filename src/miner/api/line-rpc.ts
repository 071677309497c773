// Line JSON-RPC (miner.md A9): from one line of text to one line of answer. Sockets and tokens belong to the host.
import { LineFault, objectOf, textOf } from './line-fault'
import type { LineMethods } from './line-methods'
import { withExactNonces } from './line-scrambler'

const MAX_BATCH = 32

export interface LineSession {
  /** a token is set and this connection has not shown it */
  needsAuthorization(): boolean
  /** Tries a password; `limited` ends the connection. */
  authorize(password: string): 'right' | 'wrong' | 'limited'
  /** what this caller may do at present */
  mayControl(): boolean
  /** null: no miner runs here */
  readonly methods: LineMethods | null
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

/** Never rejects. @param line without its line end, UTF-8 decoded; not blank */
export async function answerLine(line: string, session: LineSession): Promise<LineAnswer> {
  const value = parse(line)
  if (value === undefined) return written(reply(null, fault(-32700, 'Parse error')))
  if (!Array.isArray(value)) return written(await answerOne(value, session))
  if (value.length === 0 || value.length > MAX_BATCH) return written(reply(null, fault(-32600, 'Invalid Request')))
  const replies: Reply[] = []
  for (const request of value) replies.push(await answerOne(request, session))
  return { text: JSON.stringify(replies), close: replies.some(isTooMany) }
}

/** The answer to a line that is longer than the limit; the connection ends with it. */
export function tooLongAnswer(): LineAnswer {
  return { text: JSON.stringify(reply(null, fault(-32600, 'Request too large'))), close: true }
}

type Reply = Readonly<Record<string, unknown>>

async function answerOne(request: unknown, session: LineSession): Promise<Reply> {
  if (typeof request !== 'object' || request === null || Array.isArray(request)) {
    return reply(null, fault(-32600, 'Invalid Request'))
  }
  const { id, jsonrpc, method, params }: Reply = { ...request }
  if (id === undefined || id === null) return reply(null, fault(-32600, 'Invalid Request (missing or empty id)'))
  if (id === '') return reply(null, fault(-32600, 'Invalid Request (missing or empty id)'))
  const usable = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)
  if (!usable) return reply(null, fault(-32600, 'Invalid Request (id has invalid type)'))
  if (jsonrpc !== '2.0' || typeof method !== 'string') return reply(id, fault(-32600, 'Invalid Request'))
  try {
    return reply(id, await call(method, params, session))
  } catch (error) {
    if (error instanceof LineFault) return reply(id, fault(error.code, error.message))
    return reply(id, fault(-32603, 'Internal error'))
  }
}

/** @throws LineFault */
async function call(method: string, params: unknown, session: LineSession): Promise<Outcome> {
  if (method === 'api_authorize') return authorize(params, session)
  if (session.needsAuthorization()) return fault(-403, 'Authorization needed')
  if (method === 'miner_ping') return { result: 'pong' }
  if (session.methods === null) return fault(-32601, 'Method not found')
  return { result: await session.methods.call(method, params, session.mayControl()) }
}

/** @throws LineFault -32602 */
function authorize(params: unknown, session: LineSession): Outcome {
  const outcome = session.authorize(textOf(objectOf(params), 'psw'))
  if (outcome === 'limited') return { error: TOO_MANY }
  return outcome === 'right' ? { result: true } : fault(-401, 'Invalid password')
}

function parse(line: string): unknown {
  try {
    const value: unknown = JSON.parse(withExactNonces(line))
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
