// A hashing port for tests whose searches run by themselves: every short segment is finished immediately, without hits.
import type { CpuJob, CpuSearchOptions } from '../../native/xhash-port'
import { FakeEngine, FakeSearch } from './fake-engine'

/** An engine whose searches finish immediately. */
export class QuickEngine extends FakeEngine {
  override createCpuSearch(options: CpuSearchOptions): FakeSearch {
    const search = new QuickSearch(options)
    this.searches.push(search)
    return search
  }
}

/** Longer segments take practically forever. */
const PIECE_BITS = 16

class QuickSearch extends FakeSearch {
  override setJob(job: CpuJob): void {
    this.job = job // not recorded in `jobs`: there are thousands
    if (job.segmentBits > PIECE_BITS) return
    queueMicrotask(() => {
      if (this.job !== job || this.closed) return
      this.hashes += 1n << BigInt(job.segmentBits)
      this.options.onSegmentDone?.(job.token)
    })
  }
}
