// Forwards the queue's events to the signer's observers, and counts them.
import type { Disposable } from '../../base/disposable'
import type { Emitter } from '../../base/events'
import { Disposables } from '../../base/lifecycle'
import type { SignerMetrics } from '../metrics'
import type { SignerEvents } from '../signer-options'
import type { QueueEvents } from './queue'

/** Until disposed. */
export function forwardQueue(
  queue: Emitter<QueueEvents>,
  signer: Emitter<SignerEvents>,
  metrics: SignerMetrics,
): Disposable {
  const held = new Disposables()
  held.add(queue.on('changed', (requests) => signer.emit('requestsChanged', requests)))
  held.add(
    queue.on('settled', (request) => {
      metrics.settled.inc(1, { kind: request.kind, state: request.state })
      signer.emit('requestSettled', request)
    }),
  )
  held.add(
    queue.on('overflowed', (caller) => {
      metrics.refused.inc(1, { reason: 'queue' })
      signer.emit('queueOverflowed', caller)
    }),
  )
  return held
}
