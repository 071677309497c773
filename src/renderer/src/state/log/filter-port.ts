// Where lines are filtered: in a separate thread, or here if there is none.
import { type FilterAnswer, type FilterQuestion, LineFilter } from './line-filter'

export interface FilterPort {
  ask(question: FilterQuestion): void
  close(): void
}

interface FilterListener {
  readonly onAnswer: (answer: FilterAnswer) => void
  /** Not available; nothing more comes from it. */
  readonly onLost: () => void
}

export type OpenFilterPort = (listener: FilterListener) => FilterPort

/** Null if the page can't have threads. */
export const openFilterThread: OpenFilterPort | null =
  typeof Worker === 'undefined'
    ? null
    : ({ onAnswer, onLost }) => {
        const worker = new Worker(new URL('./line-filter-worker.ts', import.meta.url))
        worker.onmessage = ({ data }: MessageEvent<FilterAnswer>) => onAnswer(data)
        worker.onerror = onLost
        return { ask: (question) => worker.postMessage(question), close: () => worker.terminate() }
      }

/** In this thread: everything is answered before `ask` returns, and nothing can be interrupted. */
export const openFilterHere: OpenFilterPort = ({ onAnswer }) => {
  const filter = new LineFilter({ answer: onAnswer, later: (work) => work() })
  return { ask: (question) => filter.take(question), close: () => undefined }
}
