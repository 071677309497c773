// Methods that neither sign nor change anything, nor keep anything alive after their answer: those the window's console
// may call. An allowlist, so that a new method is excluded until someone has considered it. Account methods are
// excluded, since asking a signer for them prompts the user; so is anything that occupies a thread for long.

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
