// Options of JSON-RPC besides plain HTTP: what each transport serves and to whom, WebSocket, the local socket.

import { WEI_PER_LAX } from '../../base/units'
import { option, section } from '../schema'
import { listenHost } from '../values/network-address'
import {
  addresses,
  coins,
  duration,
  integer,
  originNames,
  path,
  port,
  signerAddress,
  toggle,
  wordList,
} from '../values/value-types'

export const accountsSection = section({
  name: 'accounts',
  title: 'Accounts of JSON-RPC',
  commands: ['run', 'node'],
  options: {
    signer: option({
      flag: 'signer',
      type: signerAddress(),
      defaultText: 'the built-in signer; in headframe node, the key files',
      help: 'Use the signer of another process: its HTTP address or the path of its socket.',
    }),
    unlock: option({
      flag: 'unlock',
      type: addresses(),
      default: (): readonly string[] => [],
      help: 'Accounts to unlock: JSON-RPC can sign with them without asking.',
      danger: 'Anyone who can reach JSON-RPC can spend from these accounts; refused on main and test.',
      notInFile: true,
    }),
    passwordFile: option({
      flag: 'password',
      type: path('file', 'FILE'),
      help: 'File with the passwords for --unlock, one per line in the same order; the last line is used for the remaining accounts.',
    }),
    allowInsecureUnlock: toggle({
      flag: 'allow-insecure-unlock',
      help: 'Allow --unlock on main and test.',
      danger: 'Anyone who can reach JSON-RPC can then spend real money.',
      notInFile: true,
    }),
    feeCap: option({
      flag: 'rpc.txfeecap',
      type: coins(),
      default: () => WEI_PER_LAX,
      defaultText: '1',
      help: 'Maximum gas cost of a transaction sent over JSON-RPC, in LAX; 0 = no limit.',
    }),
    allowUnprotected: toggle({
      flag: 'rpc.allow-unprotected-txs',
      help: 'Accept transactions without a chain id, which are valid on every chain.',
    }),
  },
})

export const keystoreSection = section({
  name: 'keystore',
  title: 'Key files of a node alone',
  commands: ['node'],
  options: {
    folder: option({
      flag: 'keystore',
      type: path('folder', 'DIR'),
      default: (context) => context.join(context.dataDir, 'keystore'),
      defaultText: 'keystore in the data directory',
      help: 'Keystore folder.',
    }),
  },
})

/** All namespaces; `rpc` is always served. */
export const RPC_NAMESPACES = [
  'eth',
  'net',
  'web3',
  'xhash',
  'debug',
  'trace',
  'txpool',
  'admin',
  'miner',
  'personal',
  'wallet',
] as const
const DEFAULT_NAMESPACES: readonly (typeof RPC_NAMESPACES)[number][] = ['eth', 'net', 'web3']

const API_DANGER =
  'admin and miner change what this node does, debug and trace are expensive: for trusted callers only.'

export const rpcSection = section({
  name: 'rpc',
  title: 'JSON-RPC',
  commands: ['run', 'node'],
  options: {
    httpApi: option({
      flag: 'http.api',
      type: wordList(RPC_NAMESPACES),
      default: () => DEFAULT_NAMESPACES,
      help: 'Namespaces served over HTTP.',
      applies: 'live',
      danger: API_DANGER,
    }),
    httpCors: option({
      flag: 'http.corsdomain',
      type: originNames(),
      default: (): readonly string[] => [],
      help: 'Web page origins allowed to read HTTP responses; * = all.',
      applies: 'live',
      danger: 'Pages of these origins can do everything JSON-RPC offers.',
    }),
    ws: toggle({
      flag: 'ws',
      help: 'Serve JSON-RPC over WebSocket.',
      applies: 'live',
    }),
    wsAddr: option({
      flag: 'ws.addr',
      type: listenHost(),
      default: () => '127.0.0.1',
      help: 'WebSocket listen address.',
      applies: 'live',
      danger: 'On a non-loopback address, anyone who can connect can read the chain, send transactions and take work.',
    }),
    wsPort: option({
      flag: 'ws.port',
      type: port(),
      default: () => 8546,
      help: 'WebSocket port; 0 = any free port. Same address and port as HTTP: one listener for both.',
      applies: 'live',
    }),
    wsApi: option({
      flag: 'ws.api',
      type: wordList(RPC_NAMESPACES),
      default: () => DEFAULT_NAMESPACES,
      help: 'Namespaces served over WebSocket.',
      applies: 'live',
      danger: API_DANGER,
    }),
    wsOrigins: option({
      flag: 'ws.origins',
      type: originNames(),
      default: (): readonly string[] => [],
      defaultText: "pages of http://localhost and of this computer's name",
      help: 'Web page origins allowed to open a WebSocket; * = all.',
      applies: 'live',
      danger: 'Pages of these origins can do everything JSON-RPC offers.',
    }),
    ipcPath: option({
      flag: 'ipcpath',
      type: { ...path('file', 'FILE'), bareInDataDir: true },
      defaultText: 'headframe.ipc in the data directory',
      help: "Local socket (named pipe on Windows) that serves every namespace to this user's programs; a bare name is placed in the data directory.",
      applies: 'live',
    }),
    ipcDisable: toggle({
      flag: 'ipcdisable',
      help: "Don't serve JSON-RPC on a local socket.",
      applies: 'live',
    }),
    gasCap: option({
      flag: 'rpc.gascap',
      type: integer(0, Number.MAX_SAFE_INTEGER, 'GAS'),
      default: () => 600_000_000,
      help: 'Maximum gas of a JSON-RPC call; 0 = no limit.',
    }),
    callTimeoutMs: option({
      flag: 'rpc.pvmtimeout',
      type: duration(0, 3_600_000),
      default: () => 5_000,
      unit: 'ms',
      help: 'Maximum run time of a JSON-RPC call; 0 = no limit.',
    }),
    bodyLimitBytes: option({
      flag: 'rpc.body-limit',
      type: integer(1_024, 134_217_728, 'BYTES'),
      default: () => 5_242_880,
      unit: 'bytes',
      help: 'Maximum size of a JSON-RPC request.',
      applies: 'live',
    }),
    batchLimit: option({
      flag: 'rpc.batch-limit',
      type: integer(1, 100_000),
      default: () => 1_000,
      help: 'Maximum calls in a JSON-RPC batch.',
      applies: 'live',
    }),
  },
})
