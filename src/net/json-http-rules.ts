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

/** What a load balancer may ask for without a body. */
const HEALTH_CHECKS: readonly string[] = ['GET', 'HEAD']

const ABSOLUTE = /^https?:\/\/([^/?#]*)/i

/** The host that a request is for: in its target, where that has one, else in the header. Source: as `originForm` */
export function hostOf({ url, headers }: Pick<IncomingMessage, 'url' | 'headers'>): string | undefined {
  return ABSOLUTE.exec(url ?? '')?.[1] ?? headers.host
}

/** A request's path and query; a proxy's client sends scheme and host before them. Source: RFC 9112 section 3.2.2 */
export function originForm(url: string | undefined): string {
  const target = url ?? '/'
  const absolute = ABSOLUTE.exec(target)
  if (absolute === null) return target
  const rest = target.slice(absolute[0].length)
  return rest.startsWith('/') ? rest : `/${rest}`
}

const JSON_TYPES: ReadonlySet<string> = new Set(['application/json', 'application/json-rpc', 'application/jsonrequest'])

/**
 * Null: read the body and answer it. A GET or HEAD without body and query is a health check: 200. Source: go-ethereum
 * rpc/http.go (validateRequest) @param limitBytes of the declared length; the reader limits the body itself
 */
export function refusalOf(request: IncomingMessage, limitBytes: number): HttpRefusal | null {
  const { headers, method = '' } = request
  const length = Number(headers['content-length'] ?? 0)
  const hasBody = length > 0 || headers['transfer-encoding'] !== undefined
  if (HEALTH_CHECKS.includes(method) && !hasBody && !originForm(request.url).includes('?'))
    return { status: 200, text: '' }
  if (method === 'PUT' || method === 'DELETE') return { status: 405, text: 'method not allowed' }
  if (length > limitBytes) return { status: 413, text: `content length too large (${length}>${limitBytes})` }
  if (method === 'OPTIONS') return { status: 200, text: '', isJson: true }
  if (JSON_TYPES.has(mediaTypeOf(headers['content-type'] ?? '') ?? '')) return null
  return { status: 415, text: 'invalid content type, only application/json is supported' }
}

const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+"
const PARAMETER = new RegExp(`^;\\s*(${TOKEN})\\s*=\\s*(${TOKEN}|"(?:[^"\\\\\\r\\n]|\\\\.)*")\\s*`)

/** The media type in lower case; null if a parameter has no value or two. Source: RFC 9110 8.3.1; go mime (a last `;`) */
function mediaTypeOf(header: string): string | null {
  const end = header.indexOf(';')
  const type = (end < 0 ? header : header.slice(0, end)).trim().toLowerCase()
  const values = new Map<string, string>()
  for (let rest = end < 0 ? '' : header.slice(end).trim(); rest !== '' && rest !== ';'; ) {
    const [whole = '', name = '', value = ''] = PARAMETER.exec(rest) ?? []
    const key = name.toLowerCase()
    if (whole === '' || (values.get(key) ?? value) !== value) return null
    values.set(key, value)
    rest = rest.slice(whole.length)
  }
  return type
}
