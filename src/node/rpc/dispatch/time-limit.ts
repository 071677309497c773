// Bounds a pending call: by the time limit, and by the client's disconnection.
import type { Clock } from '../../../base/time'
import { RpcFault } from '../../rpc-fault'
import type { CallScope } from './call-scope'

/** The limit, and the call it applies to. */
interface TimeLimit {
  /** ms; null = ends only when the client disconnects */
  readonly limitMs: number | null
  readonly clock: Clock
  readonly scope: CallScope
}

/** @throws RpcFault RPC_TIME_LIMIT, RPC_CLIENT_GONE; the call's signal is aborted with the same error */
export function withTimeLimit<T>(work: Promise<T>, { limitMs, clock, scope }: TimeLimit): Promise<T> {
  const { ending } = scope
  if (ending.ended !== null) return Promise.reject(ending.ended)
  return new Promise((resolve, reject) => {
    const listening = ending.onEnd(reject)
    const timer =
      limitMs === null
        ? null
        : clock.setTimeout(() => scope.abort(new RpcFault('RPC_TIME_LIMIT', { limitMs })), limitMs)
    const settled = (): void => {
      timer?.dispose()
      listening.dispose()
    }
    work.then(
      (value) => {
        settled()
        resolve(value)
      },
      (error: unknown) => {
        settled()
        reject(error)
      },
    )
  })
}
