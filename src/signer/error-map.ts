// Maps the signer's error codes to JSON-RPC numbers: the only place that chooses them.
import { z } from 'zod'
import { HeadframeError, hasCode } from '../base/errors'
import { SignerError } from './errors'

/** The error member of a response. */
interface RpcError {
  readonly code: number
  readonly message: string
  /** Only for an error answered by the user interface. */
  readonly data?: unknown
}

const RPC_CODES: Readonly<Record<string, number>> = {
  SIGNER_PARSE: -32_700,
  SIGNER_INVALID_REQUEST: -32_600,
  SIGNER_EMPTY_BATCH: -32_600,
  SIGNER_METHOD_UNKNOWN: -32_601,
  SIGNER_ARGUMENTS_NOT_ARRAY: -32_602,
  SIGNER_ARGUMENT_MISSING: -32_602,
  SIGNER_ARGUMENTS_TOO_MANY: -32_602,
  SIGNER_ARGUMENT_INVALID: -32_602,
}

const OTHER = -32_000

/**
 * What is wrong with a key file, reported to the caller that requested its signature, as in clef. None
 * contains a path.
 */
export const KEY_FILE_FAULTS = [
  'KEYSTORE_FILE_INVALID',
  'KEYSTORE_FILE_UNSUPPORTED',
  'KEYSTORE_KEY_MISMATCH',
  'KEYSTORE_SECRET_INVALID',
]

const uiAnswer = z.object({ rpcCode: z.number(), text: z.string(), extra: z.unknown().optional() })

/**
 * Errors that are neither the signer's own nor about a key file are reported as `internal error` only: their text could
 * contain what a caller must not see.
 */
export function toRpcError(error: unknown): RpcError {
  if (hasCode(error, 'SIGNER_UI_ANSWER')) return answeredError(error)
  if (isSignerError(error)) return { code: RPC_CODES[error.code] ?? OTHER, message: error.message }
  const isTold = error instanceof HeadframeError && KEY_FILE_FAULTS.includes(error.code)
  return { code: OTHER, message: isTold ? error.message : new SignerError('SIGNER_INTERNAL', undefined).message }
}

const worded = z.object({ reference: z.string() })

/** The error in clef's words, where those differ. */
export function inStrictWords(error: unknown): unknown {
  const read = error instanceof HeadframeError && isWorded(error.code) ? worded.safeParse(error.data) : null
  if (read?.success !== true) return error
  return new SignerError('SIGNER_DATA_INVALID', { reason: read.data.reference, reference: null }, { cause: error })
}

function isWorded(code: string): boolean {
  return code === 'SIGNER_TYPED_DATA_INVALID' || code === 'SIGNER_DATA_INVALID'
}

/** Passed on as answered. */
function answeredError(error: HeadframeError): RpcError {
  const { rpcCode, text, extra } = uiAnswer.parse(error.data)
  return { code: rpcCode, message: text, ...(extra === undefined ? {} : { data: extra }) }
}

function isSignerError(error: unknown): error is HeadframeError {
  return error instanceof HeadframeError && Object.hasOwn(SignerError.table, error.code)
}
