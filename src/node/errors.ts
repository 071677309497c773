// What can go wrong in the node. Codes are public: never rename one, add a new one.
import { defineErrors } from '../base/errors'

const megabytes = (bytes: number): string => (bytes / 1_000_000).toFixed(0)

/** The database on disk. */
export const StoreError = defineErrors({
  STORE_CORRUPT: (d: { folder: string; reason: string }) =>
    `the chain database in ${d.folder} is damaged (${d.reason}): run headframe db repair with the same --datadir and network. Or move that folder aside and restart: the chain then comes from peers that have it`,
  STORE_LOCKED: (d: { folder: string }) =>
    `the chain database in ${d.folder} is in use by another program: stop it or choose another --datadir`,
  STORE_UNREADABLE: (d: { folder: string; reason: string }) =>
    `the chain database in ${d.folder} cannot be opened: ${d.reason}`,
  STORE_SCHEMA: (d: { folder: string; found: string; known: number }) =>
    `the chain database in ${d.folder} has format ${d.found}, this version knows ${d.known}: use the version that wrote it, or move the folder aside`,
  STORE_DISK_LOW: (d: { folder: string; freeBytes: number; neededBytes: number }) =>
    `the disk of ${d.folder} is nearly full (${megabytes(d.freeBytes)} MB free, ${megabytes(d.neededBytes)} MB needed): no blocks are imported until there is space`,
  STORE_MISSING_NODE: (d: { hash: string }) => `missing trie node ${d.hash}`,
  STORE_MISSING_CODE: (d: { hash: string }) => `missing code ${d.hash}`,
})

/** Blocks, state and genesis. An invalid block is a value, not one of these. */
export const ChainError = defineErrors({
  CHAIN_GENESIS_INVALID: (d: { reason: string }) => `genesis: ${d.reason}`,
  CHAIN_GENESIS_MISMATCH: (d: { folder: string; stored: string; wanted: string }) =>
    `the chain in ${d.folder} has genesis ${d.stored}, wanted ${d.wanted}: choose another --datadir`,
  CHAIN_RULES_MISMATCH: (d: { folder: string; rule: string; stored: string; wanted: string }) =>
    `the chain in ${d.folder} was created with ${d.rule} ${d.stored}, the genesis file says ${d.wanted}: choose another --datadir`,
  CHAIN_XHASH_MODE_MISMATCH: (d: { folder: string; stored: string; wanted: string }) =>
    `the chain in ${d.folder} was created with --xhash.mode ${d.stored}, wanted ${d.wanted}: leave the option out or choose another --datadir`,
  CHAIN_NODE_KEY: (d: { file: string; reason: string }) => `node key ${d.file} cannot be used: ${d.reason}`,
  CHAIN_NOT_OPEN: () => 'the chain is not open',
  CHAIN_STATE_UNAVAILABLE: (d: { block: string }) => `missing trie node: the state of block ${d.block} was not kept`,
})

/** The transaction pool's rejections, with prlx's texts. */
export const TxPoolError = defineErrors({
  TXPOOL_REFUSED: (d: { reason: string }) => d.reason,
})

/** The RPC front. */
export const RpcError = defineErrors({
  RPC_PORT_IN_USE: (d: { host: string; port: number; option: string }) =>
    `RPC port ${d.host}:${d.port} is in use: stop what listens there or choose another ${d.option}`,
  RPC_IPC_IN_USE: (d: { path: string }) =>
    `a program answers on the RPC socket ${d.path}: stop it or choose another --ipcpath`,
  RPC_IPC_FAILED: (d: { path: string; reason: string }) => `RPC cannot listen on the socket ${d.path}: ${d.reason}`,
  RPC_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `RPC cannot listen on ${d.host}:${d.port}: ${d.reason}`,
})

/** Whatever ends a connection to a peer, or the start of the network layer. */
export const P2pError = defineErrors({
  P2P_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `peers cannot connect on ${d.host}:${d.port}: ${d.reason}; choose another --port`,
  P2P_DIAL_FAILED: (d: { reason: string }) => `no connection: ${d.reason}`,
  P2P_TIMEOUT: (d: { what: string; timeoutMs: number }) => `${d.what} did not arrive within ${d.timeoutMs} ms`,
  P2P_CLOSED: (d: { reason: string }) => `connection closed: ${d.reason}`,
  P2P_BAD_DATA: (d: { what: string; reason: string }) => `${d.what}: ${d.reason}`,
  P2P_ENODE: (d: { reason: string }) => d.reason,
  P2P_CHECKPOINT: (d: { file: string; reason: string }) => `--checkpoint ${d.file}: ${d.reason}`,
  P2P_REFUSED: (d: { reason: number }) => `the peer refused: reason ${d.reason}`,
})

/** Discovery and port mapping. */
export const DiscoveryError = defineErrors({
  P2P_UDP_LISTEN_FAILED: (d: { host: string; port: number; reason: string }) =>
    `discovery cannot listen on UDP ${d.host}:${d.port}: ${d.reason}; choose another --port, or --nodiscover`,
  P2P_NAT_FAILED: (d: { gateway: string; reason: string }) => `${d.gateway} maps no port: ${d.reason}`,
  P2P_BOOTNODE: (d: { reason: string }) => `--bootnodes: ${d.reason}`,
  P2P_DNS_TREE: (d: { tree: string; reason: string }) => `node list ${d.tree}: ${d.reason}`,
})

/** The execution engine. An invalid block is a value, not one of these. */
export const ExecutionError = defineErrors({
  ENGINE_MODULE: (d: { reason: string }) => `the engine's module cannot be used: ${d.reason}`,
  ENGINE_LIMIT: (d: { reason: string }) => `the engine does not compute with such a number: ${d.reason}`,
  ENGINE_FAULT: (d: { reason: string }) => `the engine could not decide: ${d.reason}`,
  ENGINE_TRAPPED: (d: { reason: string }) => `the engine's module trapped: ${d.reason}`,
})
