// Errors of the node as JSON-RPC errors: the only place where their numbers are chosen. Source: rpc.md 3
import { HeadframeError } from '../../base/errors'

export interface RpcErrorObject {
  readonly code: number
  readonly message: string
}

const NUMBERS: Readonly<Record<string, number>> = {
  RPC_PARSE: -32700,
  RPC_INVALID_REQUEST: -32600,
  RPC_METHOD_UNKNOWN: -32601,
  RPC_INVALID_PARAMS: -32602,
}
const METHOD_FAILED = -32000

/** Errors that are not ours are told without their text: it may name files. */
export function rpcErrorOf(error: unknown): RpcErrorObject {
  if (!(error instanceof HeadframeError)) return { code: METHOD_FAILED, message: 'internal error' }
  return { code: NUMBERS[error.code] ?? METHOD_FAILED, message: error.message }
}
