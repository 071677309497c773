// Single items of the chain, the pool, and the listeners: the UI's calls about them.
import { bytesOfHex, toHex } from '../../../base/hex'
import type { Clock } from '../../../base/time'
import type { AddressView, ListenerView } from '../../../contract/explorer'
import type { NodeService } from '../../../node/node-service'
import { HostError } from '../../errors'
import type { CallsOf } from '../ui-handlers'
import { addressHistory } from './address-history'
import { poolPage, receiptView } from './explorer-views'
import { poolReport } from './pool-report'
import type { ReorgRing } from './reorg-ring'
import type { TraceJobs } from './trace-jobs'

export interface ExplorerDeps {
  /** Null when this run has no node. */
  readonly node: NodeService | null
  readonly listeners: () => ListenerView[]
  readonly clock: Clock
}

/** Shared by all connections. */
interface ExplorerShared {
  readonly reorgs: ReorgRing
  readonly traces: TraceJobs
}

type ExplorerCalls = Pick<
  CallsOf<'node'>,
  | 'node.receipt'
  | 'node.address'
  | 'node.poolPage'
  | 'node.listeners'
  | 'node.poolReport'
  | 'node.reorgs'
  | 'node.code'
  | 'node.addressHistory'
  | 'node.trace'
  | 'node.cancelTrace'
  | 'node.rpcTraffic'
  | 'node.consoleMethods'
  | 'node.console'
>

/** Of one connection. */
export function explorerCalls(deps: ExplorerDeps, shared: ExplorerShared): ExplorerCalls {
  const running = (): NodeService => {
    if (deps.node === null) throw new HostError('HOST_SERVICE_OFF', { service: 'node' })
    return deps.node
  }
  const reader = (): NodeService['reader'] => running().reader
  return {
    'node.receipt': async ({ hash }) => {
      const receipt = await reader().receipt(bytesOfHex(hash))
      return { receipt: receipt === null ? null : receiptView(receipt) }
    },
    'node.address': async ({ address }) => ({ account: await addressView(reader(), bytesOfHex(address)) }),
    'node.code': async ({ address }) => {
      const code = await reader().code(bytesOfHex(address))
      return { code: code === null ? null : toHex(code) }
    },
    'node.addressHistory': ({ address, from }) =>
      addressHistory({ reader: reader(), clock: deps.clock }, bytesOfHex(address), from),
    'node.poolPage': async (query) => poolPage(await reader().poolContent(), query),
    'node.poolReport': async () => {
      const node = running()
      const [content, block] = await Promise.all([
        node.reader.poolContent(),
        node.head() === null ? null : node.reader.pendingBlock(),
      ])
      return poolReport(content, block)
    },
    'node.reorgs': () => ({ reorgs: [...shared.reorgs.list()] }),
    'node.listeners': () => ({ listeners: deps.listeners() }),
    ...traceCalls(running, shared.traces),
    ...consoleCalls(running),
  }
}

function traceCalls(
  node: () => NodeService,
  traces: TraceJobs,
): Pick<ExplorerCalls, 'node.trace' | 'node.cancelTrace'> {
  let running: AbortController | null = null
  return {
    'node.trace': async (question, gone) => {
      // It must not replace the running one, which could then not be cancelled.
      if (running !== null) throw new HostError('HOST_TRACE_BUSY', undefined)
      const abort = new AbortController()
      const end = (): void => abort.abort()
      gone.addEventListener('abort', end, { once: true })
      running = abort
      try {
        return await traces.trace(node(), question, abort.signal)
      } finally {
        gone.removeEventListener('abort', end)
        running = null
      }
    },
    'node.cancelTrace': () => running?.abort(),
  }
}

function consoleCalls(
  node: () => NodeService,
): Pick<ExplorerCalls, 'node.rpcTraffic' | 'node.consoleMethods' | 'node.console'> {
  const methods = (): readonly string[] => node().rpcControl()?.console.methods() ?? []
  return {
    'node.rpcTraffic': () => ({
      methods: (node().rpcControl()?.traffic() ?? []).map(({ seconds: _time, ...count }) => count),
    }),
    'node.consoleMethods': () => ({ methods: [...methods()] }),
    'node.console': async ({ method, params }, gone) => {
      const control = node().rpcControl()
      if (control === null) throw new HostError('HOST_SERVICE_OFF', { service: 'JSON-RPC' })
      if (!methods().includes(method)) throw new HostError('HOST_CONSOLE_REFUSED', { method })
      return { answer: await control.console.ask(method, parametersOf(params), gone) }
    },
  }
}

/** @throws HostError HOST_CONSOLE_PARAMS */
function parametersOf(text: string): readonly unknown[] {
  if (text.trim() === '') return []
  const value = parsed(text)
  if (Array.isArray(value)) return value
  throw new HostError('HOST_CONSOLE_PARAMS', { reason: 'want values in square brackets' })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : 'it cannot be read'
    throw new HostError('HOST_CONSOLE_PARAMS', { reason }, { cause: error })
  }
}

/** All from one state, so that balance, nonce and code are consistent. */
async function addressView(reader: NodeService['reader'], address: Uint8Array): Promise<AddressView | null> {
  const head = await reader.head()
  const [account, code] = await Promise.all([reader.account(address, head.hash), reader.code(address, head.hash)])
  if (account === null || code === null) return null
  const { balance, locked, nextUnlock, nonce } = account
  return {
    asOf: head.number,
    available: balance.toString(),
    locked: locked.toString(),
    nextUnlock: nextUnlock === null ? null : { height: nextUnlock.height, amount: nextUnlock.amount.toString() },
    nonce: nonce.toString(),
    codeBytes: code.length,
  }
}
