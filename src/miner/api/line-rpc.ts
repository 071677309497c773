// Line JSON-RPC: from one request line to one response line. Sockets and tokens belong to the host.
import { isJsonObject, jsonOrNull } from '../../base/json-text'
import { Answerer, type Dialect, type Outcome, type RpcCall, type RpcErrorObject } from '../../net/json-rpc/json-rpc'
import { LineFault, objectOf, textOf } from './line-fault'
import type { LineMethods } from './line-methods'
import { withExactNonces } from './line-scrambler'

/** One connection, as the line RPC sees it. */
export interface LineSession {
  /** a token is set and this connection hasn't presented it */
  needsAuthorization(): boolean
  /** Tries a password; `limited` ends the connection. */
  authorize(password: string): 'right' | 'wrong' | 'limited'
  /** the caller's current access */
  mayControl(): boolean
  /** null: no miner runs here */
  readonly methods: LineMethods | null
}

/** The response and what follows it. */
export interface LineAnswer {
  readonly text: string
  /** close the connection after it */
  readonly close: boolean
}

const INVALID = fault(-32600, 'Invalid Request')
const TOO_LARGE = fault(-32600, 'Request too large')
const TOO_MANY_TRIES = fault(-429, 'Too many attempts')

const DIALECT: Dialect = {
  trailingText: 'refused',
  idFault,
  idEcho: 'printed',
  needsVersion: true,
  takesEmptyMethod: true,
  responses: 'refused',
  answersBegin: 'id',
  maxBatch: 32,
  errors: { parse: fault(-32700, 'Parse error'), invalid: INVALID, emptyBatch: INVALID, largeBatch: INVALID },
}

interface LineScope {
  readonly session: LineSession
  /** sent beside the method, as some managers do with each request; null: none */
  readonly password: string | null
  /** Too many attempts: the connection ends with the answer. */
  isLimited: boolean
}

const ANSWERER = new Answerer<LineScope>({
  dialect: DIALECT,
  run: carryOut,
  errorOf: () => fault(-32603, 'Internal error'),
  // 32 calls of one rig's figures
  batchAnswers: { maxCharacters: Number.POSITIVE_INFINITY, tooLarge: TOO_LARGE },
  isOver: () => false,
})

/** Never rejects. @param line without its line end, decoded from UTF-8; not blank */
export async function answerLine(line: string, session: LineSession): Promise<LineAnswer> {
  const scope: LineScope = { session, password: passwordOf(line), isLimited: false }
  const answer = await ANSWERER.answer(withExactNonces(line), scope)
  // A call without an id is an error here and no method streams, so there is always a text.
  return { text: typeof answer === 'string' ? answer : ANSWERER.parseError, close: scope.isLimited }
}

/** The answer to a line above the length limit; the connection ends with it. */
export function tooLongAnswer(): LineAnswer {
  return { text: ANSWERER.text('null', { error: TOO_LARGE }), close: true }
}

/** The member `psw` of a single request, not of its params. */
function passwordOf(line: string): string | null {
  if (!line.includes('"psw"')) return null
  const request = jsonOrNull(line)
  return isJsonObject(request) && typeof request.psw === 'string' ? request.psw : null
}

function idFault(id: unknown): RpcErrorObject | null {
  if (id === undefined || id === null || id === '') return fault(-32600, 'Invalid Request (missing or empty id)')
  const isUsable = typeof id === 'string' || (typeof id === 'number' && Number.isSafeInteger(id) && id >= 0)
  return isUsable ? null : fault(-32600, 'Invalid Request (id has invalid type)')
}

async function carryOut(call: RpcCall, scope: LineScope): Promise<Outcome> {
  try {
    const outcome = await outcomeOf(call, scope)
    if ('error' in outcome && outcome.error === TOO_MANY_TRIES) scope.isLimited = true
    return outcome
  } catch (error) {
    if (error instanceof LineFault) return { error: fault(error.code, error.message) }
    return { error: fault(-32603, 'Internal error') }
  }
}

/** @throws LineFault */
async function outcomeOf({ method, params }: RpcCall, scope: LineScope): Promise<Outcome> {
  const { session } = scope
  if (method === 'api_authorize') return authorize(params, session)
  if (scope.password !== null) {
    const outcome = authorize({ psw: scope.password }, session)
    if (!('result' in outcome)) return outcome
  }
  if (session.needsAuthorization()) return { error: fault(-403, 'Authorization needed') }
  if (method === 'miner_ping') return { result: 'pong' }
  if (session.methods === null) return { error: fault(-32601, 'Method not found') }
  return { result: await session.methods.call(method, params, session.mayControl()) }
}

/** @throws LineFault -32602 */
function authorize(params: unknown, session: LineSession): Outcome {
  const outcome = session.authorize(textOf(objectOf(params), 'psw'))
  if (outcome === 'limited') return { error: TOO_MANY_TRIES }
  return outcome === 'right' ? { result: true } : { error: fault(-401, 'Invalid password') }
}

function fault(code: number, message: string): RpcErrorObject {
  return { code, message }
}
