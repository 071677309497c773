// Questions that several parts of a screen have in common.
import type { HistoryView, HistoryWindow, SeriesName } from '../../../contract/miner'
import type { MoneyView } from '../../../contract/money'
import type { Backend } from '../data/backend'

export type Queries = ReturnType<typeof createQueries>

/** The same question within this time has the same answer. */
const SHARED_MS = 5_000

export function createQueries(backend: Pick<Backend, 'call'>) {
  const money = new Map<string, { readonly at: number; readonly answer: Promise<MoneyView> }>()
  return {
    /** Parts of a screen that ask for the same period share one answer. @param at monotonic ms */
    money(bounds: readonly number[], mark: number, at: number): Promise<MoneyView> {
      for (const [key, asked] of money) if (at - asked.at >= SHARED_MS) money.delete(key)
      const key = `${bounds.join()} ${mark}`
      const answer = money.get(key)?.answer ?? backend.call('miner.money', { bounds: [...bounds] })
      if (!money.has(key)) money.set(key, { at, answer })
      answer.catch(() => money.delete(key))
      return answer
    },
    history: (device: number | null, series: SeriesName, window: HistoryWindow): Promise<HistoryView> =>
      backend.call('miner.history', { device, series, window }),
  }
}
