// admin_*: for the operator of this node; served only when enabled by name.
import { toBareHex, toHex } from '../../../base/hex'
import { JsonText } from '../../../net/json-rpc/json-rpc'
import { forksAtGenesis } from '../../custom-genesis'
import type { PeerFacts, PeersPort } from '../../ports/peers-port'
import { rpcFailed } from '../../rpc-fault'
import { numberParam, optional, textParam } from '../arguments/params'
import { method, type RpcMethod, type RpcNamespace, type RpcNetwork, untimed } from '../dispatch/method'

const orNull = optional<number | null>(numberParam, null)

function peerChange(change: (peers: PeersPort, url: string) => void): RpcMethod {
  return method({
    params: [textParam],
    handler: ([url], { services }) => {
      if (services.peers === null) throw rpcFailed('this node has no peers')
      change(services.peers, url)
      return true
    },
  })
}

function encodePeer(peer: PeerFacts) {
  return {
    enode: peer.enode,
    id: peer.id,
    name: peer.clientName,
    caps: peer.capabilities,
    network: {
      localAddress: peer.localAddress,
      remoteAddress: peer.remoteAddress,
      inbound: peer.isInbound,
      trusted: peer.isTrusted,
      static: peer.isStatic,
    },
    protocols: { parallax: { version: 66, difficulty: peer.totalDifficulty, head: toHex(peer.head) } },
  }
}

/** With difficulties as JSON numbers in all their digits. What others sent is quoted, and can't look like one. */
function withDifficulties(value: object): JsonText {
  const text = JSON.stringify(value, (_name, part: unknown) => (typeof part === 'bigint' ? String(part) : part))
  return new JsonText(text.replace(/"difficulty":"(\d+)"/g, '"difficulty":$1'))
}

/** The chain's rules in genesis file terms; all forks of the family are at 0 here. */
function encodeRules({ chainId, rules }: RpcNetwork) {
  const { coinbaseMaturityBlocks, retargetIntervalBlocks, asertActivationHeight } = rules
  const asert = asertActivationHeight === null ? {} : { asertAnchorHeight: asertActivationHeight }
  return { chainId, ...forksAtGenesis(), xhash: { coinbaseMaturityBlocks, retargetIntervalBlocks, ...asert } }
}

export const adminNamespace: RpcNamespace = {
  /** Null without `--beside`. */
  admin_beside: method({ params: [], handler: (_args, { services }) => services.beside() }),
  admin_importChain: untimed([textParam], async ([path], { services }, { signal }) => {
    await services.files.importChain(path, signal)
    return true
  }),
  admin_exportChain: untimed([textParam, orNull, orNull], async ([path, first, last], { services }) => {
    await services.files.exportChain(path, { first, last })
    return true
  }),
  admin_datadir: method({ params: [], handler: (_args, { services }) => services.dataDir }),
  admin_nodeInfo: method({
    params: [],
    handler: async (_args, { services, network, node }) => {
      const { id, enode, enr, ip, port, discoveryPort, listenAddress } = services.identity()
      const head = node.head() ?? (await node.reader.head())
      const genesis = await node.reader.summary(0)
      return withDifficulties({
        id: toBareHex(id),
        name: network.clientName,
        enode,
        enr,
        ip,
        ports: { discovery: discoveryPort, listener: port },
        listenAddr: listenAddress,
        protocols: {
          parallax: {
            network: network.networkId,
            difficulty: head.totalDifficulty,
            genesis: genesis === null ? null : toHex(genesis.hash),
            config: encodeRules(network),
            head: toHex(head.hash),
          },
        },
      })
    },
  }),
  admin_peers: method({
    params: [],
    handler: (_args, { services }) => withDifficulties((services.peers?.list() ?? []).map(encodePeer)),
  }),
  admin_addPeer: peerChange((peers, url) => peers.add(url)),
  admin_addTrustedPeer: peerChange((peers, url) => peers.trust(url, true)),
  admin_removeTrustedPeer: peerChange((peers, url) => peers.trust(url, false)),
  admin_removePeer: peerChange((peers, url) => peers.remove(url)),
}
