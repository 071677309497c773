// Discovery and port mapping as configured, as one source of nodes: what --nat finds goes into our record.
import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import { isLoopback } from '../../../base/ip-address'
import { onAbort } from '../../../base/on-abort'
import type { ConfigValues } from '../../../config/catalog'
import type { NatMode } from '../../../config/values/p2p-values'
import { DiscoveryError } from '../../errors'
import { isUnspecifiedHost } from '../../identity/ip-address'
import type { NetworkSpec } from '../../networks'
import { type ForkSchedule, forkIdAt, judgeForkId } from '../../protocol/fork-id'
import type { NetRestrict } from '../netrestrict'
import type { NetworkParts } from '../network-parts'
import { gatewayHosts, PortForwarding } from '../port-mapping/nat'
import { PMP_PORT, PmpRouter } from '../port-mapping/nat-pmp'
import type { NatRouter } from '../port-mapping/nat-router'
import { SSDP_ADDRESS, UpnpRouter } from '../port-mapping/nat-upnp'
import { bootnodesOf } from './bootnodes'
import { Discovery, type DiscoverySource } from './discovery'
import type { ResolveTxt } from './dns/dns-trees'

const TIMEOUT_MS = 5_000
const MAX_RECORDS = 16

/** TXT records through the system's DNS servers. */
const systemTxt: ResolveTxt = async (name, signal) => {
  signal.throwIfAborted()
  const resolver = new Resolver({ timeout: TIMEOUT_MS, tries: 1 })
  const held = onAbort(signal, () => resolver.cancel())
  try {
    const records = await resolver.resolveTxt(name)
    // A long text is split into strings of 255 bytes.
    return records.slice(0, MAX_RECORDS).map((pieces) => pieces.join(''))
  } finally {
    held.dispose()
  }
}

/** The routers to try for each --nat mode. */
async function realRouters({ kind }: NatMode, deps: NodeDiscoveryDeps): Promise<readonly NatRouter[]> {
  const upnp = kind === 'any' || kind === 'upnp' ? [new UpnpRouter(SSDP_ADDRESS, deps)] : []
  const hosts = kind === 'any' || kind === 'pmp' ? await gatewayHosts() : []
  return [...upnp, ...hosts.map((host) => new PmpRouter({ host, port: PMP_PORT }, deps))]
}

export type DiscoveryConfig = Pick<ConfigValues['p2p'], 'bootnodes' | 'noDiscover' | 'dnsTrees' | 'nat'>

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
interface NodeDiscoveryDeps extends Pick<NetworkParts, 'randomBytes' | 'clock' | 'log'> {
  /** Default: the system's DNS servers. */
  readonly resolveTxt?: ResolveTxt
  /** Default: those of the local network. */
  readonly routers?: (mode: DiscoveryConfig['nat']) => Promise<readonly NatRouter[]>
}

interface NodeDiscoveryInput {
  /** Node key, 32 bytes. */
  readonly key: Uint8Array
  readonly schedule: ForkSchedule
  readonly tcpPort: number
}

/** Makes discovery once the ports are known. @throws DiscoveryError P2P_BOOTNODE; the returned function P2P_DNS_TREE */
export function nodeDiscovery(
  settings: NodeDiscoverySettings,
  deps: NodeDiscoveryDeps,
): (input: NodeDiscoveryInput) => DiscoverySource {
  const bootnodes = bootnodesOf(settings.network, settings.config.bootnodes)
  if (!bootnodes.ok) throw new DiscoveryError('P2P_BOOTNODE', { reason: bootnodes.error })
  const { config, listen, folder, restrict } = settings
  return ({ key, schedule, tcpPort }) => {
    const sources = { bootnodes: bootnodes.value, dnsTrees: config.dnsTrees, udp: config.noDiscover ? null : listen }
    const discovery = new Discovery(
      { key, restrict, ...sources, nodesFile: join(folder, 'nodes', 'nodes.json') },
      {
        ...deps,
        resolveTxt: deps.resolveTxt ?? systemTxt,
        // Rejects only other chains; whether a fork was missed is decided by the Status exchange, which knows the head.
        acceptsForkId: (id) => judgeForkId(schedule, 0n, id) === 'accept',
      },
    )
    if (!isUnspecifiedHost(listen.host)) discovery.assumeAddress(listen.host)
    discovery.record.update({ tcpPort, forkId: forkIdAt(schedule, 0n) })
    return withForwarding(discovery, forwardingOf(settings, deps, discovery))
  }
}

/** Both started and stopped together; what the router says goes into our record. */
function withForwarding(discovery: Discovery, forwarding: PortForwarding): DiscoverySource {
  const { name, events, record } = discovery
  forwarding.events.on('portMapped', ({ protocol, externalPort }) =>
    record.update(protocol === 'tcp' ? { tcpPort: externalPort } : { udpPort: externalPort }),
  )
  forwarding.events.on('addressFound', ({ host }) => discovery.announceAddress(host))
  return {
    name,
    events,
    record,
    async start(signal) {
      await discovery.start(signal)
      await forwarding.start(signal)
    },
    async stop() {
      await Promise.all([forwarding.stop(), discovery.stop()])
    },
  }
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
    { ...deps, routers: deps.routers ?? ((mode) => realRouters(mode, deps)) },
  )
}
