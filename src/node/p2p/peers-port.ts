// The network layer as JSON-RPC sees it.
import { toBareHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { RpcFault } from '../rpc/errors'
import type { PeerFacts, PeersPort } from '../rpc/rpc-services'
import { formatEnode, type NodeAddress, nodeName, parseEnode } from './node-address'
import type { P2pService } from './p2p-service'
import type { Peer } from './peer/peer'

export function peersPort(p2p: P2pService): PeersPort {
  return {
    count: () => p2p.peers().length,
    list: () => p2p.peers().map(factsOf),
    add: (url) => p2p.addPeer(addressOf(url)),
    remove: (url) => p2p.removePeer(nodeName(addressOf(url).id)),
    trust: (url, isTrusted) => p2p.trust(nodeName(addressOf(url).id), isTrusted),
    syncing: () => (p2p.sync.phase === 'blocks' ? p2p.sync : null),
    watchSync(listener) {
      let isRunning = p2p.sync.phase === 'blocks'
      return p2p.events.on('syncChanged', (sync) => {
        const was = isRunning
        isRunning = sync.phase === 'blocks'
        if (isRunning !== was) listener(isRunning ? sync : null)
      })
    },
  }
}

function addressOf(url: string): NodeAddress {
  const read = parseEnode(url)
  if (!read.ok) throw new RpcFault('RPC_FAILED', { reason: read.error })
  return read.value
}

function factsOf(peer: Peer): PeerFacts {
  const { info, connection } = peer
  const isInbound = info.direction === 'inbound'
  // Who dialled us told no port that we could dial.
  const address = { id: peer.id, host: info.host, tcpPort: info.port, udpPort: info.port }
  return {
    enode: formatEnode(address),
    id: toBareHex(keccak256(peer.id)),
    clientName: peer.clientId,
    ...{ isInbound, isTrusted: info.trusted, isStatic: info.isStatic },
    localAddress: connection.localAddress,
    remoteAddress: `${info.host.includes(':') ? `[${info.host}]` : info.host}:${info.port}`,
    ...{ totalDifficulty: peer.totalDifficulty, head: peer.head },
  }
}
