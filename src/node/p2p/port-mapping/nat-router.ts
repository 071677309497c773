// What is asked of any kind of router, and the UDP exchange that all of them begin with.
import { createSocket } from 'node:dgram'
import type { Disposable } from '../../../base/disposable'
import { messageOf } from '../../../base/errors'
import { onAbort } from '../../../base/on-abort'
import type { Clock } from '../../../base/time'
import { DiscoveryError } from '../../errors'

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
