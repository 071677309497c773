// From the signer's error codes to the numbers of JSON-RPC: the only place that chooses them (signer.md 2.2).
import { HeadframeError } from '../../base/errors'
import { SignerError } from '../errors'

export interface RpcError {
  readonly code: number
  readonly message: string
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
 * Errors that are not the signer's own say `internal error` and nothing else: their text could hold what a caller
 * must not see.
 */
export function toRpcError(error: unknown): RpcError {
  if (isSignerError(error)) return { code: RPC_CODES[error.code] ?? OTHER, message: error.message }
  return { code: OTHER, message: new SignerError('SIGNER_INTERNAL', undefined).message }
}

function isSignerError(error: unknown): error is HeadframeError {
  return error instanceof HeadframeError && Object.hasOwn(SignerError.table, error.code)
}
