// Subscriptions of WebSocket and IPC connections: events are sent as they happen, until one of the two ends.
import type { Disposable } from '../../../base/disposable'
import { Disposables } from '../../../base/lifecycle'
import { RpcFault, rpcFailed } from '../../rpc-fault'
import { readParams, textParam } from '../arguments/params'
import type { MethodContext, PushConnection, RpcContext, RpcMethod } from '../dispatch/method'
import { encodeSync } from '../methods/eth/chain'
import { REFUSED_SUBSCRIPTIONS } from '../methods/refused-methods'
import { liveLogsOf } from './eth-filters'
import { newFilterId } from './filter-store'
import { gapText, type LogGap } from './live-logs'
import { type LogQuery, logQueryParam } from './log-query'

interface Told {
  tell(resultText: string): void
  /** Ends the connection: clients notice that, and subscribe again. A notification can't hold an error. */
  missed(gap: LogGap): void
  /** Key of the caller's share. */
  readonly caller: string
}

/** Starts sending. @param args with the name first @throws RpcFault */
type Source = (args: readonly unknown[], context: RpcContext, told: Told) => Disposable

const SOURCES = new Map<string, Source>(
  Object.entries({ newHeads, logs, newPendingTransactions: pendingTransactions, syncing }),
)

/** `NAMESPACE_subscribe` and `NAMESPACE_unsubscribe` of any namespace; null for other names. */
export function subscriptionMethod(name: string): RpcMethod | null {
  const match = /^(\w*?)_(subscribe|unsubscribe)$/.exec(name)
  if (match === null) return null
  const namespace = match[1] ?? ''
  if (match[2] === 'unsubscribe') return { parameters: [], timeLimitMs: null, call: unsubscribe }
  return {
    parameters: [],
    timeLimitMs: null,
    wantsList: true,
    call: (context, args, caller) => subscribe(namespace, args, context, caller),
  }
}

function subscribe(namespace: string, args: readonly unknown[], context: RpcContext, caller: MethodContext): string {
  const { connection } = caller
  if (connection === null) throw rpcFailed('notifications not supported')
  const [name] = args
  if (typeof name !== 'string') throw invalid('expected subscription name as first argument')
  const source = namespace === 'eth' ? SOURCES.get(name) : undefined
  const refusal = REFUSED_SUBSCRIPTIONS.get(`${namespace}.${name}`)
  if (refusal !== undefined) throw rpcFailed(refusal)
  if (source === undefined) throw new RpcFault('RPC_SUBSCRIPTION_UNKNOWN', { name, namespace })
  const id = newFilterId(context.randomBytes)
  const notices = noticesOf(connection, `${namespace}_subscription`, id)
  const listening = source(args, context, {
    tell: notices.tell,
    missed: (gap) => {
      const error = { code: -32000, message: `subscription ${id}: ${gapText(gap)}` }
      connection.send(JSON.stringify({ jsonrpc: '2.0', id: null, error }))
      connection.hangUp(`blocks ${gap.from} to ${gap.to} were missed`)
    },
    caller: caller.caller ?? '',
  })
  try {
    context.subscriptions.take(connection, caller.caller ?? '')
  } catch (error) {
    listening.dispose()
    throw error
  }
  connection.subscriptions.set(id, {
    dispose: () => {
      listening.dispose()
      context.subscriptions.give(connection)
    },
  })
  caller.afterAnswer(notices.open)
  return id
}

function unsubscribe(_context: RpcContext, args: readonly unknown[], { connection }: MethodContext): boolean {
  const read = readParams<readonly [string]>([textParam], args)
  if (!read.ok) throw invalid(read.error)
  const [id] = read.value
  const subscription = connection?.subscriptions.get(id)
  if (connection === null || subscription === undefined) throw rpcFailed('subscription not found')
  subscription.dispose()
  return connection.subscriptions.delete(id)
}

/** Holds events back until the client knows the id. */
function noticesOf(connection: PushConnection, method: string, id: string) {
  let waiting: string[] | null = []
  return {
    tell: (result: string): void => {
      const text = `{"jsonrpc":"2.0","method":"${method}","params":{"subscription":"${id}","result":${result}}}`
      if (waiting === null) connection.send(text)
      else waiting.push(text)
    },
    open: (): void => {
      const held = waiting ?? []
      waiting = null
      for (const text of held) connection.send(text)
    },
  }
}

function newHeads(args: readonly unknown[], { feed }: RpcContext, { tell, missed }: Told): Disposable {
  noMore(args)
  const listening = new Disposables()
  listening.add(feed.events.on('heads', (heads) => heads.forEach(tell)))
  listening.add(feed.events.on('missedHeads', missed))
  return listening
}

function logs(args: readonly unknown[], { node, feed }: RpcContext, { tell, missed, caller }: Told): Disposable {
  const read = readParams<readonly [string, LogQuery]>([textParam, logQueryParam], args)
  if (!read.ok) throw invalid(read.error)
  const [, { filter, ...range }] = read.value
  const live = liveLogsOf({ filter, ...range }, node.head()?.number ?? 0)
  return feed.logs.add({ filter, live, tell: (texts) => texts.forEach(tell), missed }, caller)
}

function pendingTransactions(args: readonly unknown[], { feed }: RpcContext, { tell }: Told): Disposable {
  noMore(args)
  return feed.events.on('pending', (hashes) => hashes.forEach(tell))
}

/** The start of a sync with its heights, and `false` at its end. */
function syncing(args: readonly unknown[], { services }: RpcContext, { tell }: Told): Disposable {
  noMore(args)
  const watching = services.peers?.watchSync((sync) =>
    tell(sync === null ? 'false' : JSON.stringify({ syncing: true, status: encodeSync(sync) })),
  )
  return watching ?? { dispose: () => undefined }
}

function noMore(args: readonly unknown[]): void {
  if (args.length > 1) throw invalid('too many arguments, want at most 1')
}

function invalid(reason: string) {
  return new RpcFault('RPC_INVALID_PARAMS', { reason })
}
