// The external API's dialect of JSON-RPC, with clef's leniencies, and the answering of calls.
import { z } from 'zod'
import { memberTexts } from '../../base/json-text'
import {
  type Answer,
  Answerer,
  type BodyRead,
  type Dialect,
  isFault,
  NO_ID,
  type Outcome,
  positionalParams,
  type RequestFault,
  type RpcCall,
  readBody,
} from '../../net/json-rpc/json-rpc'
import { SignerError, toRpcError } from '../errors'
import type { Caller } from '../model/request'

/**
 * Longer bodies and parameters aren't read on the signer's own thread. Characters: the dearest ones of this length take
 * 7 ms of CPU time; transactions and texts are shorter.
 */
export const LONG_TEXT = 2_048

interface CallParameters {
  /** As received; `[]` when omitted. */
  readonly text: string
  readonly count: number
  /** Null when they are too long to be read here. */
  readonly values: readonly unknown[] | null
}

/** Before its method parses it. */
export interface ExternalCall {
  readonly method: string
  readonly parameters: CallParameters
  readonly caller: Caller
  /** Aborts when the caller disconnects: a pending request is withdrawn. */
  readonly callerGone: AbortSignal
  /** Identifies its connection, so that the caller is looked up once. Missing for own requests. */
  readonly connection?: object
}

/** Executes one call; what it throws becomes the caller's error. */
export type CallHandler = (call: ExternalCall) => Promise<unknown>

interface BodyContext {
  readonly caller: Caller
  readonly callerGone: AbortSignal
  readonly connection: object
  readonly handle: CallHandler
  /** Reads a long body on another thread. Missing: every body is read here. @throws SignerError SIGNER_CHECK_* */
  readonly readLong?: LongReader | undefined
}

/** @throws SignerError SIGNER_CHECK_* */
export type LongReader = (text: string, origin: CallOrigin) => Promise<BodyRead>

export type CallOrigin = Pick<ExternalCall, 'caller' | 'callerGone' | 'connection'>

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

export const PARSE_ERROR_ANSWER = ANSWERER.parseError

/** The response text; empty when there is none. Never throws. */
export async function answerBody(body: string, context: BodyContext): Promise<string> {
  const { readLong } = context
  const isLong = readLong !== undefined && body.length > LONG_TEXT
  const answer = isLong ? await answerLong(body, context, readLong) : await ANSWERER.answer(body, context)
  return typeof answer === 'string' ? answer : '' // no method of the signer streams
}

async function answerLong(body: string, context: BodyContext, readLong: LongReader): Promise<Answer> {
  try {
    return await ANSWERER.answerRead(await readLong(body, context), context)
  } catch (error) {
    return ANSWERER.text(NO_ID, { error: toRpcError(error) })
  }
}

/** The parameters of a call of a long body, in place of their values; null = not a list. */
class LongParameters {
  constructor(readonly parameters: CallParameters | null) {}
}

/** A long body as it crosses threads: parameters as text, with their number; -1 = not a list. */
export type LongBody =
  | Exclude<BodyRead, { readonly kind: 'one' | 'batch' }>
  | { readonly kind: 'one'; readonly call: LongCall | RequestFault | null }
  | { readonly kind: 'batch'; readonly calls: readonly (LongCall | RequestFault | null)[] }

interface LongCall extends Pick<RpcCall, 'idText' | 'method' | 'isNotification'> {
  readonly text: string
  readonly count: number
}

/** Reads a body where it may take its time. */
export function readLongBody(text: string): LongBody {
  const read = readBody(text, DIALECT)
  if (read.kind === 'one') return { kind: 'one', call: longCall(read.call) }
  return read.kind === 'batch' ? { kind: 'batch', calls: read.calls.map(longCall) } : read
}

function longCall(call: RpcCall | RequestFault | null): LongCall | RequestFault | null {
  if (call === null || isFault(call)) return call
  const { idText, method, isNotification } = call
  const count = positionalParams(call.params)?.length ?? -1
  return { idText, method, isNotification, text: paramsText(call), count }
}

/** What the other thread read, as calls that can be carried out. */
export function bodyOfLong(read: LongBody): BodyRead {
  if (read.kind === 'one') return { kind: 'one', call: rpcCall(read.call) }
  return read.kind === 'batch' ? { kind: 'batch', calls: read.calls.map(rpcCall) } : read
}

function rpcCall(call: LongCall | RequestFault | null): RpcCall | RequestFault | null {
  if (call === null || 'error' in call) return call
  const { text, count } = call
  // Of a batch, most calls may be short ones.
  const isShort = count > 0 && text.length <= LONG_TEXT
  const values = count === 0 ? [] : isShort ? z.array(z.unknown()).parse(JSON.parse(text)) : null
  return { ...call, text: '', params: new LongParameters(count < 0 ? null : { text, count, values }) }
}

function paramsText({ text }: RpcCall): string {
  return memberTexts(text).get('params') ?? '[]'
}

function parametersOf(call: RpcCall): CallParameters | null {
  if (call.params instanceof LongParameters) return call.params.parameters
  const values = positionalParams(call.params)
  return values === null ? null : { text: paramsText(call), count: values.length, values }
}

async function carryOut(call: RpcCall, context: BodyContext): Promise<Outcome> {
  const { handle, caller, callerGone, connection } = context
  try {
    const parameters = parametersOf(call)
    if (parameters === null) throw new SignerError('SIGNER_ARGUMENTS_NOT_ARRAY', undefined)
    return { result: await handle({ method: call.method, parameters, caller, callerGone, connection }) }
  } catch (error) {
    return { error: toRpcError(error) }
  }
}
