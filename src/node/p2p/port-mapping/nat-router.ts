// What every kind of router is asked for, and the UDP conversation that all of them begin with.
import { createSocket } from 'node:dgram'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'

/** What a mapping is for. */
export type NatProtocol = 'tcp' | 'udp'

/** What is asked of a router. */
export interface PortMapping {
  readonly protocol: NatProtocol
  /** The same one is wanted outside. */
  readonly port: number
  readonly lifetimeSeconds: number
  /** What the router shows its owner. */
  readonly description: string
}

/** What the router gave; the outside port may be another one. */
export interface MappedPort {
  readonly externalPort: number
  /** Literal of the router's public side; null when it does not say. */
  readonly externalHost: string | null
}

/** A router that lets peers in. Both methods throw DiscoveryError P2P_NAT_FAILED. */
export interface NatRouter {
  /** For the log. */
  readonly name: string
  map(mapping: PortMapping, signal: AbortSignal): Promise<MappedPort>
  unmap(mapping: PortMapping, signal: AbortSignal): Promise<void>
}

/** A datagram that is repeated until something in answer to it comes. */
export interface UdpQuestion<T> {
  readonly host: string
  readonly port: number
  /** False for a group address, where anyone may answer. */
  readonly isConnected: boolean
  /** @param localHost literal that the answers come to; empty when not connected */
  readonly bytes: (localHost: string) => Uint8Array
  /** The value of an answer; null = not an answer to this. A thrown error ends the question. */
  readonly read: (answer: Uint8Array, fromHost: string) => { readonly value: T } | null
  /** Waiting time after each of the tries, ms. */
  readonly triesMs: readonly number[]
}

/**
 * Sends the question once for each waiting time and resolves with the first answer that `read` takes.
 * @throws DiscoveryError P2P_NAT_FAILED after the last one, and when aborted
 */
export function askUdp<T>(question: UdpQuestion<T>, clock: Clock, signal: AbortSignal): Promise<T> {
  const { host, port, isConnected, read, triesMs } = question
  const socket = createSocket('udp4')
  return new Promise<T>((resolve, reject) => {
    let timer: Disposable | null = null
    const fail = (reason: string): void => {
      reject(new DiscoveryError('P2P_NAT_FAILED', { gateway: `${host}:${port}`, reason }))
    }
    const ask = (attempt: number): void => {
      const waitMs = triesMs[attempt]
      if (waitMs === undefined) {
        fail('no answer')
        return
      }
      const bytes = question.bytes(isConnected ? socket.address().address : '')
      if (isConnected) socket.send(bytes)
      else socket.send(bytes, port, host)
      timer = clock.setTimeout(() => ask(attempt + 1), waitMs)
    }
    const onAbort = (): void => fail('stopped')
    socket.on('close', () => {
      timer?.dispose()
      signal.removeEventListener('abort', onAbort)
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
    if (signal.aborted) return onAbort()
    signal.addEventListener('abort', onAbort, { once: true })
    if (isConnected) socket.connect(port, host, () => ask(0))
    else socket.bind(() => ask(0))
  }).finally(() => socket.close())
}
