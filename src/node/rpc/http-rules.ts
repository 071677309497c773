// Which HTTP requests reach JSON-RPC: path, host, method, length, content type, in this order. Source: rpc.md 2

import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'

/** Answer at once with this, or (null) read the body. */
export interface HttpRefusal {
  readonly status: number
  /** Empty = no body. */
  readonly text: string
}

export interface HttpRules {
  /** lower case; `*` = all */
  readonly vhosts: readonly string[]
  readonly bodyLimitBytes: number
}

const CONTENT_TYPES: ReadonlySet<string> = new Set([
  'application/json',
  'application/json-rpc',
  'application/jsonrequest',
])

export function httpRefusal(request: IncomingMessage, rules: HttpRules): HttpRefusal | null {
  const [path, query] = splitUrl(request.url ?? '/')
  if (path !== '/') return { status: 404, text: '' }
  if (!hostAllowed(request.headers.host, rules.vhosts)) return { status: 403, text: 'invalid host specified' }
  const length = Number(request.headers['content-length'] ?? 0)
  const chunked = request.headers['transfer-encoding'] !== undefined
  if (request.method === 'GET' && length === 0 && !chunked && query === '') return { status: 200, text: '' }
  if (request.method === 'PUT' || request.method === 'DELETE') return { status: 405, text: 'method not allowed' }
  if (length > rules.bodyLimitBytes)
    return { status: 413, text: `content length too large (${length}>${rules.bodyLimitBytes})` }
  if (request.method === 'OPTIONS') return { status: 200, text: '' }
  const type = (request.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? ''
  if (CONTENT_TYPES.has(type)) return null
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
