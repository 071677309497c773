// Options of the transaction pool, named as the node family names them.
import { HOUR_MS } from '../../base/time'
import { option, section } from '../schema'
import { addresses, choice, duration, flag, integer, path, wei } from '../values/value-types'

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
      since: '0.1.0',
      applies: 'service',
    }),
    noLocals: option({
      flag: 'txpool.nolocals',
      type: flag(),
      default: () => false,
      help: "Treat transactions sent here like any other: price rules apply, and they don't survive restarts.",
      since: '0.1.0',
      applies: 'service',
    }),
    journal: option({
      flag: 'txpool.journal',
      type: path('file', 'FILE'),
      default: (context) => context.join(context.dataDir, context.network, 'transactions.journal'),
      defaultText: "transactions.journal in the network's data directory",
      help: 'File that keeps local transactions across restarts.',
      since: '0.1.0',
      applies: 'service',
    }),
    rejournalMs: option({
      flag: 'txpool.rejournal',
      type: duration(1_000, 24 * HOUR_MS),
      default: () => HOUR_MS,
      unit: 'ms',
      help: 'How often that file is rewritten.',
      since: '0.1.0',
      applies: 'service',
    }),
    priceLimit: option({
      flag: 'txpool.pricelimit',
      type: wei(),
      default: () => 1n,
      unit: 'wei',
      help: 'Minimum gas price for remote transactions; while mining, --miner.gasprice if higher.',
      since: '0.1.0',
      applies: 'service',
    }),
    priceBump: option({
      flag: 'txpool.pricebump',
      type: integer(1, 1_000, 'PERCENT'),
      default: () => 10,
      help: 'Price increase required to replace a transaction with the same nonce, percent.',
      since: '0.1.0',
      applies: 'service',
    }),
    priceTarget: option({
      flag: 'gpo.target',
      type: choice(['1', '3', '6', '24', 'recent']),
      default: () => '3',
      help: 'Suggest the gas price that confirms 85% of transactions within this many blocks; recent = the usual price of the last 20 blocks, also used while too few transactions were seen.',
      since: '0.1.0',
      applies: 'service',
    }),
    accountSlots: option({
      flag: 'txpool.accountslots',
      type: integer(1, MAX_SLOTS),
      default: () => 32,
      help: 'Executable transactions guaranteed per account.',
      since: '0.1.0',
      applies: 'service',
    }),
    globalSlots: option({
      flag: 'txpool.globalslots',
      type: integer(1, MAX_SLOTS),
      default: () => 10_240,
      help: 'Maximum executable transactions of all accounts.',
      since: '0.1.0',
      applies: 'service',
    }),
    accountQueue: option({
      flag: 'txpool.accountqueue',
      type: integer(1, MAX_SLOTS),
      default: () => 128,
      help: 'Maximum queued transactions per account.',
      since: '0.1.0',
      applies: 'service',
    }),
    globalQueue: option({
      flag: 'txpool.globalqueue',
      type: integer(1, MAX_SLOTS),
      default: () => 2_048,
      help: 'Maximum queued transactions of all accounts.',
      since: '0.1.0',
      applies: 'service',
    }),
    lifetimeMs: option({
      flag: 'txpool.lifetime',
      type: duration(1_000, 1_000 * HOUR_MS),
      default: () => 3 * HOUR_MS,
      unit: 'ms',
      help: 'How long remote transactions may stay queued.',
      since: '0.1.0',
      applies: 'service',
    }),
  },
})
