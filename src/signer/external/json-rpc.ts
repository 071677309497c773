// The external API's dialect of JSON-RPC, with the reference's leniencies, and the answering of calls.
import { memberTexts } from '../../base/json-text'
import { Answerer, type Outcome } from '../../net/json-rpc/answerer'
import { type Dialect, positionalParams, type RpcCall } from '../../net/json-rpc/envelope'
import { toRpcError } from '../error-map'
import { SignerError } from '../errors'
import type { Caller } from '../model/request'

/** One call of the external API, before its method parses it. */
export interface ExternalCall {
  readonly method: string
  readonly params: readonly unknown[]
  /** The parameters as received; `[]` when omitted. */
  readonly rawParams: string
  readonly caller: Caller
  /** Aborts when the caller disconnects: a pending request is withdrawn. */
  readonly callerGone: AbortSignal
  /** Identifies its connection, so that the caller is looked up once. Missing for own requests. */
  readonly connection?: object
}

/** Executes one call; what it throws becomes the caller's error. */
export type CallHandler = (call: ExternalCall) => Promise<unknown>

/** The sender of a body, and its handler. */
interface BodyContext {
  readonly caller: Caller
  readonly callerGone: AbortSignal
  readonly connection: object
  readonly handle: CallHandler
}

const INVALID = toRpcError(new SignerError('SIGNER_INVALID_REQUEST', undefined))

const DIALECT: Dialect = {
  trailingText: 'ignored',
  idFault: (id) => (id === undefined || id === null || ['string', 'number'].includes(typeof id) ? null : INVALID),
  idEcho: 'received',
  needsVersion: false,
  takesEmptyMethod: true,
  responses: 'refused',
  answersBegin: 'version',
  maxBatch: 1_000, // each may wait for the user
  errors: {
    parse: toRpcError(new SignerError('SIGNER_PARSE', undefined)),
    invalid: INVALID,
    emptyBatch: toRpcError(new SignerError('SIGNER_EMPTY_BATCH', undefined)),
    largeBatch: INVALID,
  },
}

const ANSWERER = new Answerer<BodyContext>({
  dialect: DIALECT,
  run: carryOut,
  errorOf: toRpcError,
  // Answers are hashes, signatures and lists of accounts: a batch can't make them large.
  batchAnswers: { maxCharacters: Number.POSITIVE_INFINITY, tooLarge: INVALID },
  isOver: ({ callerGone }) => callerGone.aborted,
})

/** The response to invalid JSON. */
export const PARSE_ERROR_ANSWER = ANSWERER.parseError

/** The response text; empty when there is none. Never throws. */
export async function answerBody(body: string, context: BodyContext): Promise<string> {
  const answer = await ANSWERER.answer(body, context)
  return typeof answer === 'string' ? answer : '' // no method of the signer streams
}

async function carryOut(call: RpcCall, { handle, ...origin }: BodyContext): Promise<Outcome> {
  try {
    const params = positionalParams(call.params)
    if (params === null) throw new SignerError('SIGNER_ARGUMENTS_NOT_ARRAY', undefined)
    const rawParams = memberTexts(call.text).get('params') ?? '[]'
    return { result: await handle({ method: call.method, params, rawParams, ...origin }) }
  } catch (error) {
    return { error: toRpcError(error) }
  }
}
