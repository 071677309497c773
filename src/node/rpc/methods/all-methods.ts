// All methods by name, and the namespaces they belong to.
import type { RpcMethod } from '../dispatch/method'
import { ethFilters } from '../filters/eth-filters'
import { adminNamespace } from './admin'
import { debug, debugTrace } from './debug'
import { ethAccounts, personalNamespace } from './eth/accounts'
import { ethCall } from './eth/call'
import { ethChain } from './eth/chain'
import { ethCompile } from './eth/compile'
import { ethFees } from './eth/fees'
import { ethMining, minerNamespace, xhashNamespace } from './eth/mining'
import { ethTransactions } from './eth/transactions'
import { identityNamespaces } from './net-web3'
import { refusedNamespace } from './refused-methods'
import { traceNamespace } from './trace'
import { txpoolNamespace } from './txpool'

const NAMESPACES = [
  ethChain,
  ethFees,
  ethMining,
  ethFilters,
  identityNamespaces,
  ethTransactions,
  ethAccounts,
  ethCompile,
  xhashNamespace,
  txpoolNamespace,
  minerNamespace,
  adminNamespace,
  ethCall,
  debug,
  debugTrace,
  traceNamespace,
  personalNamespace,
  refusedNamespace,
]

/** Names are case sensitive. */
export function createMethodTable(): ReadonlyMap<string, RpcMethod> {
  return new Map(NAMESPACES.flatMap((namespace) => Object.entries(namespace)))
}

/** `eth`, `net`, ...: the part before the underscore. */
export function modulesOf(methods: ReadonlyMap<string, RpcMethod>): readonly string[] {
  return [...new Set([...methods.keys()].map((name) => name.slice(0, name.indexOf('_'))))].sort()
}

/** Those of the namespaces in `api`; `rpc` is always included. */
export function methodsOf(
  methods: ReadonlyMap<string, RpcMethod>,
  api: readonly string[],
): ReadonlyMap<string, RpcMethod> {
  const served = new Set([...api, 'rpc'])
  return new Map([...methods].filter(([name]) => served.has(name.slice(0, name.indexOf('_')))))
}
