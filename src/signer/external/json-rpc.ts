// JSON-RPC 2.0 over one body of text, with the reference's leniencies (signer.md 2.1): calls, batches, notifications.
import { z } from 'zod'
import { elementTexts, endOfValue, memberTexts } from '../../base/json-text'
import { SignerError } from '../errors'
import type { Caller } from '../requests/request'
import { toRpcError } from './error-map'

export interface ExternalCall {
  readonly method: string
  readonly params: readonly unknown[]
  /** The parameters as received; `[]` when left out. */
  readonly rawParams: string
  readonly caller: Caller
  /** Ends when the caller goes away: whatever still waits is withdrawn. */
  readonly callerGone: AbortSignal
}

/** Carries out one call; what it throws becomes the caller's error. */
export type CallHandler = (call: ExternalCall) => Promise<unknown>

export interface BodyContext {
  readonly caller: Caller
  readonly callerGone: AbortSignal
  readonly handle: CallHandler
}

/** Members that matter; others are ignored, `jsonrpc` included. */
const envelope = z.object({
  method: z.string(),
  id: z.union([z.string(), z.number(), z.null()]).optional(),
  params: z.unknown().optional(),
})

/** More calls in one batch are refused whole; each may wait for the user. */
const MOST_BATCH_ENTRIES = 1_000

/** The answer's text; empty when nothing is to be answered. Never throws. */
export async function answerBody(body: string, context: BodyContext): Promise<string> {
  if (body.trim() === '') return ''
  const end = endOfValue(body, 0)
  const first = end < 0 ? null : body.slice(0, end)
  const parsed = first === null ? null : parseJson(first)
  if (first === null || parsed === null) return parseErrorText()
  if (!Array.isArray(parsed.value)) return answerEntry(first, parsed.value, context)
  return answerBatch(first, parsed.value, context)
}

/** What a caller gets whose text is not JSON. */
export function parseErrorText(): string {
  return errorText('null', new SignerError('SIGNER_PARSE', undefined))
}

export function isJson(text: string): boolean {
  return parseJson(text) !== null
}

async function answerBatch(text: string, values: readonly unknown[], context: BodyContext): Promise<string> {
  if (values.length === 0) return errorText('null', new SignerError('SIGNER_EMPTY_BATCH', undefined))
  if (values.length > MOST_BATCH_ENTRIES) {
    return errorText('null', new SignerError('SIGNER_INVALID_REQUEST', undefined))
  }
  const texts = elementTexts(text)
  const answers: string[] = []
  for (const [index, value] of values.entries()) {
    if (context.callerGone.aborted) break
    answers.push(await answerEntry(texts[index] ?? 'null', value, context))
  }
  const given = answers.filter((answer) => answer !== '')
  return given.length === 0 ? '' : `[${given.join(',')}]`
}

async function answerEntry(text: string, value: unknown, context: BodyContext): Promise<string> {
  const parsed = envelope.safeParse(value)
  const members = parsed.success || isObject(value) ? memberTexts(text) : new Map<string, string>()
  if (!parsed.success) {
    return errorText(plainId(members.get('id')), new SignerError('SIGNER_INVALID_REQUEST', undefined))
  }
  const { method, id, params } = parsed.data
  const answer = await callText(method, params, members.get('params') ?? '[]', context)
  return id === undefined ? '' : `{"jsonrpc":"2.0","id":${plainId(members.get('id'))},${answer}}`
}

async function callText(method: string, params: unknown, rawParams: string, context: BodyContext): Promise<string> {
  const { caller, callerGone, handle } = context
  try {
    if (params !== undefined && params !== null && !Array.isArray(params)) {
      throw new SignerError('SIGNER_ARGUMENTS_NOT_ARRAY', undefined)
    }
    const result = await handle({ method, params: params ?? [], rawParams, caller, callerGone })
    return `"result":${JSON.stringify(result ?? null)}`
  } catch (error) {
    return `"error":${JSON.stringify(toRpcError(error))}`
  }
}

function errorText(id: string, error: unknown): string {
  return `{"jsonrpc":"2.0","id":${id},"error":${JSON.stringify(toRpcError(error))}}`
}

/** The id's own text when it is a string, a number or null; else `null`. */
function plainId(text: string | undefined): string {
  return text !== undefined && /^["\d-]/.test(text) ? text : 'null'
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/**
 * Boxed, so that the value null differs from no value. Shapes are checked by `envelope`, deeper ones by each method.
 */
function parseJson(text: string): { readonly value: unknown } | null {
  try {
    return { value: z.unknown().parse(JSON.parse(text)) }
  } catch {
    return null
  }
}
