// Which HTTP requests reach JSON-RPC and GraphQL: path, host, method, length, content type, in this order.

import type { IncomingMessage } from 'node:http'
import { type HttpRefusal, originForm, refusalOf } from '../../../net/json-http-rules'
import type { Readiness } from '../readiness'
import { type CorsHeaders, corsHeaders, isPreflight } from './origins'

/** How to handle a request. */
export interface HttpVerdict {
  readonly isGraphql: boolean
  /** Null: read the body and answer it. */
  readonly refusal: HttpRefusal | null
  /** Added to every response. */
  readonly headers: CorsHeaders
}

/** The listener's rules. */
export interface HttpRules {
  /** By Host header. */
  readonly isHostAllowed: (header: string | undefined) => boolean
  /** Origins that may read the answers; none = no CORS headers. */
  readonly corsOrigins: readonly string[]
  readonly bodyLimitBytes: number
  /** Absent: `/health` and `/ready` are unknown paths. */
  readonly readiness?: Readiness
  /** Whether GraphQL is served beside JSON-RPC. */
  readonly hasGraphql: boolean
}

const GRAPHQL_PATHS: readonly string[] = ['/graphql', '/graphql/']

const NO_HEADERS: CorsHeaders = {}

/** What a load balancer asks for; null: something else. */
function checkOf(method: string | undefined, path: string, { readiness }: HttpRules): (() => readonly string[]) | null {
  if (readiness === undefined || (method !== 'GET' && method !== 'HEAD')) return null
  if (path === '/health') return () => readiness.health()
  return path === '/ready' ? () => readiness.ready() : null
}

/** Decides what to do with a request before its body is read. */
export function httpVerdict(request: IncomingMessage, rules: HttpRules): HttpVerdict {
  const path = originForm(request.url).split('?')[0] ?? ''
  const isGraphql = rules.hasGraphql && GRAPHQL_PATHS.includes(path)
  const check = checkOf(request.method, path, rules)
  if (path !== '/' && !isGraphql && check === null)
    return { isGraphql, refusal: { status: 404, text: '' }, headers: NO_HEADERS }
  const { headers, method = '' } = request
  if (!rules.isHostAllowed(headers.host))
    return { isGraphql, refusal: { status: 403, text: 'invalid host specified' }, headers: NO_HEADERS }
  if (check !== null) {
    const reasons = check()
    const text = JSON.stringify({ ok: reasons.length === 0, reasons })
    return { isGraphql, refusal: { status: reasons.length === 0 ? 200 : 503, text, isJson: true }, headers: NO_HEADERS }
  }
  const byItself = refusalOf(request, rules.bodyLimitBytes)
  if (rules.corsOrigins.length === 0) return { isGraphql, refusal: byItself, headers: NO_HEADERS }
  const cors = {
    method,
    origin: headers.origin,
    askedMethod: headers['access-control-request-method'],
    askedHeaders: headers['access-control-request-headers'],
  }
  const refusal = isPreflight(cors) ? { status: 200, text: '' } : byItself
  return { isGraphql, refusal, headers: corsHeaders(cors, rules.corsOrigins) }
}
