// Routers for tests, on the loopback interface: NAT-PMP, PCP and UPnP, with the faults of real ones.
import { createSocket, type Socket } from 'node:dgram'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A UDP port that answers each request with the result of `answer`. */
export class FakeUdpGateway {
  readonly questions: Uint8Array[] = []
  readonly #socket: Socket = createSocket('udp4')

  constructor(private readonly answer: (question: Uint8Array) => Uint8Array | null) {}

  async open(): Promise<number> {
    this.#socket.on('message', (question, from) => {
      this.questions.push(new Uint8Array(question))
      const answer = this.answer(new Uint8Array(question))
      if (answer !== null) this.#socket.send(answer, from.port, from.address)
    })
    await new Promise<void>((resolve) => this.#socket.bind(0, '127.0.0.1', resolve))
    return this.#socket.address().port
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#socket.close(() => resolve()))
  }
}

const PUBLIC_HOST = Uint8Array.of(8, 1, 2, 3)

/** NAT-PMP, with a result code for mappings. */
export function pmpAnswer(result = 0): (question: Uint8Array) => Uint8Array | null {
  return (question) => {
    if (question[0] !== 0) return null
    const head = Uint8Array.of(0, 0x80 | (question[1] ?? 0), 0, question[1] === 0 ? 0 : result, 0, 0, 0, 9)
    if (question[1] === 0) return Uint8Array.of(...head, ...PUBLIC_HOST)
    return Uint8Array.of(...head, ...question.subarray(4, 8), ...question.subarray(8, 12))
  }
}

/** PCP only: NAT-PMP gets "unsupported version". */
export function pcpAnswer(question: Uint8Array): Uint8Array {
  if (question[0] !== 2) return Uint8Array.of(0, 0x80 | (question[1] ?? 0), 0, 1, 0, 0, 0, 9)
  const answer = question.slice()
  answer[1] = 0x81
  answer.set([0, 0, 0, 0], 8)
  answer.set([0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...PUBLIC_HOST], 44)
  return answer
}

/** Faults of the fake UPnP router. */
export interface FakeUpnpFaults {
  readonly description?: string
  /** Replaces the description's address. */
  readonly location?: string
  /** Error code of the first mapping. */
  readonly firstError?: string
  /** Doesn't answer over HTTP. */
  readonly isMute?: boolean
}

/** UPnP: a UDP port for discovery, an HTTP port for description and control. */
export class FakeUpnpGateway {
  readonly actions: { readonly name: string; readonly body: string }[] = []
  readonly #http: Server
  readonly #udp: FakeUdpGateway

  constructor(private readonly faults: FakeUpnpFaults = {}) {
    this.#http = createServer((request, response) => {
      if (faults.isMute === true) return
      if (request.method === 'GET') return void response.end(faults.description ?? DESCRIPTION)
      let body = ''
      request.on('data', (chunk: Buffer) => {
        body += chunk.toString()
      })
      request.on('end', () => {
        const name = String(request.headers.soapaction).replaceAll('"', '').split('#')[1] ?? ''
        this.actions.push({ name, body })
        const isRefused = this.faults.firstError !== undefined && this.actions.length === 1
        response.statusCode = isRefused ? 500 : 200
        response.end(isRefused ? errorBody(this.faults.firstError ?? '') : answerBody(name))
      })
    })
    this.#udp = new FakeUdpGateway(() => new TextEncoder().encode(this.#announcement()))
  }

  /** @returns the UDP discovery port */
  async open(): Promise<number> {
    await new Promise<void>((resolve) => this.#http.listen(0, '127.0.0.1', resolve))
    return this.#udp.open()
  }

  async close(): Promise<void> {
    await this.#udp.close()
    this.#http.closeAllConnections()
    await new Promise<void>((resolve) => this.#http.close(() => resolve()))
  }

  #announcement(): string {
    const { port } = this.#http.address() as AddressInfo
    const location = this.faults.location ?? `http://127.0.0.1:${port}/root.xml`
    return `HTTP/1.1 200 OK\r\nST: upnp:rootdevice\r\nLOCATION: ${location}\r\n\r\n`
  }
}

export const DESCRIPTION = `<?xml version="1.0"?>
<root xmlns="urn:schemas-upnp-org:device-1-0"><device>
<deviceType>urn:schemas-upnp-org:device:InternetGatewayDevice:1</deviceType>
<deviceList><device><serviceList>
<service><serviceType>urn:schemas-upnp-org:service:Layer3Forwarding:1</serviceType><controlURL>/no</controlURL></service>
<service><serviceType>urn:schemas-upnp-org:service:WANIPConnection:1</serviceType><controlURL>/control</controlURL></service>
</serviceList></device></deviceList></device></root>`

function answerBody(action: string): string {
  const inner = action === 'GetExternalIPAddress' ? '<NewExternalIPAddress>8.1.2.3</NewExternalIPAddress>' : ''
  return `<s:Envelope xmlns:s="x"><s:Body><u:${action}Response xmlns:u="y">${inner}</u:${action}Response></s:Body></s:Envelope>`
}

function errorBody(code: string): string {
  return `<s:Envelope xmlns:s="x"><s:Body><s:Fault><detail><UPnPError><errorCode>${code}</errorCode></UPnPError></detail></s:Fault></s:Body></s:Envelope>`
}
