// JSON-RPC for the program's own window: the read-only methods, with answers of limited size.
import { Dispatcher, type DispatcherDeps } from './dispatch/dispatch'
import { CallScope } from './dispatch/method'

// An allowlist, so that a new method is excluded until someone has considered it. Account methods are excluded, since
// asking a signer prompts the user; so is what occupies a thread for long.
const ETH = [
  ...['blockNumber', 'chainId', 'coinbase', 'mining', 'syncing', 'hashrate', 'getHashrate'],
  ...['call', 'createAccessList', 'estimateGas'],
  ...['feeEstimates', 'feeHistory', 'gasPrice', 'maxPriorityFeePerGas'],
  ...['getBalance', 'getCode', 'getProof', 'getStorageAt', 'getTransactionCount'],
  ...['getBlockByHash', 'getBlockByNumber', 'getHeaderByHash', 'getHeaderByNumber', 'getBlockReceipts', 'getLogs'],
  ...['getBlockTransactionCountByHash', 'getBlockTransactionCountByNumber'],
  ...['getCirculatingSupply', 'getTotalSupply'],
  ...['getTransactionByHash', 'getTransactionByBlockHashAndIndex', 'getTransactionByBlockNumberAndIndex'],
  ...['getTransactionReceipt', 'getRawTransactionByHash'],
]

/** Sorted full names. */
export const READ_ONLY_METHODS: readonly string[] = [
  ...ETH.map((name) => `eth_${name}`),
  ...['admin_beside', 'admin_datadir', 'admin_nodeInfo', 'admin_peers'],
  ...['debug_getBlockRlp', 'debug_getHeaderRlp', 'debug_getRawReceipts', 'debug_seedHash'],
  ...['net_listening', 'net_peerCount', 'net_version', 'rpc_modules'],
  ...['txpool_content', 'txpool_contentFrom', 'txpool_inspect', 'txpool_status'],
  ...['web3_clientVersion', 'web3_sha3'],
].sort()

const WINDOW = { transport: 'ipc', remote: 'NA', local: 'NA', userAgent: 'window', origin: '' } as const

export class RpcConsole {
  readonly #dispatcher: Dispatcher
  readonly #names: readonly string[]

  /** @param deps with every method; those that change something are removed here */
  constructor(deps: DispatcherDeps) {
    const methods = new Map([...deps.methods].filter(([name]) => READ_ONLY_METHODS.includes(name)))
    this.#names = [...methods.keys()].sort()
    this.#dispatcher = new Dispatcher({ ...deps, methods, otherMethod: () => null })
  }

  methods(): readonly string[] {
    return this.#names
  }

  /** The whole answer as JSON text, errors included; an unknown method is one. */
  async ask(method: string, params: readonly unknown[], signal: AbortSignal): Promise<string> {
    // Sent as a batch, whose answers are limited and never streamed.
    return (await this.exchange(JSON.stringify([{ jsonrpc: '2.0', id: 1, method, params }]), signal)).slice(1, -1)
  }

  /** A batch's answers as JSON text. @param batch text of a list of requests */
  async exchange(batch: string, signal: AbortSignal): Promise<string> {
    const scope = new CallScope('ipc', null, () => WINDOW)
    const gone = (): void => scope.clientGone()
    signal.addEventListener('abort', gone, { once: true })
    try {
      const answer = await this.#dispatcher.answer(batch, scope)
      scope.answered()
      return typeof answer === 'string' ? answer : ''
    } finally {
      signal.removeEventListener('abort', gone)
    }
  }
}
