// All methods by name, and the namespaces they belong to.
import { ethChain } from './eth-chain'
import { ethMining } from './eth-mining'
import { ethSend } from './eth-send'
import { ethState } from './eth-state'
import type { RpcMethod } from './method'
import { netNamespace, rpcNamespace, web3Namespace } from './net-web3'

const NAMESPACES = [ethChain, ethState, ethSend, ethMining, netNamespace, web3Namespace, rpcNamespace]

/** Names are case sensitive. */
export function createMethodTable(): ReadonlyMap<string, RpcMethod> {
  return new Map(NAMESPACES.flatMap((namespace) => Object.entries(namespace)))
}

/** `eth`, `net`, ...: the part before the underscore. */
export function modulesOf(methods: ReadonlyMap<string, RpcMethod>): readonly string[] {
  return [...new Set([...methods.keys()].map((name) => name.slice(0, name.indexOf('_'))))].sort()
}
