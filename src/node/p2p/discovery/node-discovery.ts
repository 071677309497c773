// Discovery and port mapping as configured, as one source of nodes: what --nat finds goes into our record.
import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import type { Emitter } from '../../../base/events'
import { isLoopback } from '../../../base/ip-address'
import type { Logger } from '../../../base/logger'
import type { Clock } from '../../../base/time'
import type { ConfigValues } from '../../../config/catalog'
import type { NatMode } from '../../../config/values/p2p-values'
import { DiscoveryError } from '../../errors'
import { isUnspecifiedHost } from '../../identity/ip-address'
import type { NetworkSpec } from '../../networks'
import { type ForkSchedule, forkIdAt, judgeForkId } from '../../protocol/fork-id'
import type { NetRestrict } from '../netrestrict'
import type { NodeAddress } from '../node-address'
import { PortForwarding } from '../port-mapping/nat'
import { gatewayHosts } from '../port-mapping/nat-gateway'
import { PMP_PORT, PmpRouter } from '../port-mapping/nat-pmp'
import type { NatRouter } from '../port-mapping/nat-router'
import { SSDP_ADDRESS, UpnpRouter } from '../port-mapping/nat-upnp'
import { bootnodesOf } from './bootnodes'
import { Discovery } from './discovery'
import type { DiscoveryEvents, DiscoverySource } from './discovery-source'
import type { ResolveTxt } from './dns/dns-trees'
import type { LocalRecord } from './local-record'

// TXT records through the system's DNS servers.

const TIMEOUT_MS = 5_000
const MAX_RECORDS = 16

/** For `DnsTreesDeps.resolveTxt`. */
function systemTxtResolver(): ResolveTxt {
  return async (name, signal) => {
    signal.throwIfAborted()
    const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
    const cancel = (): void => resolver.cancel()
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const records = await resolver.resolveTxt(name)
      // A long text is split into strings of 255 bytes.
      return records.slice(0, MAX_RECORDS).map((pieces) => pieces.join(''))
    } finally {
      signal.removeEventListener('abort', cancel)
    }
  }
}

// The routers to try for each --nat mode.

/** Clock and randomness for every kind of router. */
interface RoutersDeps {
  readonly clock: Clock
  readonly randomBytes: (length: number) => Uint8Array
}

/** For `NatDeps.routers` in production. */
function realRouters(deps: RoutersDeps): (mode: NatMode) => Promise<readonly NatRouter[]> {
  return async ({ kind }) => {
    const upnp = kind === 'any' || kind === 'upnp' ? [new UpnpRouter(SSDP_ADDRESS, deps)] : []
    const hosts = kind === 'any' || kind === 'pmp' ? await gatewayHosts() : []
    return [...upnp, ...hosts.map((host) => new PmpRouter({ host, port: PMP_PORT }, deps))]
  }
}

/** The options used here. */
export type DiscoveryConfig = Pick<ConfigValues['p2p'], 'bootnodes' | 'noDiscover' | 'dnsTrees' | 'nat'>

/** The options, plus what the network and the listener determine. */
interface NodeDiscoverySettings {
  readonly network: NetworkSpec['name']
  readonly config: DiscoveryConfig
  /** Interface and UDP port; port 0 = the TCP port's number. */
  readonly listen: { readonly host: string; readonly port: number }
  readonly restrict: NetRestrict
  /** The network's folder inside the data directory; the node database is in its `nodes` file. */
  readonly folder: string
}

/** Replaceable in tests: DNS resolver, routers, randomness, clock. */
interface NodeDiscoveryDeps {
  readonly randomBytes: (length: number) => Uint8Array
  readonly clock: Clock
  readonly log: Logger
  /** Default: the system's DNS servers. */
  readonly resolveTxt?: ResolveTxt
  /** Default: those of the local network. */
  readonly routers?: (mode: DiscoveryConfig['nat']) => Promise<readonly NatRouter[]>
}

/** Known only once the node runs. */
interface NodeDiscoveryInput {
  /** Node key, 32 bytes. */
  readonly key: Uint8Array
  readonly schedule: ForkSchedule
  readonly tcpPort: number
}

/** Discovery and port mapping, started and stopped together. */
class NodeDiscovery implements DiscoverySource {
  readonly name = 'discovery'
  readonly events: Emitter<DiscoveryEvents>
  readonly #discovery: Discovery
  readonly #forwarding: PortForwarding

  constructor(discovery: Discovery, forwarding: PortForwarding) {
    this.#discovery = discovery
    this.#forwarding = forwarding
    this.events = discovery.events
    forwarding.events.on('portMapped', ({ protocol, externalPort }) => {
      if (protocol === 'tcp') discovery.announceTcpPort(externalPort)
      else discovery.announceUdpPort(externalPort)
    })
    forwarding.events.on('addressFound', ({ host }) => discovery.announceAddress(host))
  }

  /** Our own record: id, address if known, ports, `enr:` text. */
  get record(): LocalRecord {
    return this.#discovery.record
  }

  /** @throws DiscoveryError P2P_UDP_LISTEN_FAILED */
  async start(signal: AbortSignal): Promise<void> {
    await this.#discovery.start(signal)
    await this.#forwarding.start(signal)
  }

  async stop(): Promise<void> {
    await Promise.all([this.#forwarding.stop(), this.#discovery.stop()])
  }

  nodes(): readonly NodeAddress[] {
    return this.#discovery.nodes()
  }
}

/**
 * Returns a function that creates the discovery of a node once its ports are known.
 * @throws DiscoveryError P2P_BOOTNODE; the returned function throws P2P_DNS_TREE
 */
export function nodeDiscovery(
  settings: NodeDiscoverySettings,
  deps: NodeDiscoveryDeps,
): (input: NodeDiscoveryInput) => NodeDiscovery {
  const bootnodes = bootnodesOf(settings.network, settings.config.bootnodes)
  if (!bootnodes.ok) throw new DiscoveryError('P2P_BOOTNODE', { reason: bootnodes.error })
  return (input) => {
    const discovery = discoveryOf(settings, deps, { ...input, bootnodes: bootnodes.value })
    return new NodeDiscovery(discovery, forwardingOf(settings, deps, discovery))
  }
}

function discoveryOf(
  { config, listen, folder, restrict }: NodeDiscoverySettings,
  deps: NodeDiscoveryDeps,
  { key, schedule, tcpPort, bootnodes }: NodeDiscoveryInput & { readonly bootnodes: readonly NodeAddress[] },
): Discovery {
  const discovery = new Discovery(
    {
      key,
      bootnodes,
      restrict,
      dnsTrees: config.dnsTrees,
      udp: config.noDiscover ? null : listen,
      nodesFile: join(folder, 'nodes', 'nodes.json'),
    },
    {
      ...deps,
      resolveTxt: deps.resolveTxt ?? systemTxtResolver(),
      // Rejects only other chains; whether a fork was missed is decided by the Status exchange, which knows the head.
      acceptsForkId: (id) => judgeForkId(schedule, 0n, id) === 'accept',
    },
  )
  if (!isUnspecifiedHost(listen.host)) discovery.assumeAddress(listen.host)
  discovery.announceTcpPort(tcpPort)
  discovery.announceForkId(forkIdAt(schedule, 0n))
  return discovery
}

function forwardingOf(
  { config, listen }: NodeDiscoverySettings,
  deps: NodeDiscoveryDeps,
  discovery: Discovery,
): PortForwarding {
  // A router can't forward to an address that is only reachable from this computer.
  const isInward = isLoopback(listen.host) && config.nat.kind !== 'extip'
  const ports = () => {
    const { tcpPort, udpPort } = discovery.record.content
    return [
      { protocol: 'tcp', port: tcpPort, description: 'headframe peers' },
      { protocol: 'udp', port: udpPort, description: 'headframe discovery' },
    ] as const
  }
  return new PortForwarding(
    { mode: isInward ? { kind: 'none', host: null } : config.nat, ports },
    { routers: deps.routers ?? realRouters(deps), clock: deps.clock, log: deps.log },
  )
}
