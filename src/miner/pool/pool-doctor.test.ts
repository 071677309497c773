// What the doctor notes, says and decides, on a clock moved by hand.
import { beforeEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { parsePoolUrl } from '../../config/values/pool-url'
import { diagnosisOf, PoolDoctor } from './pool-doctor'
import { PoolEntry } from './pool-entry'

const LOOK_MS = 5_000
const rejected = (reason: string) => ({ kind: 'rejected', reason, latencyMs: 1 }) as const
const ACCEPTED = { kind: 'accepted', latencyMs: 1 } as const

let clock: FakeClock
let records: LogRecord[]
let doctor: PoolDoctor
let entry: PoolEntry

beforeEach(() => {
  clock = new FakeClock()
  records = []
  const sink = { write: (record: LogRecord) => records.push(record) }
  doctor = new PoolDoctor(clock, createLogger('pool', { sink, minLevel: 'warn', now: () => clock.now() }))
  const outcome = parsePoolUrl('stratum+tcp://0x1111111111111111111111111111111111111111.rig@pool.example:1')
  if ('fault' in outcome) throw new Error(outcome.fault)
  entry = new PoolEntry(outcome.url)
})

const warnings = (): readonly unknown[] => records.map(({ fields }) => fields.trouble)

function work(ms: number, rate: { readonly hashrate: number; readonly difficulty: number | null }): readonly string[] {
  const remedies = []
  for (let spent = 0; spent < ms; spent += LOOK_MS) {
    clock.advance(LOOK_MS)
    remedies.push(doctor.worked(entry, { ...rate, ms: LOOK_MS }))
  }
  return remedies.filter((remedy) => remedy !== 'none')
}

describe('rejected shares', () => {
  it('are said with the first one, counted, and logged once a minute', () => {
    for (let n = 0; n < 7; n++) {
      doctor.settled(entry, rejected('Unauthorized worker'))
      clock.advance(10_000)
    }

    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'share-unauthorized', count: 7, answer: 'Unauthorized worker' })
    expect(records.map(({ level, fields }) => [level, fields.count])).toEqual([
      ['warn', 1],
      ['warn', 7],
    ])
  })

  it('lead to another login after five in a row, then to the next pool', () => {
    const remedies = Array.from({ length: 10 }, () => {
      clock.advance(10_000)
      return doctor.settled(entry, rejected('Share above target'))
    })

    expect(remedies.filter((remedy) => remedy !== 'none')).toEqual(['login', 'leave'])
    expect(remedies.indexOf('login')).toBe(4)
  })

  it('in one burst lead to nothing: a fast rig has them in flight when a block is found', () => {
    const remedies = Array.from({ length: 50 }, () => doctor.settled(entry, rejected('Stale share')))

    expect(new Set(remedies)).toEqual(new Set(['none']))
  })

  it('among accepted ones are logged, but not the state of the pool', () => {
    doctor.settled(entry, ACCEPTED)
    doctor.settled(entry, rejected('Stale share'))

    expect(diagnosisOf(entry)).toBeNull()
    expect(warnings()).toEqual(['share-stale'])
  })

  it('end with an accepted one', () => {
    doctor.settled(entry, rejected('no'))
    doctor.settled(entry, ACCEPTED)

    expect(diagnosisOf(entry)).toBeNull()
    expect(entry.health.acceptedAt).toBe(clock.now())
  })

  it('that are never answered count like them', () => {
    const remedies = Array.from({ length: 5 }, () => {
      clock.advance(10_000)
      return doctor.settled(entry, { kind: 'lost', reason: 'no answer' })
    })

    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'share-unanswered', count: 5 })
    expect(remedies.at(-1)).toBe('login')
  })
})

describe('the absence of accepted shares', () => {
  it('is too long once its probability is below 1 in 1000', () => {
    // One share a minute: -ln 0.001 of them are due after 6.9 min.
    expect(work(410_000, { hashrate: 1_000, difficulty: 60_000 })).toEqual([])
    expect(work(5_000, { hashrate: 1_000, difficulty: 60_000 })).toEqual(['leave'])
    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'nothing-accepted', count: 1 })
  })

  it('proves nothing within the first minute', () => {
    expect(work(55_000, { hashrate: 1_000, difficulty: 10 })).toEqual([])
  })

  it('starts over with each accepted share', () => {
    work(400_000, { hashrate: 1_000, difficulty: 60_000 })
    doctor.settled(entry, ACCEPTED)

    expect(work(400_000, { hashrate: 1_000, difficulty: 60_000 })).toEqual([])
    expect(diagnosisOf(entry)).toBeNull()
  })

  it('is said after ten minutes, however high the difficulty', () => {
    work(595_000, { hashrate: 1_000, difficulty: 6e6 })
    expect(diagnosisOf(entry)).toBeNull()
    work(5_000, { hashrate: 1_000, difficulty: 6e6 })

    expect(diagnosisOf(entry)).toMatchObject({
      trouble: 'no-share-yet',
      answer: 'at this difficulty a share takes 1 h 40 min on average',
    })
    expect(warnings()).toEqual(['no-share-yet'])
  })

  it('in sight of a difficulty that no rig meets makes its unit doubtful', () => {
    expect(work(600_000, { hashrate: 1_000, difficulty: 2 ** 48 })).toEqual(['otherUnit'])
  })

  it('is said for a pool without work too, and not held against paused devices', () => {
    expect(work(3_600_000, { hashrate: 0, difficulty: 1 })).toEqual([])
    expect(diagnosisOf(entry)).toBeNull()
    work(600_000, { hashrate: 0, difficulty: null })

    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'no-work' })
  })
})

describe('work that stays the same', () => {
  const job = (height: number | null, digit = 1) => ({ height, epoch: 0, sealHash: new Uint8Array(32).fill(digit) })
  /** Time in which a chain of ten-minute blocks stands still once in a million times: 13.8 blocks. */
  const DOUBTFUL_MS = 8_290_000
  const rate = { hashrate: 0, difficulty: 1 }

  it('by its height is doubted once chance no longer explains it, though its header is new each time', () => {
    for (let n = 0; n < 82; n++) {
      doctor.jobCame(entry, job(100, n))
      expect(work(100_000, rate)).toEqual([])
    }
    expect(diagnosisOf(entry)).toBeNull()
    expect(work(100_000, rate)).toEqual(['leave'])

    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'old-work', answer: 'height 100 for 2 h 18 min' })
    expect(warnings()).toEqual(['old-work'])
  })

  it('stays doubted through another login and an accepted share, until the height rises', () => {
    doctor.jobCame(entry, job(100))
    work(DOUBTFUL_MS + LOOK_MS, rate)
    doctor.jobCame(entry, job(99, 2))
    doctor.jobCame(entry, job(100))
    doctor.settled(entry, ACCEPTED)
    expect(diagnosisOf(entry)?.trouble).toBe('old-work')
    doctor.jobCame(entry, job(101))

    expect(diagnosisOf(entry)).toBeNull()
  })

  it('without a height is known by its header', () => {
    // Nor is one that the seed contradicts.
    doctor.jobCame(entry, job(5_000_000))
    work(DOUBTFUL_MS - 10_000, rate)
    doctor.jobCame(entry, job(5_000_000, 2))
    expect(work(DOUBTFUL_MS - 10_000, rate)).toEqual([])
    doctor.jobCame(entry, job(null, 2))

    expect(work(20_000, rate)).toEqual(['leave'])
    expect(diagnosisOf(entry)?.answer).toBe('the same work for 2 h 18 min')
  })
})

describe('a connection', () => {
  it('that works again is no trouble, and counts on when it fails again', () => {
    const end = { kind: 'lost', reason: 'ECONNREFUSED', trouble: 'connection-refused' } as const
    doctor.ended(entry, end)
    doctor.jobCame(entry, { height: 1, epoch: 0, sealHash: new Uint8Array(32) })
    expect(diagnosisOf(entry)).toBeNull()
    doctor.ended(entry, end)

    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'connection-refused', count: 2 })
    expect(entry.health.tries).toBe(2)
  })

  it('that is redirected again and again is trouble until a share is accepted', () => {
    doctor.ended(entry, { kind: 'moved', reason: 'elsewhere', host: 'h', port: 1, waitMs: 0 })
    doctor.jobCame(entry, { height: 1, epoch: 0, sealHash: new Uint8Array(32) })
    expect(diagnosisOf(entry)).toMatchObject({ trouble: 'redirect' })
    doctor.settled(entry, ACCEPTED)

    expect(diagnosisOf(entry)).toBeNull()
  })

  it("shows the pool's words without control and direction characters, cut", () => {
    doctor.noticed(entry, 'login-refused', `a\u001b[31m\u202eb${'x'.repeat(300)}`)

    expect(diagnosisOf(entry)?.answer).toMatch(/^a \[31m bx{192}$/)
  })
})
