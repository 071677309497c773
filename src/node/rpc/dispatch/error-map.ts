// Maps the node's errors to JSON-RPC errors: the only place where their numbers are chosen.
import { HeadframeError } from '../../../base/errors'
import type { RpcErrorObject } from '../../../net/json-rpc/json-rpc'

const NUMBERS: Readonly<Record<string, number>> = {
  RPC_PARSE: -32700,
  RPC_INVALID_REQUEST: -32600,
  RPC_METHOD_UNKNOWN: -32601,
  RPC_INVALID_PARAMS: -32602,
  RPC_SUBSCRIPTION_UNKNOWN: -32601,
  RPC_ANSWER_TOO_LARGE: -32003,
  RPC_USER_REFUSED: 4001,
}
const METHOD_FAILED = -32000

const REVERTED = 3

/** Error data that contain local paths. */
const PLACES: readonly string[] = ['folder', 'file', 'dir']

/** Foreign errors are reported without their text: it may contain paths. `data` is revert data, `0x` hex. */
export function rpcErrorOf(error: unknown): RpcErrorObject {
  if (!(error instanceof HeadframeError)) return { code: METHOD_FAILED, message: 'internal error' }
  if (error.code === 'RPC_REVERTED') return { code: REVERTED, message: error.message, ...revertData(error.data) }
  return { code: ownNumber(error) ?? NUMBERS[error.code] ?? METHOD_FAILED, message: withoutPlaces(error) }
}

/** The number of an error that carries its own. */
function ownNumber({ code, data }: HeadframeError): number | null {
  const isNamed = code === 'RPC_SIMULATION_REFUSED' && typeof data === 'object' && data !== null && 'number' in data
  return isNamed && typeof data.number === 'number' ? data.number : null
}

/** Local paths are not the caller's business. */
function withoutPlaces({ message, data }: HeadframeError): string {
  if (typeof data !== 'object' || data === null) return message
  const places = Object.entries(data).flatMap(([name, value]) =>
    PLACES.includes(name) && typeof value === 'string' && value !== '' ? [value] : [],
  )
  return places.reduce((text, place) => text.split(place).join('(not shown)'), message)
}

function revertData(data: unknown): { readonly data?: string } {
  const isNamed = typeof data === 'object' && data !== null && 'revertData' in data
  return isNamed && typeof data.revertData === 'string' ? { data: data.revertData } : {}
}
