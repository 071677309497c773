// Discovery and port mapping as configured, as one source of nodes: what --nat finds goes into our record.
import { Resolver } from 'node:dns/promises'
import { join } from 'node:path'
import { isLoopback } from '../../../base/ip-address'
import { onAbort } from '../../../base/on-abort'
import type { ConfigValues } from '../../../config/catalog'
import type { NatMode } from '../../../config/values/p2p-values'
import { fail, ok, type Result } from '../../codec/result'
import { DiscoveryError } from '../../errors'
import { canonicalIp, isUnspecifiedHost, type NetRestrict } from '../../identity/ip-address'
import type { NetworkSpec } from '../../networks'
import { type ForkSchedule, forkIdAt, judgeForkId } from '../../protocol/fork-id'
import type { NetworkParts } from '../network-parts'
import { type NodeAddress, parseEnode } from '../node-address'
import { gatewayHosts, PortForwarding } from '../port-mapping/nat'
import { type NatRouter, PMP_PORT, PmpRouter } from '../port-mapping/nat-router'
import { SSDP_ADDRESS, UpnpRouter } from '../port-mapping/nat-upnp'
import { Discovery, type DiscoverySource } from './discovery'
import type { ResolveTxt } from './dns/dns-trees'

/** Boston, Frankfurt, São Paulo. None are published for test; other networks have none, or the user's own. */
const MAIN_BOOTNODES = [
  'enode://34957ea19a9c8170892a41633f7ec05c3ca7d13d64fd155c485985c850f8cad72d5fa6ffcba62038580671565b76bd38b61cbc8145a203aa174f1069a3e10eb2@168.231.74.175:32110',
  'enode://2060e01e74e46fd944e172373dc18eb1478ec050d9c2d66a4486347c215c5fc5a8f72cb8549419828d61e4f9ff75d31ced7977fc89967546e389ff821a5dc10e@72.61.186.233:32110',
  'enode://7fcacf55ab8ffb8bd7bc722ba2336b6a4b304a2fc76fa65aadab4e17d196261793287f2cac80d10a25a351f06a038e73cca1170b2007af076bf82eb33e85d2f3@69.62.94.166:32110',
]

/** @param given the user's enode URLs; null = the network's @returns an error text for an unusable one */
export function bootnodesOf(
  network: NetworkSpec['name'],
  given: readonly string[] | null,
): Result<readonly NodeAddress[]> {
  const nodes: NodeAddress[] = []
  for (const url of given ?? (network === 'main' ? MAIN_BOOTNODES : [])) {
    const node = parseEnode(url)
    if (!node.ok) return node
    const host = canonicalIp(node.value.host)
    // UDP answers are matched by address, and a name may resolve to several.
    if (host === null) return fail(`bootnode ${node.value.host}: want an IP address`)
    nodes.push({ ...node.value, host })
  }
  return ok(nodes)
}

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
