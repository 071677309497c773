// Which HTTP requests reach JSON-RPC: path, host, method, length, content type, in this order.

import type { IncomingMessage } from 'node:http'
import { isHostAllowed } from '../../../net/host-header'
import { type HttpRefusal, refusalOf } from '../../../net/json-http-rules'
import { type CorsHeaders, corsHeaders, isPreflight } from './origins'

/** What is to be done with a request. */
export interface HttpVerdict {
  /** Null: read the body and answer it. */
  readonly refusal: HttpRefusal | null
  /** Go with every answer to it. */
  readonly headers: CorsHeaders
}

export interface HttpRules {
  /** lower case; `*` = all */
  readonly vhosts: readonly string[]
  /** Origins of pages that may read the answers; none = no CORS headers. */
  readonly corsOrigins: readonly string[]
  readonly bodyLimitBytes: number
}

const NO_HEADERS: CorsHeaders = {}

export function httpVerdict(request: IncomingMessage, rules: HttpRules): HttpVerdict {
  if ((request.url ?? '/').split('?')[0] !== '/') return { refusal: { status: 404, text: '' }, headers: NO_HEADERS }
  const { headers, method = '' } = request
  if (!isHostAllowed(headers.host, rules.vhosts))
    return { refusal: { status: 403, text: 'invalid host specified' }, headers: NO_HEADERS }
  if (rules.corsOrigins.length === 0) return { refusal: refusalOf(request, rules.bodyLimitBytes), headers: NO_HEADERS }
  const cors = {
    method,
    origin: headers.origin,
    askedMethod: headers['access-control-request-method'],
    askedHeaders: headers['access-control-request-headers'],
  }
  const refusal = isPreflight(cors) ? { status: 200, text: '' } : refusalOf(request, rules.bodyLimitBytes)
  return { refusal, headers: corsHeaders(cors, rules.corsOrigins) }
}
