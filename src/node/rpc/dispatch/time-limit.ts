// Gives a waiting call its end: the time limit, or the client that goes away.
import type { Clock } from '../../../base/time'
import { RpcFault } from '../../rpc-fault'
import type { CallScope } from './call-scope'

export interface TimeLimit {
  /** ms; null = only the client's leaving ends it */
  readonly limitMs: number | null
  readonly clock: Clock
  readonly scope: CallScope
}

/** @throws RpcFault RPC_TIME_LIMIT, RPC_CLIENT_GONE; the call's signal is aborted with the same error */
export function withTimeLimit<T>(work: Promise<T>, { limitMs, clock, scope }: TimeLimit): Promise<T> {
  if (scope.ended !== null) return Promise.reject(scope.ended)
  return new Promise((resolve, reject) => {
    const ending = scope.onEnd(reject)
    const timer =
      limitMs === null
        ? null
        : clock.setTimeout(() => scope.abort(new RpcFault('RPC_TIME_LIMIT', { limitMs })), limitMs)
    const settled = (): void => {
      timer?.dispose()
      ending.dispose()
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
