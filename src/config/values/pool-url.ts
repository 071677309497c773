// Pool addresses in miners' syntax: scheme, login, host, port, path and our two query parameters.
// The miner connects with them, and a form parses them while the user types.
import { Secret } from '../../base/secret'

/** Protocols that send lines of JSON. */
export const lineDialects = ['stratum', 'eth-proxy', 'nicehash', 'stratum2'] as const

/** The protocol spoken with a pool. */
export type DialectName = (typeof lineDialects)[number] | 'getwork'

/** A parsed pool address. */
export interface PoolUrl {
  /** null: detected by trying */
  readonly dialect: DialectName | null
  readonly tls: boolean
  /** false: certificate and host name aren't verified (`?verify=0`) */
  readonly verify: boolean
  /** name or address; IPv6 without brackets */
  readonly host: string
  /** 1..65535 */
  readonly port: number
  readonly user: string
  /** empty when there is none */
  readonly worker: string
  readonly password: Secret | null
  /** begins with `/`, or empty; part of the login for stratum, the request path for getwork */
  readonly path: string
  /** unit of `mining.set_difficulty`; null: inferred from its magnitude */
  readonly difficultyUnit: 'hashes' | 'classic' | null
  /** `scheme://user.worker@host:port`, for matching; no password, path or query */
  readonly plain: string
  /** the same with `:***` in place of a password; the only form to display */
  readonly masked: string
}

/** The invalid part; `all` when the address can't be split. */
export type PoolUrlPart = 'all' | 'scheme' | 'login' | 'host' | 'port' | 'switch'

/** A parsed address or its fault. */
export type PoolUrlOutcome = { readonly url: PoolUrl } | PoolUrlFault

/** What is wrong with a pool address. */
export interface PoolUrlFault {
  readonly fault: string
  readonly part: PoolUrlPart
}

interface Scheme {
  readonly dialect: DialectName | null
  readonly tls: boolean
}

const VERSIONED: Readonly<Record<string, DialectName>> = {
  stratum: 'stratum',
  stratum1: 'eth-proxy',
  stratum2: 'nicehash',
  stratum3: 'stratum2',
}

const DEFAULT_PORTS: Readonly<Record<string, number>> = { http: 80, getwork: 80, https: 443 }
const ACCEPTED =
  'stratum://, stratums://, stratum+tcp://, stratum1+tcp:// (eth-proxy), stratum2+tcp:// (NiceHash), stratum3+tcp:// ' +
  '(EthereumStratum/2), each with +tls too, http://, https:// or getwork://'

/** Parses one pool address. The fault says what is wrong and never repeats a password. */
export function parsePoolUrl(text: string): PoolUrlOutcome {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text)) return wrong('all', 'contains blanks or control characters')
  const match = /^([a-z0-9+]+):\/\/(.+)$/i.exec(text)
  if (match === null) return wrong('all', `expected SCHEME://HOST:PORT with ${ACCEPTED}`)
  const schemeText = (match[1] ?? '').toLowerCase()
  const scheme = schemeOf(schemeText)
  if (scheme === null) return wrong('scheme', `unknown scheme "${schemeText}", expected ${ACCEPTED}`)
  const rest = match[2] ?? ''
  const parts = splitLogin(rest, DEFAULT_PORTS[schemeText] ?? null)
  const login = readLogin(parts.login)
  if (login === null) return wrong('login', 'the login holds a bad percent escape or control characters')
  if (/^0xaddress$/i.test(login.user)) return wrong('login', '0xADDRESS stands for your own address: put that there')
  const { place } = parts
  if ('fault' in place) return place
  const query = readQuery(place.query)
  if (typeof query === 'string') return wrong('switch', query)
  const { host, port, path } = place
  const prefix = `${schemeText}://${login.shown}`
  const address = hostPort({ host, port })
  const plain = login.shown === '' ? `${prefix}${address}` : `${prefix}@${address}`
  const masked = login.password === null ? plain : `${prefix}:***@${address}`
  const { user, worker, password } = login
  return { url: { ...scheme, ...query, user, worker, password, host, port, path, plain, masked } }
}

/** `host:port`, IPv6 in brackets. */
export function hostPort({ host, port }: Pick<PoolUrl, 'host' | 'port'>): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * The address with the password of `known` in place of `***`, which is how a password is displayed.
 * @returns null when `***` can't be filled in: the known one has no password, is another host, or the password would
 * now travel unencrypted
 */
export function withPasswordOf(text: string, known: string): string | null {
  const [shown, own] = [loginOf(text), loginOf(known)]
  if (shown?.password !== HIDDEN) return text
  const [to, from] = [parsePoolUrl(text), parsePoolUrl(known)]
  if (own === null || own.password === '' || 'fault' in to || 'fault' in from) return null
  const isSameHost = to.url.host === from.url.host && to.url.port === from.url.port
  if (!isSameHost || (from.url.tls && !to.url.tls) || (from.url.verify && !to.url.verify)) return null
  const end = shown.start + shown.text.length
  return `${text.slice(0, end - HIDDEN.length)}${own.password}${text.slice(end)}`
}

/** The address as typed, with path and parameters, and `***` in place of its password. */
export function maskedText(text: string): string {
  const login = loginOf(text)
  if (login === null || login.password === '') return text
  const end = login.start + login.text.length
  return `${text.slice(0, end - login.password.length)}${HIDDEN}${text.slice(end)}`
}

const HIDDEN = '***'

/** The login as typed, its offset, and its password; null when it isn't an address. */
function loginOf(text: string): { readonly text: string; readonly start: number; readonly password: string } | null {
  const match = /^([a-z0-9+]+):\/\//i.exec(text)
  if (match === null) return null
  const start = match[0].length
  const { login } = splitLogin(text.slice(start), DEFAULT_PORTS[(match[1] ?? '').toLowerCase()] ?? null)
  const colon = lastOutsideTicks(login, ':')
  return { text: login, start, password: colon < 0 ? '' : login.slice(colon + 1) }
}

function wrong(part: PoolUrlPart, fault: string): PoolUrlFault {
  return { part, fault: `pool address: ${fault}` }
}

function schemeOf(text: string): Scheme | null {
  if (text === 'stratum') return { dialect: null, tls: false }
  if (text === 'stratums' || text === 'stratumss') return { dialect: null, tls: true }
  if (text === 'http' || text === 'getwork') return { dialect: 'getwork', tls: false }
  if (text === 'https') return { dialect: 'getwork', tls: true }
  const [name = '', transport = '', ...more] = text.split('+')
  const dialect = Object.hasOwn(VERSIONED, name) ? VERSIONED[name] : undefined
  if (dialect === undefined || more.length > 0 || !['tcp', 'tls', 'tls12', 'ssl'].includes(transport)) return null
  return { dialect, tls: transport !== 'tcp' }
}

/** The login ends at the last `@` that is followed by a valid host: a path may contain an e-mail address. */
function splitLogin(text: string, defaultPort: number | null): { readonly login: string; readonly place: Place } {
  const last = text.lastIndexOf('@')
  for (let at = last; at >= 0; at = at === 0 ? -1 : text.lastIndexOf('@', at - 1)) {
    const place = readPlace(text.slice(at + 1), defaultPort)
    if (!('fault' in place)) return { login: text.slice(0, at), place }
  }
  return { login: text.slice(0, Math.max(0, last)), place: readPlace(text.slice(last + 1), defaultPort) }
}

interface Login {
  readonly user: string
  readonly worker: string
  readonly password: Secret | null
  /** `user.worker` percent-encoded as given */
  readonly shown: string
}

/** Backticks quote a piece; the last `:` begins the password, the last `.` before it the worker. */
function readLogin(text: string): Login | null {
  const colon = lastOutsideTicks(text, ':')
  const names = colon < 0 ? text : text.slice(0, colon)
  const dot = lastOutsideTicks(names, '.')
  const user = decodePiece(dot < 0 ? names : names.slice(0, dot))
  const worker = decodePiece(dot < 0 ? '' : names.slice(dot + 1))
  const password = colon < 0 ? '' : decodePiece(text.slice(colon + 1))
  if (user === null || worker === null || password === null) return null
  const shown = names.replaceAll('`', '')
  return { user, worker, password: password === '' ? null : new Secret(password), shown }
}

function lastOutsideTicks(text: string, char: string): number {
  let inside = false
  for (let at = text.length - 1; at >= 0; at--) {
    if (text[at] === '`') inside = !inside
    else if (!inside && text[at] === char) return at
  }
  return -1
}

/** `+` stays a plus: e-mail addresses use it. */
function decodePiece(text: string): string | null {
  try {
    const decoded = decodeURIComponent(text.replaceAll('`', ''))
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
    return /[\u0000-\u001f\u007f]/.test(decoded) ? null : decoded
  } catch {
    return null // a percent sign without two hex digits
  }
}

type Place =
  | { readonly host: string; readonly port: number; readonly path: string; readonly query: string }
  | PoolUrlFault

function readPlace(text: string, defaultPort: number | null): Place {
  const match = /^(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9._-]+)(?::(\d{1,6}))?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/.exec(text)
  if (match === null) return wrong('host', 'expected HOST:PORT after the login, a host name or an address')
  const [, hostText = '', portText, path = '', query = ''] = match
  const port = portText === undefined ? defaultPort : Number(portText)
  if (port === null) return wrong('port', `the port of ${hostText} is missing`)
  if (port < 1 || port > 65_535) return wrong('port', `port ${port} is not in 1..65535`)
  return { host: hostText.replace(/^\[|\]$/g, ''), port, path: path === '/' ? '' : path, query }
}

function readQuery(text: string): Pick<PoolUrl, 'verify' | 'difficultyUnit'> | string {
  let verify = true
  let difficultyUnit: PoolUrl['difficultyUnit'] = null
  for (const part of text.split('&').filter((piece) => piece !== '')) {
    if (part === 'verify=0') verify = false
    else if (part === 'verify=1') verify = true
    else if (part === 'diff=hashes') difficultyUnit = 'hashes'
    else if (part === 'diff=classic') difficultyUnit = 'classic'
    else return `unknown switch "${part}", accepted: verify=0, diff=hashes, diff=classic`
  }
  return { verify, difficultyUnit }
}
