// A worker thread's message port as a wire transport; both ends are our own threads.
import type { MessagePort } from 'node:worker_threads'
import type { Transport } from '../../base/wire/define'

/** Wraps a port (a worker's `parentPort`, or one end of a MessageChannel in tests). `close` closes the port. */
export function portTransport(port: MessagePort): Transport {
  const closeListeners: ((reason: string) => void)[] = []
  const state = { open: true }
  const closed = (): void => {
    if (!state.open) return
    state.open = false
    for (const listener of closeListeners) listener('port closed')
  }
  port.on('close', closed)
  return {
    send: (message, transfer = []) => {
      if (state.open) port.postMessage(message, [...transfer])
    },
    onMessage: (listener) => void port.on('message', listener),
    onClose: (listener) => void closeListeners.push(listener),
    close: () => {
      port.close()
      closed()
    },
  }
}
