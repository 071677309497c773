// Two ends of a transport inside one process: for tests, and for a UI that runs beside the backend.
import type { Transport } from './define'

/** What one end sends, the other receives in a later microtask, as a JSON copy when `json` is set. */
export function memoryTransportPair(options: { readonly json?: boolean } = {}): readonly [Transport, Transport] {
  const copy = (message: unknown): unknown => (options.json ? JSON.parse(JSON.stringify(message)) : message)
  const ends = [newEnd(), newEnd()] as const
  let open = true
  const link = (mine: End, other: End): Transport => ({
    send: (message) => {
      if (!open) return
      const copied = copy(message)
      queueMicrotask(() => other.message?.(copied))
    },
    onMessage: (listener) => {
      mine.message = listener
    },
    onClose: (listener) => void mine.close.push(listener),
    close: () => {
      if (!open) return
      open = false
      for (const listener of [...mine.close, ...other.close]) listener('closed')
    },
  })
  return [link(ends[0], ends[1]), link(ends[1], ends[0])]
}

interface End {
  message: ((message: unknown) => void) | null
  readonly close: ((reason: string) => void)[]
}

function newEnd(): End {
  return { message: null, close: [] }
}
