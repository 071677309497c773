// Pool addresses in miners' syntax: scheme, login, host, port, path and our query; a form parses them while one types.
import { bracketed } from '../../base/ip-address'
import { Secret } from '../../base/secret'
import { checkPayee } from './payout-address'
import { loginText, passwordStart, readLogin } from './pool-login'

/** Protocols that send lines of JSON. */
export const lineDialects = ['stratum', 'eth-proxy', 'nicehash', 'stratum2'] as const

/** The protocol spoken with a pool. */
export type DialectName = (typeof lineDialects)[number] | 'getwork'

/** A SOCKS5 proxy. It resolves the pool's name, so names of Tor work. */
export interface SocksProxy {
  readonly host: string
  /** 1..65535 */
  readonly port: number
  /** null: none is sent */
  readonly login: { readonly user: string; readonly password: Secret } | null
}

/** A parsed pool address. */
export interface PoolUrl {
  /** null: detected by trying */
  readonly dialect: DialectName | null
  readonly tls: boolean
  /** false: certificate and host name aren't verified (`?verify=0`) */
  readonly verify: boolean
  /** name or address; IPv6 without brackets, with its zone */
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
  /** null: a direct connection */
  readonly proxy: SocksProxy | null
  /** what is valid but may pay the wrong person, a sentence each; no password */
  readonly warnings: readonly string[]
  /** `scheme://user.worker@host:port`, for matching; no password, path or query */
  readonly plain: string
  /** the same with `:***` in place of a password; the only form to display */
  readonly masked: string
}

/** Login and proxy as texts of their own, taken literally. Empty or absent: as the address says. */
export interface PoolFields {
  readonly user?: string
  readonly worker?: string
  readonly password?: string
  /** `socks5://[USER:PASSWORD@]HOST:PORT`, or `none` */
  readonly proxy?: string
}

/** The invalid part; `all` when the address can't be split. */
type PoolUrlPart = 'all' | 'scheme' | 'login' | 'host' | 'port' | 'switch'

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
const SWITCHES = 'verify=0, diff=hashes, diff=classic, proxy=socks5://HOST:PORT'
const PROXY_GRAMMAR = 'socks5://[USER:PASSWORD@]HOST:PORT, or none'
/** Far longer than any address; finding its parts takes time in the square of it. */
const MAX_LENGTH = 2_048
const HIDDEN = '***'

/** Parses one pool address. The fault says what is wrong and never repeats a password. */
export function parsePoolUrl(text: string): PoolUrlOutcome {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u0020\u007f]/.test(text)) return wrong('all', 'contains blanks or control characters')
  if (text.length > MAX_LENGTH) return wrong('all', `is longer than ${MAX_LENGTH} characters`)
  const cut = cutAddress(text)
  if (cut === null) return wrong('all', `expected SCHEME://HOST:PORT with ${ACCEPTED}`)
  const scheme = schemeOf(cut.scheme)
  if (scheme === null) return wrong('scheme', `unknown scheme "${cut.scheme}", expected ${ACCEPTED}`)
  if ('fault' in cut.place) return cut.place
  const login = readLogin(cut.login)
  if (typeof login === 'string') return wrong('login', login)
  const { user, worker, password } = login
  const { fault, warnings } = checkPayee(user, worker)
  if (fault !== null) return wrong('login', fault)
  const { host, port, path } = cut.place
  const query = readQuery(cut.place.query)
  if (typeof query === 'string') return wrong('switch', query)
  if (/\.onion\.?$/i.test(host) && query.proxy === null)
    return wrong('host', `${host} is reached through Tor only: give --pool-proxy, such as socks5://127.0.0.1:9050`)
  if (host.includes('%') && query.proxy !== null)
    return wrong('host', `the zone of ${host} means nothing behind a proxy: leave the proxy out, or say proxy=none`)
  const prefix = `${cut.scheme}://${login.shown}`
  const address = hostPort({ host, port })
  const plain = login.shown === '' ? `${prefix}${address}` : `${prefix}@${address}`
  const masked = password === null ? plain : `${prefix}:${HIDDEN}@${address}`
  return { url: { ...scheme, ...query, user, worker, password, host, port, path, warnings, plain, masked } }
}

/** `host:port`, IPv6 in brackets. */
export function hostPort({ host, port }: Pick<PoolUrl, 'host' | 'port'>): string {
  return `${bracketed(host)}:${port}`
}

/** What the pool sees of the login, for the log: the names it gets, and whether there is a password. */
export function loginSeen({ dialect, user, worker, password, path, proxy }: PoolUrl): {
  readonly login: string
  readonly worker: string
  readonly password: 'set' | 'none'
  readonly proxy?: string
} {
  const name = dialect === 'getwork' ? user : `${user}${path}`
  const seen = { login: name, worker, password: password === null ? 'none' : 'set' } as const
  return proxy === null ? seen : { ...seen, proxy: hostPort(proxy) }
}

/** The address, completed from fields. @param isDefault its own login wins, a node gets none; else two are a fault */
export function withFields(text: string, fields: PoolFields, isDefault = false): { text: string } | PoolUrlFault {
  const bad = Object.entries(fields).find(([, value]) => !isWellFormed(String(value ?? '')))
  if (bad !== undefined) return wrong('login', `the ${bad[0]} holds control characters or is no text`)
  const cut = cutAddress(text)
  const own = cut === null || 'fault' in cut.place ? null : readLogin(cut.login)
  // Whatever is wrong with the address itself, its parser says.
  if (cut === null || own === null || typeof own === 'string' || 'fault' in cut.place) return { text }
  const isNode = isDefault && Object.hasOwn(DEFAULT_PORTS, cut.scheme)
  const typed = { user: own.user, worker: own.worker, password: own.password?.reveal() ?? '' }
  const given = { user: fields.user ?? '', worker: fields.worker ?? '', password: fields.password ?? '' }
  const names = ['user', 'worker', 'password'] as const
  const twice = names.find((name) => typed[name] !== '' && given[name] !== '' && typed[name] !== given[name])
  if (twice !== undefined && !isDefault) return wrong('login', twoLogins(twice, typed[twice], given[twice]))
  // An own user comes with its own worker and password, if any.
  const isOther = typed.user !== '' && given.user !== '' && typed.user !== given.user
  const isLeft = isNode || (isDefault && isOther)
  const used = isLeft ? { user: '', worker: '', password: '' } : given
  const isChanged = names.some((name) => typed[name] === '' && used[name] !== '')
  const [user, worker, password] = names.map((name) => (typed[name] === '' ? used[name] : typed[name]))
  const login = isChanged ? loginText(user ?? '', worker ?? '', password ?? '') : cut.login
  const head = `${text.slice(0, cut.start)}${login === '' ? '' : `${login}@`}`
  return { text: `${head}${withProxy(text.slice(cut.hostStart), fields.proxy ?? '')}` }
}

/** The address without its login and proxy, and those as texts; null when it can't be split. */
export function fieldsOf(text: string): (Required<PoolFields> & { readonly address: string }) | null {
  const cut = cutAddress(text)
  const login = cut === null || 'fault' in cut.place ? null : readLogin(cut.login)
  if (cut === null || login === null || typeof login === 'string') return null
  const { user, worker, password } = login
  const rest = text.slice(cut.hostStart)
  const proxy = PROXY_SWITCH.exec(rest)?.[2] ?? ''
  const bare = rest.replace(PROXY_SWITCH, (_all, mark: string, _value, next: string) => (next === '&' ? mark : next))
  const address = `${text.slice(0, cut.start)}${bare}`
  return { address, user, worker, password: password?.reveal() ?? '', proxy: decoded(proxy) ?? proxy }
}

/**
 * The address with the passwords of `known` for its `***`; null when they can't be filled in: there is none, the host is
 * another, or the password would now travel unencrypted.
 */
export function withPasswordOf(text: string, known: string): string | null {
  const [shown, own] = [secretsOf(text), secretsOf(known)]
  if (shown.every(({ value }) => value !== HIDDEN)) return text
  const [to, from] = [parsePoolUrl(text), parsePoolUrl(known)]
  if ('fault' in to || 'fault' in from) return null
  let filled = text
  for (const { kind, start, value } of [...shown].reverse()) {
    if (value !== HIDDEN) continue
    const kept = own.find((each) => each.kind === kind)?.value ?? ''
    if (kept === '' || !mayKeep(kind, to.url, from.url)) return null
    filled = `${filled.slice(0, start)}${kept}${filled.slice(start + value.length)}`
  }
  return filled
}

/** The address as typed, with path and parameters, and `***` in place of each password. */
export function maskedText(text: string): string {
  let masked = text
  for (const { start, value } of [...secretsOf(text)].reverse())
    if (value !== '') masked = `${masked.slice(0, start)}${HIDDEN}${masked.slice(start + value.length)}`
  return masked
}

/** A pool's address without its passwords, even when the address is invalid. */
export function shownPool(text: string): string {
  const cut = cutAddress(text)
  if (cut !== null && !('fault' in cut.place)) return maskedText(text)
  // Until the last at sign everything may be a password, and so may everything after the first colon before it.
  const at = text.lastIndexOf('@')
  const start = text.indexOf('://') < 0 ? 0 : text.indexOf('://') + 3
  const colon = text.slice(start, Math.max(start, at)).indexOf(':')
  return colon < 0 ? text : `${text.slice(0, start + colon)}:${HIDDEN}${text.slice(at)}`
}

interface KnownSecret {
  readonly kind: 'login' | 'proxy'
  readonly start: number
  /** as typed */
  readonly value: string
}

/** The passwords in a text, in order; none when it isn't an address. */
function secretsOf(text: string): readonly KnownSecret[] {
  const cut = cutAddress(text)
  if (cut === null) return []
  const from = passwordStart(cut.login)
  const login = from < 0 ? [] : [{ kind: 'login' as const, start: cut.start + from, value: cut.login.slice(from) }]
  const rest = text.slice(cut.hostStart)
  const proxy = PROXY_SWITCH.exec(rest)
  const within = /^(socks5h?(?::|%3a)(?:\/|%2f){2}.*?(?::|%3a))(.*)(?:@|%40)/i.exec(proxy?.[2] ?? '')
  if (proxy === null || within === null) return login
  const [, before = '', value = ''] = within
  const start = cut.hostStart + proxy.index + '?proxy='.length + before.length
  return [...login, { kind: 'proxy', start, value }]
}

function mayKeep(kind: KnownSecret['kind'], to: PoolUrl, from: PoolUrl): boolean {
  if (kind === 'proxy') {
    const [next, before] = [to.proxy, from.proxy]
    return next !== null && before !== null && hostPort(next) === hostPort(before)
  }
  const isSameHost = to.host === from.host && to.port === from.port
  return isSameHost && !(from.tls && !to.tls) && !(from.verify && !to.verify)
}

function twoLogins(name: 'user' | 'worker' | 'password', typed: string, given: string): string {
  if (name === 'password') return 'the password is given twice, in the address and beside it: give one'
  return `the ${name} is given twice: ${typed} in the address and ${given} beside it: give one`
}

function isWellFormed(text: string): boolean {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(text)) return false
  return !/[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/.test(text)
}

/** Host, path and query with the proxy as a switch; an own one stays. */
function withProxy(rest: string, proxy: string): string {
  if (proxy === '' || PROXY_SWITCH.test(rest)) return rest
  const hash = rest.indexOf('#')
  const [body, tail] = hash < 0 ? [rest, ''] : [rest.slice(0, hash), rest.slice(hash)]
  return `${body}${body.includes('?') ? '&' : '?'}proxy=${encodeURIComponent(proxy)}${tail}`
}

/** `?proxy=VALUE`, with the mark before and after it. */
const PROXY_SWITCH = /([?&])proxy=([^&#]*)(&|#|$)/

function wrong(part: PoolUrlPart, fault: string): PoolUrlFault {
  return { part, fault: `pool address: ${fault}` }
}

function schemeOf(text: string): Scheme | null {
  if (text === 'stratum' || text === 'tcp') return { dialect: null, tls: false }
  if (['stratums', 'stratumss', 'ssl', 'tls'].includes(text)) return { dialect: null, tls: true }
  if (text === 'http' || text === 'getwork') return { dialect: 'getwork', tls: false }
  if (text === 'https') return { dialect: 'getwork', tls: true }
  const [name = '', transport = '', ...more] = text.split('+')
  const dialect = Object.hasOwn(VERSIONED, name) ? VERSIONED[name] : undefined
  if (dialect === undefined || more.length > 0 || !['tcp', 'tls', 'tls12', 'ssl'].includes(transport)) return null
  return { dialect, tls: transport !== 'tcp' }
}

interface CutAddress {
  /** lower case */
  readonly scheme: string
  /** as typed, without its `@` */
  readonly login: string
  /** offset of the login */
  readonly start: number
  /** offset of the host */
  readonly hostStart: number
  readonly place: Place
}

/** Splits at the first host that parses, as URL readers do: paths may hold an @. A later one as good is ambiguous. */
function cutAddress(text: string): CutAddress | null {
  const match = /^([a-z0-9+]+):\/\/(.+)$/i.exec(text)
  const scheme = (match?.[1] ?? '').toLowerCase()
  const rest = match?.[2] ?? ''
  if (match === null || text.length > MAX_LENGTH) return null
  const start = scheme.length + '://'.length
  const defaultPort = DEFAULT_PORTS[scheme] ?? null
  const starts = [0, ...[...rest.matchAll(/@/g)].map(({ index }) => index + 1)]
  const places = starts.map((at) => ({ at, place: readPlace(rest.slice(at), defaultPort) }))
  const good = places.find(({ place }) => !('fault' in place)) ?? places.at(-1) ?? { at: 0, place: NO_PLACE }
  const cut = { scheme, login: rest.slice(0, Math.max(0, good.at - 1)), start, hostStart: start + good.at }
  const rival = places.find((each) => each.at > good.at && isRival(rest.slice(good.at, each.at - 1), each.place))
  if (rival === undefined || 'fault' in good.place || 'fault' in rival.place) return { ...cut, place: good.place }
  const hosts = `host ${hostPort(good.place)}, or host ${hostPort(rival.place)} with everything before it as the login`
  return { ...cut, place: wrong('host', `it has two meanings: ${hosts}: ${ENCODE}`) }
}

const ENCODE = 'write %2F for a / and %40 for an @ in a login, or give it as --pool-user and --pool-password'

/** True when the text before an at sign may be a login, or a host with its path. An e-mail address names no port. */
function isRival(before: string, place: Place): boolean {
  if ('fault' in place || /[?&]proxy=[^&#]*$/.test(before)) return false
  return place.hasPort || /[?#]/.test(before)
}

type Place =
  | {
      readonly host: string
      readonly port: number
      readonly path: string
      readonly query: string
      /** false: the scheme's own */
      readonly hasPort: boolean
    }
  | PoolUrlFault

const NO_PLACE = wrong('host', 'expected HOST:PORT after the login, a host name or an address')
const PLACE =
  /^(\[[0-9a-fA-F:.]+(?:%(?:25)?[A-Za-z0-9._~-]{1,64})?\]|[A-Za-z0-9._-]+)(?::(\d{1,6}))?(\/[^?#]*)?(?:\?([^#]*))?(?:#.*)?$/

function readPlace(text: string, defaultPort: number | null): Place {
  const match = PLACE.exec(text)
  if (match === null) return NO_PLACE
  const [, hostText = '', portText, path = '', query = ''] = match
  // RFC 6874 writes a zone's percent sign as %25.
  const host = hostText.replace(/^\[|\]$/g, '').replace(/%(?:25)?(?=.)/, '%')
  if (/^0x[0-9a-f]{20,}/i.test(host)) return wrong('host', 'the host is missing: the login is followed by @HOST:PORT')
  const port = portText === undefined ? defaultPort : Number(portText)
  if (port === null) return wrong('port', `the port of ${hostText} is missing`)
  if (port < 1 || port > 65_535) return wrong('port', `port ${port} is not in 1..65535`)
  return { host, port, path: path === '/' ? '' : path, query, hasPort: portText !== undefined }
}

function readQuery(text: string): Pick<PoolUrl, 'verify' | 'difficultyUnit' | 'proxy'> | string {
  let verify = true
  let difficultyUnit: PoolUrl['difficultyUnit'] = null
  let proxy: SocksProxy | null = null
  for (const part of text.split('&').filter((piece) => piece !== '')) {
    if (part === 'verify=0') verify = false
    else if (part === 'verify=1') verify = true
    else if (part === 'diff=hashes') difficultyUnit = 'hashes'
    else if (part === 'diff=classic') difficultyUnit = 'classic'
    else if (part.startsWith('proxy=')) {
      const read = readProxy(decoded(part.slice('proxy='.length)) ?? '')
      if (read === undefined) return `the proxy is not ${PROXY_GRAMMAR}`
      proxy = read
    } else return `unknown switch "${part}", accepted: ${SWITCHES}`
  }
  return { verify, difficultyUnit, proxy }
}

/** Null for `none`, undefined for anything that isn't a proxy. */
function readProxy(text: string): SocksProxy | null | undefined {
  if (text === 'none') return null
  const match = /^socks5h?:\/\/(?:([^@]*)@)?([^@]+?)\/?$/i.exec(text)
  const place = readPlace(match?.[2] ?? '', null)
  if (match === null || 'fault' in place || place.path !== '' || place.query !== '') return undefined
  const { host, port } = place
  if (match[1] === undefined) return { host, port, login: null }
  const colon = match[1].indexOf(':')
  const user = decoded(colon < 0 ? match[1] : match[1].slice(0, colon))
  const password = decoded(colon < 0 ? '' : match[1].slice(colon + 1))
  const isFit = (part: string | null): part is string => part !== null && new TextEncoder().encode(part).length <= 255
  if (!isFit(user) || !isFit(password) || user === '') return undefined
  return { host, port, login: { user, password: new Secret(password) } }
}

/** Whether a text names a proxy, or `none`. */
export function isProxy(text: string): boolean {
  return readProxy(text) !== undefined
}

/** Percent escapes as what they stand for; null where one is broken. */
export function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text)
  } catch {
    return null // a percent sign without two hex digits
  }
}
