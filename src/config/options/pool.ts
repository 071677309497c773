// Options of pools: where work comes from when it isn't our own node.
import { option, section } from '../schema'
import { listenAddress } from '../values/network-address'
import { networkList } from '../values/p2p-values'
import { isProxy } from '../values/pool-url'
import { poolList, poolSecrets, poolTexts, rigList } from '../values/rig-address'
import { choice, duration, integer, path, toggle, token } from '../values/value-types'

export const rigsSection = section({
  name: 'rigs',
  title: 'Rigs',
  commands: ['run', 'miner', 'rigs'],
  options: {
    list: option({
      flag: 'rig',
      type: rigList(),
      default: () => [],
      help: 'Rig to monitor through its control port, with its token after # and labels after that (group=cellar); repeatable.',
      danger: 'Other users of this computer can read the command line; prefer --rig-file for tokens.',
    }),
    file: option({
      flag: 'rig-file',
      type: path('file', 'FILE'),
      help: 'File with one rig per line, as in --rig; lines starting with # are comments.',
    }),
    intervalSeconds: option({
      flag: 'rig-interval',
      type: integer(1, 300, 'S'),
      default: () => 5,
      unit: 's',
      help: 'How often to poll each rig.',
    }),
    monitor: toggle({
      flag: 'monitor',
      help: 'Only monitor other rigs: no mining.',
    }),
  },
})

export const stratumSection = section({
  name: 'stratum',
  title: 'Stratum for your rigs',
  commands: ['run', 'node'],
  options: {
    bind: option({
      flag: 'stratum-bind',
      type: listenAddress(),
      default: () => 'off',
      help: 'Address at which your other rigs mine for your node over stratum; off = none.',
    }),
    token: option({
      flag: 'stratum-token',
      type: token(),
      help: 'Password that every rig must log in with.',
      secret: true,
      danger: 'Other users of this computer can read the command line; prefer --stratum-token-file.',
    }),
    tokenFile: option({
      flag: 'stratum-token-file',
      type: path('file', 'FILE'),
      help: 'File with that password on its only line.',
    }),
    allow: option({
      flag: 'stratum-allow',
      type: networkList(),
      default: (): readonly string[] => [],
      defaultText: 'all',
      help: 'Networks whose rigs may connect, for example 192.168.1.0/24.',
    }),
    certificateFile: option({
      flag: 'stratum-cert-file',
      type: path('file', 'FILE'),
      help: 'PEM certificate: the stratum port then speaks TLS only.',
    }),
    keyFile: option({
      flag: 'stratum-key-file',
      type: path('file', 'FILE'),
      help: 'PEM private key of that certificate.',
    }),
  },
})

/** Shared by every pool in the list. */
const PROXY_EXPECTED = 'socks5://[USER:PASSWORD@]HOST:PORT or none, for all pools or one for each'

export const poolSection = section({
  name: 'pool',
  title: 'Pools',
  commands: ['run', 'miner', 'pool'],
  options: {
    urls: option({
      flag: 'pool',
      short: 'P',
      type: poolList(),
      default: () => [],
      defaultText: 'none: run mines on its own node',
      help: 'Pool or getwork node to mine on; repeatable, in failover order. exit as the last one stops the program there.',
    }),
    user: option({
      flag: 'pool-user',
      type: poolTexts('USER'),
      help: 'User name for the pools, beside their address and taken literally; an address may have its own.',
    }),
    worker: option({
      flag: 'pool-worker',
      type: poolTexts('WORKER'),
      help: "This rig's name for the pools, beside their address and taken literally.",
    }),
    password: option({
      flag: 'pool-password',
      type: poolSecrets('PASSWORD'),
      help: 'Password for the pools, beside their address and taken literally.',
      secret: true,
    }),
    proxy: option({
      flag: 'pool-proxy',
      type: poolSecrets('PROXY', PROXY_EXPECTED, isProxy),
      help: "SOCKS5 proxy for the pools; it resolves their names, so Tor's work.",
      secret: true,
    }),
    reportHashrate: toggle({
      flag: 'report-hashrate',
      short: 'R',
      aliases: [{ flag: 'report-hr' }],
      help: 'Report the hashrate to the pool once a minute.',
    }),
    workTimeoutMs: option({
      flag: 'work-timeout',
      type: duration(60_000, 99_999_000),
      default: () => 600_000,
      help: 'Leave a pool after this long without a new job.',
    }),
    responseTimeoutMs: option({
      flag: 'response-timeout',
      type: duration(2_000, 999_000),
      default: () => 10_000,
      help: 'Leave a pool after this long without a response.',
    }),
    retryDelayMs: option({
      flag: 'retry-delay',
      type: duration(1_000, 999_000),
      default: () => 1_000,
      help: 'Delay before the first reconnect; doubles up to one minute.',
    }),
    retryMax: option({
      flag: 'retry-max',
      aliases: [{ flag: 'farm-retries' }],
      type: integer(0, 99_999),
      default: () => 3,
      help: 'Connection attempts before trying the next pool; 0 = unlimited.',
    }),
    failoverMinutes: option({
      flag: 'failover-timeout',
      type: integer(0, 99_999, 'MINUTES'),
      default: () => 10,
      unit: 'minutes',
      help: 'Return to the first pool after it has been healthy this long; 0 = never.',
    }),
    recheckMs: option({
      flag: 'farm-recheck',
      type: integer(1, 99_999, 'MS'),
      default: () => 500,
      unit: 'ms',
      help: 'How often to poll a getwork node for work.',
    }),
    ergodicity: option({
      flag: 'ergodicity',
      type: choice(['0', '1', '2']),
      default: () => '0',
      help: 'When to draw a new start nonce: 0 = at startup, 1 = on each connection, 2 = on each job.',
    }),
    certificateFile: option({
      flag: 'ssl-cert-file',
      type: path('file', 'FILE'),
      help: "CA certificates (PEM) for pools instead of the system's; also SSL_CERT_FILE.",
    }),
    noVerify: toggle({
      flag: 'ssl-noverify',
      help: "Don't verify pool certificates; also SSL_NOVERIFY. For a single pool, add ?verify=0.",
      danger: 'Anyone on the network path can take the shares.',
    }),
  },
})
