// Options of the chain node, its JSON-RPC and its block templates.

import { HOUR_MS } from '../../base/time'
import { GC_MODES, option, section } from '../schema'
import { listenHost } from '../values/network-address'
import {
  address,
  addresses,
  choice,
  duration,
  flag,
  hostNames,
  integer,
  path,
  port,
  shortData,
  signerAddress,
  toggle,
  wei,
} from '../values/value-types'

const MAX_SLOTS = 1_000_000

export const txpoolSection = section({
  name: 'txpool',
  title: 'Transaction pool',
  commands: ['run', 'node'],
  options: {
    locals: option({
      flag: 'txpool.locals',
      type: addresses(),
      default: (): readonly string[] => [],
      help: 'Accounts treated as local: their transactions survive restarts and skip price rules.',
    }),
    noLocals: toggle({
      flag: 'txpool.nolocals',
      help: "Treat transactions sent here like any other: price rules apply, and they don't survive restarts.",
    }),
    journal: option({
      flag: 'txpool.journal',
      type: path('file', 'FILE'),
      default: (context) => context.join(context.dataDir, context.network, 'transactions.journal'),
      defaultText: "transactions.journal in the network's data directory",
      help: 'File that keeps local transactions across restarts.',
    }),
    rejournalMs: option({
      flag: 'txpool.rejournal',
      type: duration(1_000, 24 * HOUR_MS),
      default: () => HOUR_MS,
      unit: 'ms',
      help: 'How often that file is rewritten.',
    }),
    priceLimit: option({
      flag: 'txpool.pricelimit',
      type: wei(),
      default: () => 1n,
      unit: 'wei',
      help: 'Minimum gas price for remote transactions; while mining, --miner.gasprice if higher.',
    }),
    priceBump: option({
      flag: 'txpool.pricebump',
      type: integer(1, 1_000, 'PERCENT'),
      default: () => 10,
      help: 'Price increase required to replace a transaction with the same nonce, percent.',
    }),
    priceTarget: option({
      flag: 'gpo.target',
      type: choice(['1', '3', '6', '24', 'recent']),
      default: () => '3',
      help: 'Suggest the gas price that confirms 85% of transactions within this many blocks; recent = the usual price of the last 20 blocks, also used while too few transactions were seen.',
    }),
    accountSlots: option({
      flag: 'txpool.accountslots',
      type: integer(1, MAX_SLOTS),
      default: () => 32,
      help: 'Executable transactions guaranteed per account.',
    }),
    globalSlots: option({
      flag: 'txpool.globalslots',
      type: integer(1, MAX_SLOTS),
      default: () => 10_240,
      help: 'Maximum executable transactions of all accounts.',
    }),
    accountQueue: option({
      flag: 'txpool.accountqueue',
      type: integer(1, MAX_SLOTS),
      default: () => 128,
      help: 'Maximum queued transactions per account.',
    }),
    globalQueue: option({
      flag: 'txpool.globalqueue',
      type: integer(1, MAX_SLOTS),
      default: () => 2_048,
      help: 'Maximum queued transactions of all accounts.',
    }),
    lifetimeMs: option({
      flag: 'txpool.lifetime',
      type: duration(1_000, 1_000 * HOUR_MS),
      default: () => 3 * HOUR_MS,
      unit: 'ms',
      help: 'How long remote transactions may stay queued.',
    }),
  },
})

export const chainSection = section({
  name: 'chain',
  title: 'Chain',
  commands: ['run', 'node', 'init', 'import', 'export', 'db'],
  options: {
    gcMode: option({
      flag: 'gcmode',
      type: choice(GC_MODES),
      default: () => 'full',
      help: 'How many old states to keep: full = recent blocks, archive = all.',
    }),
    history: option({
      flag: 'history.state',
      type: integer(0, Number.MAX_SAFE_INTEGER, 'BLOCKS'),
      default: () => 0,
      help: 'Recent blocks whose accounts and slots a full node can look up, at least 8192. 0 = all.',
    }),
    fakePow: toggle({
      flag: 'fakepow',
      help: 'Accept blocks without checking their proof of work. Switches peers off.',
      danger: 'Anyone can make such blocks: for imports and tests only, refused on main and test.',
      notInFile: true,
    }),
  },
})

export const nodeSection = section({
  name: 'node',
  title: 'Node',
  commands: ['run', 'node'],
  options: {
    http: option({
      flag: 'http',
      type: flag(),
      default: (context) => context.network === 'practice',
      defaultText: 'true on the practice network, else false',
      help: 'Serve JSON-RPC over HTTP.',
      applies: 'live',
    }),
    httpAddr: option({
      flag: 'http.addr',
      type: listenHost(),
      default: () => '127.0.0.1',
      help: 'JSON-RPC listen address.',
      applies: 'live',
      danger: 'On a non-loopback address, anyone who can connect can read the chain, send transactions and take work.',
    }),
    httpPort: option({
      flag: 'http.port',
      type: port(),
      default: () => 8545,
      help: 'JSON-RPC port; 0 = any free port.',
      applies: 'live',
    }),
    httpVhosts: option({
      flag: 'http.vhosts',
      type: hostNames(true),
      default: (): readonly string[] => ['localhost'],
      help: 'Host names JSON-RPC answers to, besides IP addresses; * = all.',
      applies: 'live',
      danger: 'With *, any web page can reach JSON-RPC through its own host name.',
    }),
    beside: option({
      flag: 'beside',
      type: signerAddress(),
      help: 'JSON-RPC of another node (http address or local socket), compared with this one block by block: headers, receipts, logs, balances.',
    }),
    getworkHeight: toggle({
      flag: 'rpc.getwork-height',
      help: 'Append the block number to eth_getWork results, for pool software that needs it.',
      applies: 'live',
    }),
    mine: option({
      flag: 'mine',
      type: flag(),
      default: (context) => context.network === 'practice',
      defaultText: 'true on the practice network, else false',
      help: 'Create block templates for the miner and eth_getWork.',
      applies: 'live',
    }),
    coinbase: option({
      flag: 'miner.coinbase',
      aliases: [{ flag: 'miner.etherbase' }, { flag: 'etherbase' }],
      type: address(),
      defaultText: "the practice network's own account",
      help: 'Account for block rewards.',
      applies: 'live',
    }),
    extraData: option({
      flag: 'miner.extradata',
      type: shortData(32),
      defaultText: "the program's name and version",
      help: 'Extra data in the header of mined blocks, up to 32 bytes.',
    }),
    gasLimit: option({
      flag: 'miner.gaslimit',
      type: integer(5_000, Number.MAX_SAFE_INTEGER, 'GAS'),
      default: (context) => (context.network === 'practice' ? 30_000_000 : 600_000_000),
      defaultText: '30000000 on the practice network, else 600000000',
      unit: 'gas',
      help: 'Target gas limit of mined blocks.',
      applies: 'live',
    }),
    gasPrice: option({
      flag: 'miner.gasprice',
      type: wei(),
      default: () => 1_000_000_000n,
      unit: 'wei',
      help: "Minimum gas price for other people's transactions in mined blocks.",
      applies: 'live',
    }),
    recommitMs: option({
      flag: 'miner.recommit',
      type: duration(5_000, 120_000),
      default: () => 20_000,
      unit: 'ms',
      help: 'How often the block template is rebuilt.',
      applies: 'live',
    }),
  },
})
