// Methods that neither sign nor change anything, and keep nothing alive behind their answer: what the window's console may ask.
// A list of what is allowed, so that a new method is refused until somebody has thought about it. Accounts are not among them,
// since asking a signer for them is a request that a person answers; nor is what holds a thread for long.

const ETH = [
  'blockNumber',
  'call',
  'chainId',
  'coinbase',
  'createAccessList',
  'estimateGas',
  'feeHistory',
  'gasPrice',
  'getBalance',
  'getBlockByHash',
  'getBlockByNumber',
  'getBlockReceipts',
  'getBlockTransactionCountByHash',
  'getBlockTransactionCountByNumber',
  'getCirculatingSupply',
  'getCode',
  'getHashrate',
  'getHeaderByHash',
  'getHeaderByNumber',
  'getLogs',
  'getProof',
  'getRawTransactionByHash',
  'getStorageAt',
  'getTotalSupply',
  'getTransactionByBlockHashAndIndex',
  'getTransactionByBlockNumberAndIndex',
  'getTransactionByHash',
  'getTransactionCount',
  'getTransactionReceipt',
  'hashrate',
  'maxPriorityFeePerGas',
  'mining',
  'syncing',
]

/** Sorted full names. */
export const READ_ONLY_METHODS: readonly string[] = [
  ...ETH.map((name) => `eth_${name}`),
  ...['admin_datadir', 'admin_nodeInfo', 'admin_peers'],
  ...['debug_getBlockRlp', 'debug_getHeaderRlp', 'debug_getRawReceipts', 'debug_seedHash'],
  ...['net_listening', 'net_peerCount', 'net_version', 'rpc_modules'],
  ...['txpool_content', 'txpool_contentFrom', 'txpool_inspect', 'txpool_status'],
  ...['web3_clientVersion', 'web3_sha3'],
].sort()
