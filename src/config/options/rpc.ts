// Options of the JSON-RPC transports besides plain HTTP: what each serves, who may use it, WebSocket and the local
// socket.

import { option, section } from '../schema'
import { listenHost } from '../values/network-address'
import { duration, flag, integer, originNames, path, port, wordList } from '../values/value-types'

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
      since: '0.1.0',
      applies: 'live',
      danger: API_DANGER,
    }),
    httpCors: option({
      flag: 'http.corsdomain',
      type: originNames(),
      default: (): readonly string[] => [],
      defaultText: 'none',
      help: 'Web page origins allowed to read HTTP responses; * = all.',
      since: '0.1.0',
      applies: 'live',
      danger: 'Pages of these origins can do everything JSON-RPC offers.',
    }),
    ws: option({
      flag: 'ws',
      type: flag(),
      default: () => false,
      help: 'Serve JSON-RPC over WebSocket.',
      since: '0.1.0',
      applies: 'live',
    }),
    wsAddr: option({
      flag: 'ws.addr',
      type: listenHost(),
      default: () => '127.0.0.1',
      help: 'WebSocket listen address.',
      since: '0.1.0',
      applies: 'live',
      danger: 'On a non-loopback address, anyone who can connect can read the chain, send transactions and take work.',
    }),
    wsPort: option({
      flag: 'ws.port',
      type: port(),
      default: () => 8546,
      help: 'WebSocket port; 0 = any free port. Same address and port as HTTP: one listener for both.',
      since: '0.1.0',
      applies: 'live',
    }),
    wsApi: option({
      flag: 'ws.api',
      type: wordList(RPC_NAMESPACES),
      default: () => DEFAULT_NAMESPACES,
      help: 'Namespaces served over WebSocket.',
      since: '0.1.0',
      applies: 'live',
      danger: API_DANGER,
    }),
    wsOrigins: option({
      flag: 'ws.origins',
      type: originNames(),
      default: (): readonly string[] => [],
      defaultText: "pages of http://localhost and of this computer's name",
      help: 'Web page origins allowed to open a WebSocket; * = all.',
      since: '0.1.0',
      applies: 'live',
      danger: 'Pages of these origins can do everything JSON-RPC offers.',
    }),
    ipcPath: option({
      flag: 'ipcpath',
      type: { ...path('file', 'FILE'), bareInDataDir: true },
      default: () => null,
      defaultText: 'headframe.ipc in the data directory',
      help: "Local socket (named pipe on Windows) that serves every namespace to this user's programs; a bare name is placed in the data directory.",
      since: '0.1.0',
      applies: 'live',
    }),
    ipcDisable: option({
      flag: 'ipcdisable',
      type: flag(),
      default: () => false,
      help: "Don't serve JSON-RPC on a local socket.",
      since: '0.1.0',
      applies: 'live',
    }),
    gasCap: option({
      flag: 'rpc.gascap',
      type: integer(0, Number.MAX_SAFE_INTEGER, 'GAS'),
      default: () => 600_000_000,
      help: 'Maximum gas of a JSON-RPC call; 0 = no limit.',
      since: '0.1.0',
      applies: 'service',
    }),
    callTimeoutMs: option({
      flag: 'rpc.pvmtimeout',
      type: duration(0, 3_600_000),
      default: () => 5_000,
      unit: 'ms',
      help: 'Maximum run time of a JSON-RPC call; 0 = no limit.',
      since: '0.1.0',
      applies: 'service',
    }),
    bodyLimitBytes: option({
      flag: 'rpc.body-limit',
      type: integer(1_024, 134_217_728, 'BYTES'),
      default: () => 5_242_880,
      unit: 'bytes',
      help: 'Maximum size of a JSON-RPC request.',
      since: '0.1.0',
      applies: 'live',
    }),
    batchLimit: option({
      flag: 'rpc.batch-limit',
      type: integer(1, 100_000),
      default: () => 1_000,
      help: 'Maximum calls in a JSON-RPC batch.',
      since: '0.1.0',
      applies: 'live',
    }),
  },
})
