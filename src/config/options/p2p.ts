// Options of the network layer: how to find other nodes and how they reach us.

import { option, section } from '../schema'
import { listenHost } from '../values/network-address'
import { blockHashes, natMode, networkList, nodeKey, nodeUrls, treeUrls } from '../values/p2p-values'
import { address, flag, integer, path, port, toggle } from '../values/value-types'

export const p2pSection = section({
  name: 'p2p',
  title: 'Network',
  commands: ['run', 'node'],
  options: {
    port: option({
      flag: 'port',
      type: port(),
      default: () => 32_110,
      help: 'P2P port, TCP and UDP; 0 = any free port.',
    }),
    addr: option({
      flag: 'p2p.addr',
      type: listenHost(),
      default: (context) => (context.network === 'practice' ? '127.0.0.1' : '::'),
      defaultText: '127.0.0.1 on the practice network, else all interfaces, IPv6 and IPv4',
      help: 'P2P listen address.',
    }),
    maxPeers: option({
      flag: 'maxpeers',
      type: integer(0, 1_000),
      default: (context) => (context.network === 'practice' ? 0 : 50),
      defaultText: '0 on the practice network, else 50',
      help: 'Maximum number of peers, a third of them dialed; 0 = no networking.',
      applies: 'live',
    }),
    nodeKeyFile: option({
      flag: 'nodekey',
      type: path('file', 'FILE'),
      defaultText: "nodekey in the network's folder",
      help: "File with this node's P2P key, 64 hex digits; created if missing.",
    }),
    nodeKeyHex: option({
      flag: 'nodekeyhex',
      type: nodeKey(),
      help: 'P2P key, 64 hex digits.',
      secret: true,
      danger: 'Other users of this computer can read the command line; prefer --nodekey.',
    }),
    bootnodes: option({
      flag: 'bootnodes',
      type: nodeUrls(),
      defaultText: "the network's own",
      help: 'Bootstrap nodes; an empty list = none.',
    }),
    noDiscover: option({
      flag: 'nodiscover',
      type: flag(),
      default: (context) => context.network === 'practice',
      defaultText: 'true on the practice network, else false',
      help: 'Disable node discovery over UDP.',
    }),
    dnsTrees: option({
      flag: 'discovery.dns',
      type: treeUrls(),
      default: (): readonly string[] => [],
      help: 'Signed DNS node lists to find nodes in.',
    }),
    minesBehind: toggle({
      flag: 'p2p.minebehind',
      help: 'Give out work even while a peer has had a heavier chain for 30 s, checked by its proof of work.',
    }),
    requiredBlocks: option({
      flag: 'prl.requiredblocks',
      aliases: [{ flag: 'whitelist' }],
      type: blockHashes(),
      default: (): readonly string[] => [],
      help: 'Blocks that peers must have; a peer with a different block at that height is dropped.',
    }),
    checkpoint: option({
      flag: 'checkpoint',
      type: path('file', 'FILE'),
      help: 'Signed list of such blocks; needs --checkpoint.signer.',
    }),
    checkpointSigner: option({
      flag: 'checkpoint.signer',
      type: address(),
      help: 'Account that must have signed the checkpoint file.',
    }),
    nat: option({
      flag: 'nat',
      type: natMode(),
      default: (context) => ({ kind: context.network === 'practice' ? 'none' : 'any', host: null }),
      defaultText: 'none on the practice network, else any',
      help: 'Port mapping: upnp, pmp, any, none, or extip:IP if the port is already forwarded.',
    }),
    netRestrict: option({
      flag: 'netrestrict',
      type: networkList(),
      default: (): readonly string[] => [],
      help: 'Only connect to nodes in these networks.',
    }),
  },
})
