// A store whose reads take the time that a test says, for the time limits of queries.
import type { FakeClock } from '../../base/testing/fake-clock'
import type { ReadBudget } from '../query/inline/inline-queries'
import type { StoreReader } from '../store/store'

interface SlowReads {
  /** Of each read, ms. */
  readMs: number
  /** After each read, which the limit doesn't count as reading, ms. */
  pauseMs: number
  /** Reads so far. */
  reads: number
}

/** Reads `store` as `state` says; `limit` measures each read. */
export function slowStore(
  store: StoreReader,
  state: SlowReads,
  { clock, limit }: { readonly clock: FakeClock; readonly limit: ReadBudget },
): StoreReader {
  const get: StoreReader['get'] = (key) => {
    limit.begin()
    state.reads++
    clock.advance(state.readMs)
    const value = store.get(key)
    limit.end()
    clock.advance(state.pauseMs)
    return value
  }
  return { get, getStored: get, keysWithPrefix: () => Promise.reject(new Error('not asked here')) }
}
