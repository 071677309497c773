// Keeps our ports mapped at the router (--nat), reports the router's address, and removes the mappings on stop.

import { readFile } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { messageOf } from '../../../base/errors'
import { Emitter } from '../../../base/events'
import type { Service } from '../../../base/lifecycle'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { NatMode } from '../../../config/values/p2p-values'
import { formatIp, isGlobalHost, parseIp, scopeOf } from '../../identity/ip-address'
import { Tasks } from '../discovery/tasks'
import type { MappedPort, NatRouter, PortMapping } from './nat-router'

const ROUTE_FILE = '/proc/net/route'
const GATEWAY_FLAG = 2

/** IPv4 literals of possible routers, the likeliest first. */
export async function gatewayHosts(): Promise<readonly string[]> {
  // Other systems lack this file; there the guess is usually right.
  const table = await readFile(ROUTE_FILE, 'utf8').catch(() => '')
  const known = gatewaysOfTable(table)
  return known.length > 0 ? known : guessedGateways()
}

/** Default routes from Linux's routing table: hexadecimal, little-endian as every supported machine. */
export function gatewaysOfTable(table: string): readonly string[] {
  const hosts = table.split('\n').flatMap((line) => {
    const [, destination, gateway = '', flags = '0'] = line.trim().split(/\s+/)
    const isDefault = destination === '00000000' && (Number.parseInt(flags, 16) & GATEWAY_FLAG) !== 0
    if (!isDefault || !/^[0-9A-Fa-f]{8}$/.test(gateway)) return []
    return [formatIp(Uint8Array.from(Buffer.from(gateway, 'hex')).reverse())]
  })
  return [...new Set(hosts)]
}

function guessedGateways(): readonly string[] {
  const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? [])
  const hosts = addresses.flatMap(({ address, family }) => {
    const ip = family === 'IPv4' ? parseIp(address) : null
    if (ip === null || scopeOf(ip) !== 'lan') return []
    return [formatIp(Uint8Array.of(...ip.subarray(0, 3), 1))]
  })
  return [...new Set(hosts)]
}

const LIFETIME_SECONDS = 1_200
/** Half the lifetime: one renewal may fail. A router that maps for less is asked more often, within reason. */
const RENEW_MS = 600_000
const LEAST_RENEW_MS = 30_000
/** A router may come up later than we do. */
const RETRY_MS = 300_000
const FAREWELL_MS = 1_000

interface NatEvents {
  addressFound: { readonly host: string }
  portMapped: { readonly protocol: 'tcp' | 'udp'; readonly port: number; readonly externalPort: number }
}

interface NatOptions {
  readonly mode: NatMode
  /** Called at startup: listening ports; a port of 0 is left out. */
  readonly ports: () => readonly Pick<PortMapping, 'protocol' | 'port' | 'description'>[]
}

interface NatDeps {
  /** Possible routers for the mode; all are asked at once. */
  readonly routers: (mode: NatMode) => Promise<readonly NatRouter[]>
  readonly clock: Clock
  readonly log: Logger
}

/** Renews mappings before they expire; `stop` removes them. A missing router is a log line, never an error. */
export class PortForwarding implements Service {
  readonly name = 'port forwarding'
  readonly events = new Emitter<NatEvents>()
  readonly #tasks: Tasks
  #router: NatRouter | null = null
  #mappings: readonly PortMapping[] = []
  #pauseMs = RETRY_MS
  #isTold = false

  constructor(
    private readonly options: NatOptions,
    private readonly deps: NatDeps,
  ) {
    this.#tasks = new Tasks(deps)
  }

  /** Doesn't wait for a router: most networks have none that answers. */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted()
    const { mode, ports } = this.options
    if (mode.host !== null) this.events.emit('addressFound', { host: mode.host })
    if (mode.kind === 'none' || mode.kind === 'extip') return
    this.#mappings = ports().flatMap((port) =>
      port.port === 0 ? [] : [{ ...port, lifetimeSeconds: LIFETIME_SECONDS }],
    )
    if (this.#mappings.length === 0) return
    const keep = () => this.#keep()
    this.#tasks.run(() => keep().finally(() => this.#tasks.repeat(() => this.#pauseMs, keep)))
  }

  async stop(): Promise<void> {
    await this.#tasks.stop()
    const router = this.#router
    this.#router = null
    if (router === null) return
    const abort = new AbortController()
    const timer = this.deps.clock.setTimeout(() => abort.abort(), FAREWELL_MS)
    await Promise.all(this.#mappings.map((mapping) => this.#unmap(router, mapping, abort.signal)))
    timer.dispose()
  }

  async #keep(): Promise<void> {
    const { signal } = this.#tasks
    this.#pauseMs = RENEW_MS
    if (this.#router === null) this.#router = await this.#firstRouter(signal)
    else if (!(await this.#mapAll(this.#router, signal))) this.#router = null
    const isMissing = this.#router === null && !signal.aborted
    if (this.#router === null) this.#pauseMs = RETRY_MS
    if (isMissing && !this.#isTold)
      this.deps.log.info('no router opens our ports: others can connect only if they are forwarded by hand')
    this.#isTold = isMissing
  }

  /** The first that grants a mapping; another that does so later has it removed. */
  async #firstRouter(signal: AbortSignal): Promise<NatRouter | null> {
    const routers = await this.deps.routers(this.options.mode)
    let winner: NatRouter | null = null
    const attempts = routers.map(async (router) => {
      const [mapping] = this.#mappings
      if (mapping === undefined || (await this.#map(router, mapping, signal)) === null) return
      if (winner === null) winner = router
      else await this.#unmap(router, mapping, signal)
    })
    await Promise.all(attempts)
    const chosen: NatRouter | null = winner
    return chosen !== null && (await this.#mapAll(chosen, signal)) ? chosen : null
  }

  async #mapAll(router: NatRouter, signal: AbortSignal): Promise<boolean> {
    let isMapped = false
    for (const mapping of this.#mappings) {
      const mapped = await this.#map(router, mapping, signal)
      if (mapped === null || signal.aborted) continue
      isMapped = true
      this.#pauseMs = Math.min(this.#pauseMs, Math.max(LEAST_RENEW_MS, mapped.lifetimeSeconds * 500))
      this.#tell(router, mapping, mapped)
    }
    return isMapped
  }

  #tell(router: NatRouter, { protocol, port }: PortMapping, { externalPort, externalHost }: MappedPort): void {
    this.deps.log.info('port opened at the router', { router: router.name, protocol, port, externalPort, externalHost })
    this.events.emit('portMapped', { protocol, port, externalPort })
    // A router behind another router reports an address unreachable from outside; peers' reports are better then.
    if (externalHost !== null && isGlobalHost(externalHost)) this.events.emit('addressFound', { host: externalHost })
  }

  async #map(router: NatRouter, mapping: PortMapping, signal: AbortSignal): Promise<MappedPort | null> {
    try {
      return await router.map(mapping, signal)
    } catch (error: unknown) {
      this.deps.log.debug('port not opened', { router: router.name, error: messageOf(error) })
      return null
    }
  }

  async #unmap(router: NatRouter, mapping: PortMapping, signal: AbortSignal): Promise<void> {
    try {
      await router.unmap(mapping, signal)
    } catch (error: unknown) {
      this.deps.log.debug('port not closed at the router', { router: router.name, error: messageOf(error) })
    }
  }
}
