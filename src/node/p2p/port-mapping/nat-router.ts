// What is asked of any kind of router, and the UDP exchange that all of them begin with.
import { createSocket } from 'node:dgram'
import { concatBytes, equalBytes } from '../../../base/bytes'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'
import { formatIp, parseIp } from '../../identity/ip-address'

// Routers with NAT-PMP or its successor PCP: one datagram each way.
// Source: RFC 6886 (NAT-PMP), RFC 6887 (PCP)

const PMP_OPCODES = { udp: 1, tcp: 2 } as const
const IP_PROTOCOLS = { udp: 17, tcp: 6 } as const
const UNSUPPORTED_VERSION = 1
const PCP_BYTES = 60
const PCP_VERSION = 2
const PCP_MAP = 1
const ANSWER = 0x80
const NONCE_AT = 24
const MAPPED_IPV4 = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff)

export const PMP_PORT = 5351

type Granted = Pick<MappedPort, 'externalPort' | 'lifetimeSeconds'>

/** Tries NAT-PMP and switches to PCP when the router answers that it only supports that version. */
export class PmpRouter implements NatRouter {
  readonly name: string
  #speaksPcp = false
  /** Identifies the client to PCP. */
  #nonce: Uint8Array | null = null

  constructor(
    private readonly options: RouterAddress,
    private readonly deps: { readonly clock: Clock; readonly randomBytes: (length: number) => Uint8Array },
  ) {
    this.name = `NAT-PMP router ${options.host}`
  }

  async map(mapping: PortMapping, signal: AbortSignal): Promise<MappedPort> {
    if (!this.#speaksPcp) {
      const mapped = await this.#mapByPmp(mapping, signal)
      if (mapped !== 'wrong version') return { ...this.#checked(mapped), externalHost: await this.#askHost(signal) }
      this.#speaksPcp = true
    }
    return this.#checked(await this.#mapByPcp(mapping, signal))
  }

  #checked<T extends Granted>(mapped: T): T {
    if (mapped.externalPort === 0) throw this.#failure('it maps port 0')
    return mapped
  }

  async unmap(mapping: PortMapping, signal: AbortSignal): Promise<void> {
    const ended = { ...mapping, lifetimeSeconds: 0 }
    if (this.#speaksPcp) await this.#mapByPcp(ended, signal)
    else await this.#mapByPmp(ended, signal)
  }

  #mapByPmp(mapping: PortMapping, signal: AbortSignal): Promise<Granted | 'wrong version'> {
    const { protocol, port, lifetimeSeconds } = mapping
    const opcode = PMP_OPCODES[protocol]
    const question = new DataView(new ArrayBuffer(12))
    question.setUint8(1, opcode)
    question.setUint16(4, port)
    question.setUint16(6, lifetimeSeconds === 0 ? 0 : port)
    question.setUint32(8, lifetimeSeconds)
    const read = (answer: Uint8Array): { readonly value: Granted | 'wrong version' } | null => {
      const view = viewOf(answer)
      // A PCP-only router may answer in its own format.
      if (answer.length >= 4 && answer[0] === PCP_VERSION) return { value: 'wrong version' }
      if (answer.length < 8 || answer[0] !== 0) return null
      const result = view.getUint16(2)
      if (result === UNSUPPORTED_VERSION) return { value: 'wrong version' }
      if (answer[1] !== (ANSWER | opcode)) return null
      if (result !== 0) throw this.#failure(`result ${result}`)
      if (answer.length < 16 || view.getUint16(8) !== port) return null
      return { value: { externalPort: view.getUint16(10), lifetimeSeconds: view.getUint32(12) } }
    }
    return this.#ask(() => new Uint8Array(question.buffer), read, signal)
  }

  #askHost(signal: AbortSignal): Promise<string | null> {
    const read = (answer: Uint8Array) => {
      if (answer.length < 4 || answer[0] !== 0 || answer[1] !== ANSWER) return null
      if (viewOf(answer).getUint16(2) !== 0) return { value: null }
      return answer.length >= 12 ? { value: formatIp(answer.slice(8, 12)) } : null
    }
    return this.#ask(() => new Uint8Array(2), read, signal)
  }

  #mapByPcp(mapping: PortMapping, signal: AbortSignal): Promise<MappedPort> {
    const { protocol, port, lifetimeSeconds } = mapping
    this.#nonce ??= this.deps.randomBytes(12)
    const nonce = this.#nonce
    const bytes = (localHost: string): Uint8Array => {
      const question = new Uint8Array(PCP_BYTES)
      const view = viewOf(question)
      question[0] = PCP_VERSION
      question[1] = PCP_MAP
      view.setUint32(4, lifetimeSeconds)
      question.set(concatBytes(MAPPED_IPV4, parseIp(localHost) ?? new Uint8Array(4)), 8)
      question.set(nonce, NONCE_AT)
      question[36] = IP_PROTOCOLS[protocol]
      view.setUint16(40, port)
      view.setUint16(42, lifetimeSeconds === 0 ? 0 : port)
      question.set(MAPPED_IPV4, 44)
      return question
    }
    const read = (answer: Uint8Array) => {
      if (answer.length < PCP_BYTES || answer[0] !== PCP_VERSION || answer[1] !== (ANSWER | PCP_MAP)) return null
      if (!equalBytes(answer.subarray(NONCE_AT, NONCE_AT + 12), nonce)) return null
      if (answer[36] !== IP_PROTOCOLS[protocol] || viewOf(answer).getUint16(40) !== port) return null
      if (answer[3] !== 0) throw this.#failure(`PCP result ${answer[3]}`)
      const [externalPort, lifetimeSeconds] = [viewOf(answer).getUint16(42), viewOf(answer).getUint32(4)]
      return { value: { externalPort, lifetimeSeconds, externalHost: formatIp(answer.slice(44, 60)) } }
    }
    return this.#ask(bytes, read, signal)
  }

  #ask<T>(
    bytes: (localHost: string) => Uint8Array,
    read: (answer: Uint8Array) => { readonly value: T } | null,
    signal: AbortSignal,
  ): Promise<T> {
    const question = { ...this.options, isConnected: true, bytes, read, triesMs: [250, 500, 1_000] }
    return askUdp(question, this.deps.clock, signal)
  }

  #failure(reason: string): Error {
    return new DiscoveryError('P2P_NAT_FAILED', { gateway: this.name, reason })
  }
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
}

export interface PortMapping {
  readonly protocol: 'tcp' | 'udp'
  /** The same external port is preferred. */
  readonly port: number
  readonly lifetimeSeconds: number
  /** Shown in the router's interface. */
  readonly description: string
}

/** The mapping granted; its external port and its lifetime may differ from those requested. */
export interface MappedPort {
  readonly externalPort: number
  readonly lifetimeSeconds: number
  /** Literal of the router's public address; null when it doesn't report one. */
  readonly externalHost: string | null
}

/** A router that can map ports. Both methods throw DiscoveryError P2P_NAT_FAILED. */
export interface NatRouter {
  readonly name: string
  map(mapping: PortMapping, signal: AbortSignal): Promise<MappedPort>
  unmap(mapping: PortMapping, signal: AbortSignal): Promise<void>
}

export interface RouterAddress {
  /** IPv4 literal. */
  readonly host: string
  readonly port: number
}

interface UdpQuestion<T> extends RouterAddress {
  /** False for a multicast address, where anyone may answer. */
  readonly isConnected: boolean
  /** @param localHost literal at which answers arrive; empty when not connected */
  readonly bytes: (localHost: string) => Uint8Array
  /** The value of an answer; null = not an answer to this. A thrown error ends the exchange. */
  readonly read: (answer: Uint8Array, fromHost: string) => { readonly value: T } | null
  /** Wait after each attempt, ms. */
  readonly triesMs: readonly number[]
}

/** Sends once per wait until `read` accepts an answer. @throws DiscoveryError P2P_NAT_FAILED in the end; if aborted */
export function askUdp<T>(question: UdpQuestion<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const { host, port, isConnected, read, triesMs } = question
  const socket = createSocket('udp4')
  return new Promise<T>((resolve, reject) => {
    let timer: Disposable | null = null
    const fail = (reason: string): void => {
      reject(new DiscoveryError('P2P_NAT_FAILED', { gateway: `${host}:${port}`, reason }))
    }
    const ask = (attempt: number) => {
      const waitMs = triesMs[attempt]
      if (waitMs === undefined) return fail('no answer')
      const bytes = question.bytes(isConnected ? socket.address().address : '')
      if (isConnected) socket.send(bytes)
      else socket.send(bytes, port, host)
      timer = clock.setTimeout(() => ask(attempt + 1), waitMs)
    }
    const held = onAbort(signal, () => fail('stopped'))
    socket.on('close', () => {
      timer?.dispose()
      held.dispose()
    })
    socket.on('error', (error) => fail(messageOf(error)))
    socket.on('message', (answer, { address }) => {
      try {
        const taken = read(new Uint8Array(answer), address)
        if (taken !== null) resolve(taken.value)
      } catch (error) {
        reject(error)
      }
    })
    if (signal.aborted) return
    if (isConnected) socket.connect(port, host, () => ask(0))
    else socket.bind(() => ask(0))
  }).finally(() => socket.close())
}
