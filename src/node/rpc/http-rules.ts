// Which HTTP requests reach JSON-RPC: path, host, method, length, content type, in this order. Source: rpc.md 2

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { type CorsHeaders, corsHeaders, isPreflight } from './transport/origins'

/** What is to be done with a request. */
export interface HttpVerdict {
  /** Null: read the body and answer it. */
  readonly refusal: HttpRefusal | null
  /** Go with every answer to it. */
  readonly headers: CorsHeaders
}

export interface HttpRefusal {
  readonly status: number
  /** Empty = no body. */
  readonly text: string
  /** Told with an empty answer of JSON-RPC. */
  readonly isJson?: boolean
}

export interface HttpRules {
  /** lower case; `*` = all */
  readonly vhosts: readonly string[]
  /** Origins of pages that may read the answers; none = no CORS headers. */
  readonly corsOrigins: readonly string[]
  readonly bodyLimitBytes: number
}

const CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
])
const NO_HEADERS: CorsHeaders = {}

export function httpVerdict(request: IncomingMessage, rules: HttpRules): HttpVerdict {
  const [path, query] = splitUrl(request.url ?? '/')
  if (path !== '/') return { refusal: { status: 404, text: '' }, headers: NO_HEADERS }
  const { headers, method = '' } = request
  if (!hostAllowed(headers.host, rules.vhosts))
    return { refusal: { status: 403, text: 'invalid host specified' }, headers: NO_HEADERS }
  if (rules.corsOrigins.length === 0) return { refusal: methodRefusal(request, query, rules), headers: NO_HEADERS }
  const cors = {
    method,
    origin: headers.origin,
    askedMethod: headers['access-control-request-method'],
    askedHeaders: headers['access-control-request-headers'],
  }
  const refusal = isPreflight(cors) ? { status: 200, text: '' } : methodRefusal(request, query, rules)
  return { refusal, headers: corsHeaders(cors, rules.corsOrigins) }
}

function methodRefusal(request: IncomingMessage, query: string, rules: HttpRules): HttpRefusal | null {
  const { headers, method } = request
  const length = Number(headers['content-length'] ?? 0)
  const chunked = headers['transfer-encoding'] !== undefined
  if (method === 'GET' && length === 0 && !chunked && query === '') return { status: 200, text: '' }
  if (method === 'PUT' || method === 'DELETE') return { status: 405, text: 'method not allowed' }
  if (length > rules.bodyLimitBytes)
    return { status: 413, text: `content length too large (${length}>${rules.bodyLimitBytes})` }
  if (method === 'OPTIONS') return { status: 200, text: '', isJson: true }
  const type = headers['content-type'] ?? ''
  if (type === 'application/json') return null
  if (CONTENT_TYPES.has(type.split(';')[0]?.trim().toLowerCase() ?? '')) return null
  return { status: 415, text: 'invalid content type, only application/json is supported' }
}

/** An IP literal or a missing header passes; a name must be listed. This is what keeps foreign web pages out. */
export function hostAllowed(header: string | undefined, vhosts: readonly string[]): boolean {
  if (header === undefined || header === '' || vhosts.includes('*')) return true
  const name = header.startsWith('[') ? header.slice(1, Math.max(1, header.indexOf(']'))) : bareName(header)
  return isIP(name) !== 0 || vhosts.some((vhost) => vhost.toLowerCase() === name.toLowerCase())
}

/** Without the port; an IPv6 address without brackets has more than one colon and stays as it is. */
function bareName(header: string): string {
  const [name = '', ...rest] = header.split(':')
  return rest.length === 1 ? name : header
}

function splitUrl(url: string): readonly [path: string, query: string] {
  const at = url.indexOf('?')
  return at < 0 ? [url, ''] : [url.slice(0, at), url.slice(at + 1)]
}
