// admin_*: what the operator of this node may do; served only where it was asked for by name. Source: rpc.md 12
import { toBareHex, toHex } from '../../base/hex'
import { RpcFault } from './errors'
import { method, type RpcNamespace } from './method'
import { optional } from './params'
import { numberParam, textParam } from './plain-params'

const orNull = optional<number | null>(numberParam, null)

const NO_PEERS = 'this node has no network layer'

/** @throws RpcFault RPC_FAILED for what names no peer, and for what does: nobody is dialled in this version */
function peerAction(url: string): never {
  const matched = /^enode:\/\/([0-9a-fA-F]*)@([^@]+):(\d{1,5})(\?.*)?$/.exec(url)
  if (matched?.[1]?.length !== 128)
    throw new RpcFault('RPC_FAILED', { reason: 'invalid enode: want enode://ID@HOST:PORT' })
  throw new RpcFault('RPC_FAILED', { reason: NO_PEERS })
}

export const adminNamespace: RpcNamespace = {
  admin_importChain: method({
    params: [textParam],
    timeLimitMs: null,
    handler: async ([path], { services }, { signal }) => {
      await services.files.importChain(path, signal)
      return true
    },
  }),
  admin_exportChain: method({
    params: [textParam, orNull, orNull],
    timeLimitMs: null,
    handler: async ([path, first, last], { services }) => {
      await services.files.exportChain(path, { first, last })
      return true
    },
  }),
  admin_datadir: method({ params: [], handler: (_args, { services }) => services.dataDir }),
  admin_nodeInfo: method({
    params: [],
    handler: async (_args, { services, network, node }) => {
      const { id, enode, enr, ip, port } = services.identity
      const head = node.head() ?? (await node.reader.head())
      const genesis = await node.reader.summary(0)
      return {
        id: toBareHex(id),
        name: network.clientName,
        enode,
        enr,
        ip,
        ports: { discovery: port, listener: port },
        listenAddr: `${ip}:${port}`,
        protocols: {
          parallax: {
            network: network.networkId,
            difficulty: Number(head.totalDifficulty),
            genesis: genesis === null ? null : toHex(genesis.hash),
            head: toHex(head.hash),
          },
        },
      }
    },
  }),
  admin_peers: method({ params: [], handler: () => [] }),
  admin_addPeer: method({ params: [textParam], handler: ([url]) => peerAction(url) }),
  admin_removePeer: method({ params: [textParam], handler: ([url]) => peerAction(url) }),
}
