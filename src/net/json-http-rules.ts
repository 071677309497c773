// Which HTTP requests may carry JSON-RPC: method, length and content type, the same for every listener that serves it.
import type { IncomingMessage } from 'node:http'

/** The response when a request is rejected before its body is read. */
export interface HttpRefusal {
  readonly status: number
  /** Empty = no body. */
  readonly text: string
  /** Send an empty JSON-RPC response. */
  readonly isJson?: boolean
}

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/**
 * Null: read the body and answer it. A GET without body and query is a health check and gets 200.
 * @param limitBytes of the declared length; the reader limits the body itself
 * Source: go-ethereum rpc/http.go (validateRequest)
 */
export function refusalOf(request: IncomingMessage, limitBytes: number): HttpRefusal | null {
  const { headers, method, url = '/' } = request
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined
  if (method === 'GET' && !hasBody && !url.includes('?')) return { status: 200, text: '' }
  if (method === 'PUT' || method === 'DELETE') return { status: 405, text: 'method not allowed' }
  if (length > limitBytes) return { status: 413, text: `content length too large (${length}>${limitBytes})` }
  if (method === 'OPTIONS') return { status: 200, text: '', isJson: true }
  const type = (headers['content-type'] ?? '').split(';')[0] ?? ''
  if (JSON_TYPES.has(type.trim().toLowerCase())) return null
  return { status: 415, text: 'invalid content type, only application/json is supported' }
}
