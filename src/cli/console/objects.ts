// The console's objects as in the node family's (eth, net, admin, ...), built from the methods that the node serves.
import { SECOND_MS } from '../../base/time'
import type { SyncCall } from './sync-rpc'
import { fromWei, quantityOf, readable, readableNumber, toWei, wholeNumber } from './units'

/** A namespace: functions by name, and properties that call the node when read. */
export type ConsoleObject = Record<string, unknown>

/** A block hash, where a number or tag is also allowed. */
const HASH = /^0x[0-9a-fA-F]{64}$/

/** Read without parentheses. */
const PROPERTIES: Readonly<Record<string, readonly string[]>> = {
  eth: ['accounts', 'blockNumber', 'coinbase', 'gasPrice', 'hashrate', 'mining', 'pendingTransactions', 'syncing'],
  net: ['listening', 'peerCount', 'version'],
  admin: ['datadir', 'nodeInfo', 'peers'],
  txpool: ['content', 'inspect', 'status'],
  personal: ['listAccounts'],
}
/** Methods whose result is a number. */
const NUMBER_RESULTS: ReadonlySet<string> = new Set([
  ...[
    'eth_blockNumber',
    'eth_chainId',
    'eth_hashrate',
    'eth_getHashrate',
    'eth_getTransactionCount',
    'eth_estimateGas',
  ],
  ...['eth_getBlockTransactionCountByHash', 'eth_getBlockTransactionCountByNumber', 'net_peerCount'],
])
/** Methods whose result is an amount of wei. */
const AMOUNT_RESULTS: ReadonlySet<string> = new Set([
  ...['eth_gasPrice', 'eth_maxPriorityFeePerGas', 'eth_getBalance', 'eth_getCirculatingSupply', 'eth_getTotalSupply'],
])
/** Index of the optional block argument. */
const BLOCK_AT: Readonly<Record<string, number>> = {
  eth_getBalance: 1,
  eth_getCode: 1,
  eth_getTransactionCount: 1,
  eth_getStorageAt: 2,
  eth_getProof: 2,
  eth_call: 1,
}
/** Methods with JSON numbers rather than quantities. */
const PLAIN_NUMBERS: ReadonlySet<string> = new Set([
  ...['admin_exportChain', 'debug_getModifiedAccountsByNumber', 'debug_intermediateRoots', 'debug_storageRangeAt'],
  ...['miner_setRecommitInterval', 'miner_start', 'debug_seedHash', 'personal_unlockAccount'],
])
/** Members of call, filter and transaction objects that are quantities. */
const QUANTITY_MEMBERS: ReadonlySet<string> = new Set([
  ...['value', 'gas', 'gasPrice', 'maxFeePerGas', 'maxPriorityFeePerGas', 'nonce', 'chainId', 'fromBlock', 'toBlock'],
])

/** What the objects are built from. */
interface ConsoleWorld {
  readonly call: SyncCall
  /** Full names of the methods that the node may serve. */
  readonly methods: readonly string[]
  /** Of `rpc_modules`. */
  readonly modules: readonly string[]
  /** Blocks the thread. */
  readonly sleep: (ms: number) => void
}

/** All objects by name: a namespace for each module, and `web3`. */
export function consoleObjects(world: ConsoleWorld): Readonly<Record<string, ConsoleObject>> {
  const spaces = world.modules.filter((name) => name !== 'rpc')
  const objects = Object.fromEntries(spaces.map((name) => [name, namespaceOf(name, world)]))
  if (objects.eth !== undefined) addEthNames(objects.eth, world.call)
  if (objects.admin !== undefined) addAdminNames(objects.admin, world)
  return { ...objects, web3: { ...web3Of(world.call), ...objects } }
}

function namespaceOf(space: string, { call, methods }: ConsoleWorld): ConsoleObject {
  const object: ConsoleObject = {}
  const properties = (Object.hasOwn(PROPERTIES, space) ? PROPERTIES[space] : null) ?? []
  for (const full of methods.filter((name) => name.startsWith(`${space}_`))) {
    const name = full.slice(space.length + 1)
    const ask = (...args: readonly unknown[]): unknown => resultOf(full, call(full, argumentsOf(full, args)))
    if (properties.includes(name)) Object.defineProperty(object, name, { enumerable: true, get: () => ask() })
    else object[name] = Object.defineProperty(ask, 'name', { value: full })
  }
  return object
}

function resultOf(method: string, result: unknown): unknown {
  if (NUMBER_RESULTS.has(method)) return readableNumber(result, false)
  if (AMOUNT_RESULTS.has(method)) return readableNumber(result, true)
  return readable(result)
}

/** In RPC form: numbers become quantities, and an omitted block is the latest. */
function argumentsOf(method: string, args: readonly unknown[]): readonly unknown[] {
  const given = PLAIN_NUMBERS.has(method) ? args : args.map(argument)
  const blockAt = BLOCK_AT[method]
  return blockAt !== undefined && given.length === blockAt ? [...given, 'latest'] : given
}

function argument(value: unknown): unknown {
  if (typeof value === 'bigint' || (typeof value === 'number' && Number.isSafeInteger(value))) return quantityOf(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const members = Object.entries(value).map(([name, member]: [string, unknown]) => {
    const isQuantity = QUANTITY_MEMBERS.has(name) && (typeof member === 'number' || typeof member === 'bigint')
    return [name, isQuantity ? quantityOf(member) : member]
  })
  return Object.fromEntries(members)
}

/** The family's short names: a block by hash, number or tag, and its parts. */
function addEthNames(eth: ConsoleObject, call: SyncCall): void {
  const pick =
    (byHash: string, byNumber: string) =>
    (block: unknown, ...rest: readonly unknown[]): unknown => {
      const isHash = typeof block === 'string' && HASH.test(block)
      const method = isHash ? byHash : byNumber
      return resultOf(method, call(method, argumentsOf(method, [block ?? 'latest', ...rest])))
    }
  const blocks = pick('eth_getBlockByHash', 'eth_getBlockByNumber')
  eth.getBlock = (block: unknown, full: unknown = false) => blocks(block, full)
  eth.getBlockTransactionCount = pick('eth_getBlockTransactionCountByHash', 'eth_getBlockTransactionCountByNumber')
  eth.getTransactionFromBlock = pick('eth_getTransactionByBlockHashAndIndex', 'eth_getTransactionByBlockNumberAndIndex')
  eth.getTransaction = (hash: unknown) => readable(call('eth_getTransactionByHash', [hash]))
  eth.getRawTransaction = (hash: unknown) => call('eth_getRawTransactionByHash', [hash])
}

function addAdminNames(admin: ConsoleObject, { call, sleep }: ConsoleWorld): void {
  // Not a number would be forever.
  const counted = (value: unknown): number => {
    const count = typeof value === 'bigint' ? Number(value) : value
    if (typeof count === 'number' && count >= 0 && count <= Number.MAX_SAFE_INTEGER) return count
    throw new Error(`${String(value)} is not a number from 0 on`)
  }
  admin.sleep = (seconds: unknown) => sleep(counted(seconds) * SECOND_MS)
  admin.sleepBlocks = (count: unknown) => {
    const head = (): number => Number(readableNumber(call('eth_blockNumber', []), false))
    const end = head() + counted(count)
    while (head() < end) sleep(SECOND_MS)
    return true
  }
}

function web3Of(call: SyncCall): ConsoleObject {
  const web3: ConsoleObject = {
    fromWei,
    toWei,
    toHex: (value: unknown) =>
      typeof value === 'string' && /^0x/i.test(value) ? value : quantityOf(wholeNumber(value)),
    toDecimal: (value: unknown) => Number(wholeNumber(value)),
    sha3: (data: unknown) => call('web3_sha3', [data]),
    isAddress: (text: unknown) => typeof text === 'string' && /^0x[0-9a-fA-F]{40}$/.test(text),
  }
  const version = {}
  Object.defineProperty(version, 'node', { enumerable: true, get: () => call('web3_clientVersion', []) })
  Object.defineProperty(version, 'network', { enumerable: true, get: () => call('net_version', []) })
  web3.version = version
  return web3
}
