// Which web pages may use JSON-RPC: CORS for HTTP and the Origin rule for WebSocket.

const CORS_METHODS: ReadonlySet<string> = new Set(['GET', 'POST'])
const PREFLIGHT_VARY = 'Origin, Access-Control-Request-Method, Access-Control-Request-Headers'

/** What CORS depends on; the last two are `Access-Control-Request-Method` and `-Headers`. */
interface CorsRequest {
  readonly method: string
  readonly origin: string | undefined
  readonly askedMethod: string | undefined
  readonly askedHeaders: string | undefined
}

/** Response headers by name. */
export type CorsHeaders = Readonly<Record<string, string>>

/** True for a CORS preflight. */
export function isPreflight(request: CorsRequest): boolean {
  return request.method === 'OPTIONS' && request.askedMethod !== undefined && request.askedMethod !== ''
}

/** @param origins of `--http.corsdomain`; when empty there are no headers at all */
export function corsHeaders(request: CorsRequest, origins: readonly string[]): CorsHeaders {
  if (origins.length === 0) return {}
  const asked = isPreflight(request)
  const vary: CorsHeaders = { Vary: asked ? PREFLIGHT_VARY : 'Origin' }
  const { origin, method } = request
  const used = asked ? (request.askedMethod ?? '').toUpperCase() : method
  if (origin === undefined || !corsAllowed(origin, origins) || !CORS_METHODS.has(used)) return vary
  const allow = { ...vary, 'Access-Control-Allow-Origin': origins.includes('*') ? '*' : origin }
  if (!asked) return allow
  const names = (request.askedHeaders ?? '').split(',').map(canonicalName).filter(Boolean)
  return {
    ...allow,
    'Access-Control-Allow-Methods': used,
    ...(names.length === 0 ? {} : { 'Access-Control-Allow-Headers': names.join(', ') }),
    'Access-Control-Max-Age': '600', // seconds
  }
}

/** `*` alone matches all; one `*` inside matches any text. */
function corsAllowed(origin: string, origins: readonly string[]): boolean {
  const name = origin.toLowerCase()
  return origins.some((listed) => {
    const [start = '', end] = listed.toLowerCase().split('*')
    if (end === undefined) return start === name
    return name.length >= start.length + end.length && name.startsWith(start) && name.endsWith(end)
  })
}

/** `content-type` as `Content-Type`; empty for an invalid header name. */
function canonicalName(text: string): string {
  const name = text.trim().toLowerCase()
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]+$/.test(name)) return ''
  return name.replace(/(^|-)[a-z]/g, (letter) => letter.toUpperCase())
}

/**
 * A connection without an origin is from a program; a page must match a rule in each part the rule names: scheme, host
 * and port.
 * @param rules of `--ws.origins`; empty = pages of `http://localhost` and of this computer's name
 */
export function originAllowed(origin: string | undefined, rules: readonly string[], hostName: string): boolean {
  if (origin === undefined || origin === '' || rules.includes('*')) return true
  const page = partsOf(origin)
  const effective = rules.length > 0 ? rules : ['http://localhost', ...(hostName === '' ? [] : [`http://${hostName}`])]
  const fits = (rule: string) => partsOf(rule)?.every((part, i) => part === '' || part === page?.[i]) ?? false
  return page !== null && effective.some(fits)
}

/** Scheme, host and port; empty = not specified. */
function partsOf(text: string): readonly string[] | null {
  const match = /^(?:([a-z][a-z0-9+.-]*):\/\/)?(\[[^\]]*\]|[^:/?#\s]*)(?::(\d+))?\/?$/.exec(text.toLowerCase())
  return match?.slice(1).map((part = '') => part) ?? null
}
