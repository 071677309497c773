// Random calls: arguments of the kinds that a method takes, sometimes with something wrong in one of them.
import type { Dice } from './dice'

export type Value = null | boolean | number | string | readonly Value[] | { readonly [name: string]: Value }

export interface Call {
  readonly method: string
  /** Undefined = the member is omitted. */
  readonly params: Value | undefined
}

/** What is known about the chain that both programs have. */
export interface Known {
  readonly blocks: readonly string[]
  readonly transactions: readonly string[]
  readonly addresses: readonly string[]
  readonly head: number
}

type Kind =
  | 'address'
  | 'block'
  | 'hash'
  | 'tx'
  | 'number'
  | 'bool'
  | 'slot'
  | 'slots'
  | 'call'
  | 'filter'
  | 'data'
  | 'index'
  | 'id'
  | 'options'
  | 'text'
  | 'percentiles'
  | 'small'
  | 'signature'

/** Read-only methods, with the kinds of their arguments. */
const METHODS: Readonly<Record<string, readonly Kind[]>> = {
  eth_accounts: [],
  eth_blockNumber: [],
  eth_chainId: [],
  eth_coinbase: [],
  eth_gasPrice: [],
  eth_hashrate: [],
  eth_mining: [],
  eth_maxPriorityFeePerGas: [],
  eth_syncing: [],
  eth_pendingTransactions: [],
  eth_getWork: [],
  eth_call: ['call', 'block'],
  eth_estimateGas: ['call', 'block'],
  eth_createAccessList: ['call', 'block'],
  eth_feeHistory: ['number', 'block', 'percentiles'],
  eth_fillTransaction: ['call'],
  eth_getBalance: ['address', 'block'],
  eth_getCode: ['address', 'block'],
  eth_getTransactionCount: ['address', 'block'],
  eth_getStorageAt: ['address', 'slot', 'block'],
  eth_getProof: ['address', 'slots', 'block'],
  eth_getBlockByHash: ['hash', 'bool'],
  eth_getBlockByNumber: ['block', 'bool'],
  eth_getHeaderByHash: ['hash'],
  eth_getHeaderByNumber: ['block'],
  eth_getBlockTransactionCountByHash: ['hash'],
  eth_getBlockTransactionCountByNumber: ['block'],
  eth_getUncleCountByBlockHash: ['hash'],
  eth_getUncleCountByBlockNumber: ['block'],
  eth_getUncleByBlockHashAndIndex: ['hash', 'index'],
  eth_getUncleByBlockNumberAndIndex: ['block', 'index'],
  eth_getTransactionByHash: ['tx'],
  eth_getTransactionReceipt: ['tx'],
  eth_getRawTransactionByHash: ['tx'],
  eth_getTransactionByBlockHashAndIndex: ['hash', 'index'],
  eth_getTransactionByBlockNumberAndIndex: ['block', 'index'],
  eth_getRawTransactionByBlockHashAndIndex: ['hash', 'index'],
  eth_getRawTransactionByBlockNumberAndIndex: ['block', 'index'],
  eth_getLogs: ['filter'],
  eth_getFilterChanges: ['id'],
  eth_getFilterLogs: ['id'],
  eth_uninstallFilter: ['id'],
  eth_sendRawTransaction: ['data'],
  eth_submitWork: ['data', 'hash', 'hash'],
  eth_getTotalSupply: ['block'],
  eth_getCirculatingSupply: ['block'],
  net_version: [],
  net_listening: [],
  net_peerCount: [],
  web3_sha3: ['data'],
  rpc_modules: [],
  txpool_status: [],
  txpool_content: [],
  txpool_inspect: [],
  txpool_contentFrom: ['address'],
  debug_getBlockRlp: ['number'],
  debug_getHeaderRlp: ['number'],
  debug_printBlock: ['number'],
  debug_seedHash: ['number'],
  debug_getRawReceipts: ['block'],
  debug_traceTransaction: ['tx', 'options'],
  debug_traceCall: ['call', 'block', 'options'],
  debug_traceBlockByNumber: ['block', 'options'],
  debug_traceBlockByHash: ['hash', 'options'],
  debug_storageRangeAt: ['hash', 'number', 'address', 'data', 'number'],
  debug_preimage: ['hash'],
  debug_accountRange: ['block', 'data', 'small', 'bool', 'bool', 'bool'],
  debug_dumpBlock: ['block'],
  debug_getAccessibleState: ['number', 'number'],
  debug_getBadBlocks: [],
  debug_getModifiedAccountsByHash: ['hash', 'hash'],
  debug_getModifiedAccountsByNumber: ['small', 'small'],
  debug_intermediateRoots: ['hash', 'options'],
  debug_traceBadBlock: ['hash', 'options'],
  debug_traceBlock: ['data', 'options'],
  eth_getHashrate: [],
  eth_newFilter: ['filter'],
  eth_newBlockFilter: [],
  eth_newPendingTransactionFilter: [],
  eth_resend: ['call', 'slot', 'slot'],
  eth_sendTransaction: ['call'],
  eth_sign: ['address', 'data'],
  eth_signTransaction: ['call'],
  eth_submitHashrate: ['slot', 'hash'],
  personal_ecRecover: ['data', 'signature'],
  xhash_getCirculatingSupply: ['block'],
  xhash_getHashrate: [],
  xhash_getTotalSupply: ['block'],
  xhash_getWork: [],
  xhash_submitHashrate: ['slot', 'hash'],
  xhash_submitWork: ['data', 'hash', 'hash'],
  no_method: [],
  eth_: [],
  '': [],
}

const METHOD_NAMES = Object.keys(METHODS)

const ODD: readonly Value[] = [
  null,
  true,
  false,
  0,
  1,
  -1,
  1.5,
  1e300,
  2 ** 53,
  '',
  ' ',
  '0x',
  '0x0',
  '0x00',
  '0x1',
  '0x01',
  '0X1',
  '1',
  'x',
  '0xg',
  '0x123',
  '-0x1',
  '0xffffffffffffffff',
  '0x10000000000000000',
  `0x${'f'.repeat(64)}`,
  `0x${'f'.repeat(65)}`,
  'latest',
  'pending',
  'earliest',
  'Latest',
  'true',
  [],
  [null],
  [[]],
  {},
  { x: 1 },
  [1, 2],
  { blockNumber: '0x1' },
  { blockHash: null },
  '\u0000',
  'ü',
  '0x ',
  ' 0x1',
]

/** One call; `seed` determines all of it. */
export function randomCall(dice: Dice, known: Known): Call {
  const method = dice.pick(METHOD_NAMES)
  const kinds = METHODS[method] ?? []
  const params = kinds.map((kind) => argument(dice, kind, known))
  switch (dice.below(12)) {
    case 0:
      return { method, params: params.slice(0, dice.below(params.length + 1)) }
    case 1:
      return { method, params: [...params, dice.pick(ODD)] }
    case 2:
      return { method, params: dice.pick([undefined, null, {}, 'x', 1, false, [], { a: 1 }]) }
    case 3:
    case 4:
    case 5:
    case 6:
      return { method, params: withOdd(params, dice) }
    default:
      return { method, params }
  }
}

function withOdd(params: readonly Value[], dice: Dice): Value {
  if (params.length === 0) return [dice.pick(ODD)]
  const at = dice.below(params.length)
  return params.map((value, index) => (index === at ? oddly(value, dice) : value))
}

/** Another value, or the same with one wrong member. */
function oddly(value: Value, dice: Dice): Value {
  const isRecord = typeof value === 'object' && value !== null && !Array.isArray(value)
  const names = isRecord ? Object.keys(value) : []
  if (names.length === 0 || dice.below(4) === 0) return dice.pick(ODD)
  return { ...(value as { readonly [name: string]: Value }), [dice.pick(names)]: dice.pick(ODD) }
}

function argument(dice: Dice, kind: Kind, known: Known): Value {
  const number = (): string => `0x${dice.below(known.head + 3).toString(16)}`
  switch (kind) {
    case 'address':
      return dice.below(4) === 0 ? dice.hex(20) : dice.pick(known.addresses)
    case 'hash':
      return dice.below(6) === 0 ? dice.hex(32) : dice.pick(known.blocks)
    case 'tx':
      return dice.below(6) === 0 ? dice.hex(32) : dice.pick(known.transactions)
    case 'block':
      return blockArgument(dice, known, number())
    case 'number':
      return dice.pick<Value>([dice.below(known.head + 3), number(), 1, 0])
    case 'index':
      return dice.pick(['0x0', '0x1', '0x2', '0xff'])
    case 'bool':
      return dice.below(2) === 0
    case 'slot':
      return dice.pick(['0x0', '0x1', `0x${'0'.repeat(63)}1`, dice.hex(32)])
    case 'slots':
      return dice.pick<Value>([[], ['0x0'], [`0x${'0'.repeat(64)}`, '0x1'], [dice.hex(32)]])
    case 'data':
      return dice.pick(['0x', dice.hex(1), dice.hex(4), dice.hex(36), dice.hex(120)])
    case 'id':
      return dice.pick(['0x1', dice.hex(16)])
    case 'signature':
      return dice.pick([`${dice.hex(64)}1b`, `${dice.hex(64)}1c`, dice.hex(65), dice.hex(64)])
    case 'small':
      return dice.pick([0, 1, 2, 5, known.head, known.head + 1])
    case 'percentiles':
      return dice.pick<Value>([[], [0, 50, 100], [25.5], [50, 20], [-1], [101], ['1']])
    case 'text':
      return dice.pick(['', 'x'])
    case 'options':
      return traceOptions(dice)
    case 'call':
      return callObject(dice, known)
    case 'filter':
      return filterObject(dice, known)
  }
}

function blockArgument(dice: Dice, known: Known, number: string): Value {
  return dice.pick<Value>([
    number,
    number,
    'latest',
    'earliest',
    'pending',
    { blockNumber: number },
    { blockHash: dice.pick(known.blocks) },
    { blockHash: dice.pick(known.blocks), requireCanonical: true },
    { blockHash: dice.hex(32) },
    { blockNumber: number, blockHash: dice.pick(known.blocks) },
    {},
  ])
}

function traceOptions(dice: Dice): Value {
  return dice.pick<Value>([
    {},
    { tracer: 'callTracer' },
    { tracer: 'prestateTracer' },
    { tracer: '4byteTracer' },
    { tracer: 'noopTracer' },
    { tracer: 'none' },
    { disableStack: true, disableStorage: true, limit: 3 },
    { enableMemory: true, limit: 2 },
    { timeout: 'x' },
    { timeout: '10s', tracer: 'callTracer' },
    { reexec: 1 },
  ])
}

/** Some members of `all`. */
function someOf(dice: Dice, all: { readonly [name: string]: Value }): { readonly [name: string]: Value } {
  return Object.fromEntries(Object.entries(all).filter(() => dice.below(2) === 0))
}

function callObject(dice: Dice, known: Known): Value {
  return someOf(dice, {
    from: dice.pick(known.addresses),
    to: dice.pick(known.addresses),
    gas: dice.pick(['0x5208', '0x186a0', '0xf4240', '0x1']),
    gasPrice: dice.pick(['0x0', '0x1', '0x3b9aca00']),
    value: dice.pick(['0x0', '0x1', `0x${'f'.repeat(32)}`]),
    data: dice.pick(['0x', dice.hex(4), dice.hex(36)]),
    nonce: dice.pick(['0x0', '0xff']),
    ...(dice.below(4) === 0 ? { input: dice.hex(4) } : {}),
    ...(dice.below(6) === 0 ? { accessList: [{ address: dice.pick(known.addresses), storageKeys: [] }] } : {}),
    ...(dice.below(8) === 0 ? { maxFeePerGas: '0x1' } : {}),
    ...(dice.below(8) === 0 ? { chainId: dice.pick(['0x1', '0xc26']) } : {}),
  })
}

function filterObject(dice: Dice, known: Known): Value {
  return someOf(dice, {
    fromBlock: dice.pick(['0x0', '0x5', 'latest', 'earliest', '0xff']),
    toBlock: dice.pick(['0x3', '0x20', 'latest', '0xff']),
    address: dice.pick<Value>([dice.pick(known.addresses), [dice.pick(known.addresses)], []]),
    topics: dice.pick<Value>([
      [],
      [null],
      [[dice.hex(32)]],
      [[]],
      [null, [null]],
      [[], [], [], []],
      [[], [], [], [], []],
    ]),
    ...(dice.below(4) === 0 ? { blockHash: dice.pick(known.blocks) } : {}),
  })
}
