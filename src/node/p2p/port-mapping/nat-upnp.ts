// UPnP routers: found by multicast on the local network, described in XML, controlled by SOAP. An answer is trusted
// only about the answering host itself, inside the local network.
// Source: UPnP Device Architecture 1.1; WANIPConnection:1 and :2
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'
import { canonicalIp, parseIp, scopeOf } from '../../identity/ip-address'
import { askRouter, type RouterAnswer } from './nat-http'
import { askUdp, type MappedPort, type NatRouter, type PortMapping } from './nat-router'
import { elementsNamed, parseXml, textOf, xmlText } from './nat-xml'

const SERVICE = /^urn:schemas-upnp-org:service:(WANIPConnection:[12]|WANPPPConnection:1)$/
const DEVICE = 'urn:schemas-upnp-org:device:InternetGatewayDevice:1'
const ONLY_PERMANENT_LEASES = '725'
const MAX_URL_CHARACTERS = 512

export const SSDP_ADDRESS = { host: '239.255.255.250', port: 1900 } as const

/** Destination of the search; 239.255.255.250:1900 except in tests. */
interface UpnpOptions {
  /** Destination address; the protocol's multicast group. */
  readonly host: string
  readonly port: number
}

interface Connection {
  readonly control: URL
  /** `urn:...` */
  readonly service: string
  /** Our address as the router sees it: the target of mappings. */
  readonly localHost: string
}

/** An Internet Gateway Device. Its description and control URLs must be on the host that answered. */
export class UpnpRouter implements NatRouter {
  readonly name = 'UPnP router'
  #connection: Connection | null = null

  constructor(
    private readonly options: UpnpOptions,
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
    return { externalPort: port, externalHost: await this.#externalHost(signal) }
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
    const question = [
      'M-SEARCH * HTTP/1.1',
      'HOST: 239.255.255.250:1900',
      'MAN: "ssdp:discover"',
      'MX: 1',
      `ST: ${DEVICE}`,
    ]
    const bytes = new TextEncoder().encode(`${question.join('\r\n')}\r\n\r\n`)
    const read = (answer: Uint8Array, fromHost: string) => {
      const location = locationOf(Buffer.from(answer).toString('latin1'), fromHost)
      return location === null ? null : { value: location }
    }
    const triesMs = [700, 700, 1_500]
    const location = await askUdp(
      { ...this.options, isConnected: false, bytes: () => bytes, read, triesMs },
      clock,
      signal,
    )
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
