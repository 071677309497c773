// The network layer as JSON-RPC sees it.
import type { PeersPort, SyncHeights } from '../ports/peers-port'
import { RpcFault } from '../rpc-fault'
import { type NodeAddress, nodeName, parseEnode } from './node-address'
import type { P2pService } from './p2p-service'
import { wrongBlockText } from './required/required-blocks'
import { isFetching, type SyncProgress } from './sync/sync-progress'

/** Wraps the service. Methods with an enode URL throw RPC_FAILED with the reason when it is invalid. */
export function peersPort(p2p: P2pService): PeersPort {
  return {
    count: () => p2p.peers().length,
    list: () => p2p.facts(),
    add: (url) => p2p.addPeerAt(url),
    remove: (url) => p2p.removePeer(nodeName(addressOf(url).id)),
    trust: (url, isTrusted) => p2p.trust(nodeName(addressOf(url).id), isTrusted),
    syncing: () => heightsOf(p2p.progress()),
    wrongBlock: () => {
      const { wrongBlock } = p2p.health()
      return wrongBlock === null ? null : wrongBlockText(wrongBlock)
    },
    watchSync(listener) {
      let wasRunning = isFetching(p2p.progress())
      return p2p.events.on('syncChanged', (progress) => {
        const isRunning = isFetching(progress)
        if (isRunning !== wasRunning) listener(heightsOf(progress))
        wasRunning = isRunning
      })
    },
  }
}

function heightsOf(progress: SyncProgress): SyncHeights | null {
  const { startingBlock: from, currentBlock: current, highestBlock: target } = progress
  return isFetching(progress) ? { from, current, target } : null
}

function addressOf(url: string): NodeAddress {
  const read = parseEnode(url)
  if (!read.ok) throw new RpcFault('RPC_FAILED', { reason: read.error })
  return read.value
}
