import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { CpuJob } from '../../../native/xhash-port'
import { FakeEngine } from '../../testing/fake-engine'
import { PacedSearch, RatePacing } from './paced-search'

const PIECE = 2 ** 12
/** Two pieces at once, then one a second. */
const pace = { hashesPerSecond: PIECE, credit: PIECE }

let clock: FakeClock
let engine: FakeEngine
let found: { readonly token: number; readonly nonce: bigint }[]
let ended: number[]
let search: PacedSearch

const job = (over: Partial<CpuJob> = {}): CpuJob => ({
  token: 7,
  sealHash: new Uint8Array(32),
  target: new Uint8Array(32),
  startNonce: 100n,
  segmentBits: 40,
  ...over,
})
const starts = (): number[] => engine.search.jobs.map(({ startNonce }) => Number(startNonce - 100n) / PIECE)
const endPiece = (): void => engine.search.options.onSegmentDone?.(engine.search.job?.token ?? 0)

beforeEach(() => {
  clock = new FakeClock()
  engine = new FakeEngine()
  found = []
  ended = []
  search = new PacedSearch(
    engine,
    { threads: 2, onSolution: ({ token, nonce }) => found.push({ token, nonce }), onSegmentDone: (t) => ended.push(t) },
    { pacing: new RatePacing(pace, clock), clock },
  )
})

describe('a rate-limited search', () => {
  it('searches its credit at once, and what follows at the rate', () => {
    search.setJob(job())
    endPiece()
    expect(starts()).toEqual([0, 1])

    endPiece()
    clock.advance(999)
    expect(starts()).toEqual([0, 1])
    clock.advance(1)
    expect(starts()).toEqual([0, 1, 2])
  })

  it('accumulates at most its credit while there is no work', () => {
    clock.advance(3_600_000)

    search.setJob(job())
    for (let i = 0; i < 5; i++) endPiece()

    expect(starts()).toEqual([0, 1])
  })

  it('applies the rate to a new job as well, and drops the old one', () => {
    search.setJob(job())
    endPiece()
    endPiece()

    search.setJob(job({ token: 8, startNonce: 100n + 9n * BigInt(PIECE) }))
    clock.advance(1_000)

    expect(starts()).toEqual([0, 1, 9])
  })

  it('names the job of a solution, even one from an earlier piece', () => {
    search.setJob(job())
    const first = engine.search.job?.token ?? 0
    endPiece()
    search.setJob(job({ token: 8 }))
    clock.advance(1_000)

    engine.search.find(5n, first)
    engine.search.find(6n)

    expect(found).toEqual([
      { token: 7, nonce: 5n },
      { token: 8, nonce: 6n },
    ])
  })

  it('ends with its segment, whose last piece may be smaller', () => {
    search.setJob(job({ segmentBits: 3, startNonce: 2n ** 64n - 4n }))
    expect(engine.search.job).toMatchObject({ startNonce: 2n ** 64n - 4n, segmentBits: 3 })

    endPiece()

    expect(ended).toEqual([7])
    expect(engine.search.jobs).toHaveLength(1)
  })

  it('wraps around from the last nonce to 0', () => {
    search.setJob(job({ startNonce: 2n ** 64n - BigInt(PIECE), segmentBits: 20 }))
    endPiece()

    expect(engine.search.job?.startNonce).toBe(0n)
  })

  it('rests while there is no job, and after its end', async () => {
    search.setJob(job())
    endPiece()
    endPiece()
    search.clearJob()
    clock.advance(10_000)
    expect(engine.search.job).toBeNull()

    search.setJob(job())
    const open = engine.search
    await search.close()
    clock.advance(10_000)
    expect([open.closed, open.job]).toEqual([true, null])
  })
})
