// Discovery's UDP socket: one port, IPv4 or dual-stack, with canonical addresses.
import { createSocket, type Socket } from 'node:dgram'
import { messageOf } from '../../../base/errors'
import type { Logger } from '../../../base/logger'
import { DiscoveryError } from '../../errors'
import { canonicalIp, hostWithoutIpv6 } from '../../identity/ip-address'

export interface Datagram {
  readonly bytes: Uint8Array
  /** Canonical IP literal. */
  readonly host: string
  readonly port: number
}

export interface UdpOptions {
  /** Literal; an IPv6 one (`::`) accepts both families. */
  readonly host: string
  /** 0 = any free one. */
  readonly port: number
}

export type DatagramPort = Pick<UdpPort, 'open' | 'send' | 'close'>

/** The socket itself. A failed send is treated as a lost datagram; only `open` throws, when the port is taken. */
export class UdpPort {
  #socket: Socket | null = null
  #isDual: boolean

  constructor(
    private readonly options: UdpOptions,
    private readonly deps: { readonly log: Logger },
  ) {
    this.#isDual = options.host.includes(':')
  }

  /** @returns the bound port @throws DiscoveryError P2P_UDP_LISTEN_FAILED */
  async open(receive: (datagram: Datagram) => void): Promise<number> {
    const { host, port } = this.options
    const failed = (cause: unknown): Error =>
      new DiscoveryError('P2P_UDP_LISTEN_FAILED', { host, port, reason: messageOf(cause) }, { cause })
    try {
      return await this.#bind(host, receive)
    } catch (error: unknown) {
      const other = hostWithoutIpv6(host, error)
      if (other === null) throw failed(error)
      this.#isDual = false
      return this.#bind(other, receive).catch((second: unknown) => Promise.reject(failed(second)))
    }
  }

  #bind(host: string, receive: (datagram: Datagram) => void): Promise<number> {
    const socket = createSocket({ type: this.#isDual ? 'udp6' : 'udp4' })
    this.#socket = socket
    socket.on('message', (bytes, { address, port: from }) => {
      const sender = canonicalIp(address.split('%')[0] ?? '')
      // A copy: slices of a Buffer would share its memory.
      if (sender !== null && from !== 0) receive({ bytes: new Uint8Array(bytes), host: sender, port: from })
    })
    return new Promise((resolve, reject) => {
      socket.once('error', (cause) => {
        this.#socket = null
        reject(cause)
      })
      socket.bind(this.options.port, host, () => {
        socket.removeAllListeners('error')
        socket.on('error', (error) => this.deps.log.debug('discovery socket failed', { error: messageOf(error) }))
        resolve(socket.address().port)
      })
    })
  }

  send(bytes: Uint8Array, host: string, port: number): void {
    const isV6 = host.includes(':')
    if (isV6 && !this.#isDual) return
    // Without a callback, a failed send would become an error event of the socket.
    this.#socket?.send(bytes, port, this.#isDual && !isV6 ? `::ffff:${host}` : host, (error) => {
      if (error !== null) this.deps.log.trace('datagram not sent', { host, port, error: messageOf(error) })
    })
  }

  close(): Promise<void> {
    const socket = this.#socket
    this.#socket = null
    if (socket === null) return Promise.resolve()
    return new Promise((resolve) => socket.close(() => resolve()))
  }
}
