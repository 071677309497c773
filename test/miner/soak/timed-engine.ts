// The hashing port with a stopwatch: how long a search pauses when its dataset is replaced by the next one.
import type { CpuSearch, XhashEngine } from '../../../src/native/xhash-port'

const LOOK_EVERY_MS = 1

/** @param onGap ms from the end of the last job on one dataset to the first finished hash on the other */
export function timedEngine(engine: XhashEngine, onGap: (ms: number) => void): XhashEngine {
  return new Proxy(engine, {
    get(target, name) {
      if (name === 'createCpuSearch')
        return (...args: Parameters<XhashEngine['createCpuSearch']>) =>
          new TimedSearch(target.createCpuSearch(...args), onGap)
      const member: unknown = Reflect.get(target, name)
      return typeof member === 'function' ? member.bind(target) : member
    },
  })
}

class TimedSearch implements CpuSearch {
  #epoch: number | null = null
  #stoppedAt: number | null = null
  #exchanged: { readonly since: number; readonly count: bigint } | null = null

  constructor(
    private readonly search: CpuSearch,
    private readonly onGap: (ms: number) => void,
  ) {}

  setDataset(handle: Parameters<CpuSearch['setDataset']>[0]): void {
    const isExchange = this.#epoch !== null && this.#epoch !== handle.epoch
    const since = this.#stoppedAt
    this.#exchanged = isExchange && since !== null ? { since, count: this.search.hashCount() } : null
    this.#epoch = handle.epoch
    this.search.setDataset(handle)
  }

  setJob(job: Parameters<CpuSearch['setJob']>[0]): void {
    this.search.setJob(job)
    if (this.#exchanged !== null) this.#watch(this.#exchanged)
    this.#exchanged = null
    this.#stoppedAt = null
  }

  clearJob(): void {
    this.#stoppedAt ??= performance.now()
    this.search.clearJob()
  }

  hashCount(): bigint {
    return this.search.hashCount()
  }

  close(): Promise<void> {
    return this.search.close()
  }

  #watch({ since, count }: { readonly since: number; readonly count: bigint }): void {
    const look = setInterval(() => {
      if (this.search.hashCount() === count) return
      clearInterval(look)
      this.onGap(performance.now() - since)
    }, LOOK_EVERY_MS)
    look.unref()
  }
}
