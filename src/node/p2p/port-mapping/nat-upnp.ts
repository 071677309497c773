// UPnP routers: found by multicast, described in XML, controlled by SOAP. An answer is trusted only about the answering
// host itself, inside the local network. Source: UPnP Device Architecture 1.1; WANIPConnection:1 and :2
import { request } from 'node:http'
import { messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'
import { canonicalIp, parseIp, scopeOf } from '../../identity/ip-address'
import { askUdp, type MappedPort, type NatRouter, type PortMapping, type RouterAddress } from './nat-router'

const MAX_BYTES = 131_072
const TIMEOUT_MS = 3_000

interface RouterRequest {
  readonly url: URL
  /** Null = GET. */
  readonly post: { readonly body: string; readonly headers: Readonly<Record<string, string>> } | null
}

/** The complete answer; a truncated one is a failure. */
interface RouterAnswer {
  readonly status: number
  readonly body: string
  /** Our side of the connection: the address the router knows us by. */
  readonly localHost: string
}

/** @throws DiscoveryError P2P_NAT_FAILED on a connection failure, a timeout or an answer that is too long */
function askRouter({ url, post }: RouterRequest, clock: Clock, signal: AbortSignal): Promise<RouterAnswer> {
  const failure = (reason: string): Error => new DiscoveryError('P2P_NAT_FAILED', { gateway: url.host, reason })
  return new Promise<RouterAnswer>((resolve, reject) => {
    const headers = { ...post?.headers, connection: 'close' }
    const call = request(url, { method: post === null ? 'GET' : 'POST', headers, agent: false, signal })
    const timer = clock.setTimeout(() => call.destroy(failure(`no answer within ${TIMEOUT_MS} ms`)), TIMEOUT_MS)
    call.on('close', () => timer.dispose())
    const onError = (error: Error): void => reject(error instanceof DiscoveryError ? error : failure(messageOf(error)))
    call.on('error', onError)
    call.on('response', (response) => {
      const chunks: Buffer[] = []
      let length = 0
      response.on('data', (chunk: Buffer) => {
        chunks.push(chunk)
        length += chunk.length
        if (length > MAX_BYTES) call.destroy(failure(`its answer is longer than ${MAX_BYTES} bytes`))
      })
      response.on('error', onError)
      response.on('end', () => {
        const localHost = response.socket.localAddress ?? ''
        resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString('utf8'), localHost })
      })
    })
    call.end(post?.body)
  })
}

/** An element; attributes are dropped. */
interface XmlElement {
  /** Without the namespace prefix. */
  readonly name: string
  readonly children: readonly XmlElement[]
  /** Its own text, trimmed. */
  readonly text: string
}

interface OpenElement {
  readonly tag: string
  readonly children: XmlElement[]
  text: string
}

const MAX_CHARACTERS = 262_144
const MAX_ELEMENTS = 5_000
const MAX_DEPTH = 64
const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }
// A name ends at a space, a slash or the end: otherwise the regex would backtrack over all prefixes.
const TOKEN =
  /<\?[^>]*\?>|<!--[\s\S]*?-->|<!\[CDATA\[[\s\S]*?\]\]>|<\/([^\s<>]+)\s*>|<([^\s<>/!?]+)(?=[\s/>])[^<>]*?(\/?)>|[^<]+|</g

/** The root element; null for anything malformed, too big or too deep. */
export function parseXml(text: string): XmlElement | null {
  if (text.length > MAX_CHARACTERS) return null
  const top: OpenElement = { tag: '', children: [], text: '' }
  const open: OpenElement[] = [top]
  let count = 0
  for (const [token, closed, opened, selfClosed] of text.matchAll(TOKEN)) {
    const current = open.at(-1)
    if (current === undefined || token === '<') return null
    if (opened !== undefined) {
      if (++count > MAX_ELEMENTS || open.length > MAX_DEPTH) return null
      const element = { tag: opened, children: [], text: '' }
      if (selfClosed === '/') current.children.push(finished(element))
      else open.push(element)
    } else if (closed !== undefined) {
      open.pop()
      if (current.tag !== closed || current === top) return null
      open.at(-1)?.children.push(finished(current))
    } else {
      current.text += plainText(token)
    }
  }
  const [root, ...others] = top.children
  return open.length === 1 && others.length === 0 && top.text.trim() === '' ? (root ?? null) : null
}

/** Every element of that name at or below `root`, outermost first. */
export function elementsNamed(root: XmlElement, name: string): readonly XmlElement[] {
  const below = root.children.flatMap((child) => elementsNamed(child, name))
  return root.name === name ? [root, ...below] : below
}

/** The text of the first element of that name; null when there is none. */
export function textOf(root: XmlElement, name: string): string | null {
  return elementsNamed(root, name)[0]?.text ?? null
}

/** Text escaped for element content. */
export function xmlText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function finished({ tag, children, text }: OpenElement): XmlElement {
  return { name: tag.slice(tag.indexOf(':') + 1), children, text: text.trim() }
}

function plainText(token: string): string {
  if (token.startsWith('<![CDATA[')) return token.slice(9, -3)
  if (token.startsWith('<')) return '' // a comment or a processing instruction
  return token.replace(/&([a-z]+);/g, (whole, name: string) => ENTITIES[name] ?? whole)
}

const SERVICE = /^urn:schemas-upnp-org:service:(WANIPConnection:[12]|WANPPPConnection:1)$/
const DEVICE = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1'
const ONLY_PERMANENT_LEASES = '725'
const MAX_URL_CHARACTERS = 512

export const SSDP_ADDRESS = { host: '239.255.255.250', port: 1900 } as const

interface Connection {
  readonly control: URL
  readonly service: string
  /** Our address as the router sees it: the target of mappings. */
  readonly localHost: string
}

/** An Internet Gateway Device. Its description and control URLs must be on the host that answered. */
export class UpnpRouter implements NatRouter {
  readonly name = 'UPnP router'
  #connection: Connection | null = null

  constructor(
    private readonly options: RouterAddress,
    private readonly deps: { readonly clock: Clock },
  ) {}

  async map(mapping: PortMapping, signal: AbortSignal): Promise<MappedPort> {
    this.#connection ??= await this.#connect(signal)
    const { localHost } = this.#connection
    const { protocol, port, description, lifetimeSeconds } = mapping
    const fields = (leaseSeconds: number): Readonly<Record<string, string>> => ({
      NewRemoteHost: '',
      NewExternalPort: String(port),
      NewProtocol: protocol.toUpperCase(),
      NewInternalPort: String(port),
      NewInternalClient: localHost,
      NewEnabled: '1',
      NewPortMappingDescription: description,
      NewLeaseDuration: String(leaseSeconds),
    })
    const first = await this.#call('AddPortMapping', fields(lifetimeSeconds), signal)
    const isPermanentOnly = errorCodeOf(first) === ONLY_PERMANENT_LEASES
    this.#check('AddPortMapping', isPermanentOnly ? await this.#call('AddPortMapping', fields(0), signal) : first)
    return { externalPort: port, lifetimeSeconds, externalHost: await this.#externalHost(signal) }
  }

  async unmap({ protocol, port }: PortMapping, signal: AbortSignal): Promise<void> {
    if (this.#connection === null) return
    const fields = { NewRemoteHost: '', NewExternalPort: String(port), NewProtocol: protocol.toUpperCase() }
    this.#check('DeletePortMapping', await this.#call('DeletePortMapping', fields, signal))
  }

  async #externalHost(signal: AbortSignal): Promise<string | null> {
    const answer = await this.#call('GetExternalIPAddress', {}, signal)
    const root = answer.status === 200 ? parseXml(answer.body) : null
    return root === null ? null : canonicalIp(textOf(root, 'NewExternalIPAddress') ?? '')
  }

  async #connect(signal: AbortSignal): Promise<Connection> {
    const { clock } = this.deps
    const head = 'M-SEARCH * HTTP/1.1\r\nHOST: 239.255.255.250:1900\r\nMAN: "ssdp:discover"\r\nMX: 1'
    const bytes = new TextEncoder().encode(`${head}\r\nST: ${DEVICE}\r\n\r\n`)
    const read = (answer: Uint8Array, fromHost: string) => {
      const location = locationOf(Buffer.from(answer).toString('latin1'), fromHost)
      return location === null ? null : { value: location }
    }
    const search = { ...this.options, isConnected: false, bytes: () => bytes, read, triesMs: [700, 700, 1_500] }
    const location = await askUdp(search, clock, signal)
    const { status, body, localHost } = await askRouter({ url: location, post: null }, clock, signal)
    const connection = status === 200 ? connectionOf(body, location) : null
    if (connection === null) throw this.#failure(`${location.host} describes no connection to the outside`)
    return { ...connection, localHost: canonicalIp(localHost) ?? '' }
  }

  async #call(action: string, fields: Readonly<Record<string, string>>, signal: AbortSignal): Promise<RouterAnswer> {
    const connection = this.#connection
    if (connection === null) throw this.#failure('not connected')
    const { control, service } = connection
    const inner = Object.entries(fields).map(([name, value]) => `<${name}>${xmlText(value)}</${name}>`)
    const body = [
      '<?xml version="1.0"?>',
      '<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/"',
      ' s:encodingStyle="http://schemas.xmlsoap.org/soap/encoding/"><s:Body>',
      `<u:${action} xmlns:u="${service}">${inner.join('')}</u:${action}></s:Body></s:Envelope>`,
    ].join('')
    const headers = { 'content-type': 'text/xml; charset="utf-8"', soapaction: `"${service}#${action}"` }
    return askRouter({ url: control, post: { body, headers } }, this.deps.clock, signal)
  }

  #check(action: string, answer: RouterAnswer): void {
    if (answer.status === 200) return
    // The description may be of a router that has since been replaced.
    this.#connection = null
    throw this.#failure(`${action} was refused with ${errorCodeOf(answer) ?? `HTTP status ${answer.status}`}`)
  }

  #failure(reason: string): Error {
    return new DiscoveryError('P2P_NAT_FAILED', { gateway: this.name, reason })
  }
}

/** The description's URL in an answer: on the answering host, inside the local network; null otherwise. */
export function locationOf(answer: string, fromHost: string): URL | null {
  if (!/^HTTP\/1\.[01] 200/.test(answer)) return null
  const location = /^location:[ \t]*(\S+)[ \t]*\r?$/im.exec(answer)?.[1] ?? ''
  const url = urlOn(location, null)
  const ip = url === null ? null : parseIp(url.hostname)
  if (url === null || ip === null || url.hostname !== canonicalIp(fromHost)) return null
  return ['lan', 'loopback'].includes(scopeOf(ip)) ? url : null
}

function connectionOf(description: string, location: URL): Omit<Connection, 'localHost'> | null {
  const root = parseXml(description)
  if (root === null) return null
  for (const element of elementsNamed(root, 'service')) {
    const service = textOf(element, 'serviceType') ?? ''
    const control = urlOn(textOf(element, 'controlURL') ?? '', location)
    // Another host here would let a stranger make us send requests of their choice to a target of their choice.
    if (SERVICE.test(service) && control !== null && control.host === location.host) return { control, service }
  }
  return null
}

function urlOn(text: string, base: URL | null): URL | null {
  if (text === '' || text.length > MAX_URL_CHARACTERS) return null
  try {
    const url = base === null ? new URL(text) : new URL(text, base)
    return url.protocol === 'http:' && url.username === '' ? url : null
  } catch {
    return null // not a URL
  }
}

function errorCodeOf({ status, body }: RouterAnswer): string | null {
  const root = status === 200 ? null : parseXml(body)
  return root === null ? null : textOf(root, 'errorCode')
}
