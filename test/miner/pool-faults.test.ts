// Every fault of the simulated pool in every dialect, on the miner's own clock: both sides' counts agree share by
// share, nothing is lost that the pool answered, no pool is flooded with connections, and none is banned for being slow
// or broken.
import { afterEach, expect, it } from 'vitest'
import { toBareHex } from '../../src/base/hex'
import { FakeClock } from '../../src/base/testing/fake-clock'
import type { Job, Share, ShareVerdict } from '../../src/miner/work-source'
import { makeRig, type Rig } from './pool-harness'
import type { Faults } from './pool-sim/faults'
import { type Flavour, SimulatedPool } from './pool-sim/pool'
import { compare } from './soak/compare'

const LINES = ['stratum', 'eth-proxy', 'nicehash', 'stratum2'] as const satisfies readonly Flavour[]
const SCHEMES = {
  stratum: 'stratum+tcp',
  'eth-proxy': 'stratum1+tcp',
  nicehash: 'stratum2+tcp',
  stratum2: 'stratum3+tcp',
  getwork: 'getwork',
} as const satisfies Record<Flavour, string>
const STEP_MS = 500
/** Turns of the event loop per step: both ends are in this process, so what was sent has arrived. */
const TURNS = 4
const FAULT_MS = 12_000
/** The longest delay between two attempts with its jitter, and the longest wait for an answer. */
const RECOVERY_MS = 60_000 * 1.2 + 10_000
/** How long a pool that rejected the login is left alone. */
const REFUSED_MS = 600_000
const LONGEST_WAIT_MS = 1_800_000
const STORM_WINDOW = 10_000 / STEP_MS

interface Expected {
  /** dialects that can have this fault; all when absent */
  readonly in?: readonly Flavour[]
  /** shares whose answer never came may be lost; nothing else ever */
  readonly loses?: true | readonly Flavour[]
  /** the pool rejects the login: the only reason to leave it alone */
  readonly refuses?: true
  /** the pool rejects shares */
  readonly rejects?: true
  /** a node that closes after each answer gets a connection for each request */
  readonly connectsOften?: readonly Flavour[]
}

interface Case {
  readonly name: string
  readonly faults: Faults
  readonly expected: Expected
}

const fault = (name: string, faults: Faults, expected: Expected = {}): Case => ({ name, faults, expected })
const PLAIN = [...LINES]

/** Each fault by its name, so that a new one without a line here doesn't compile. */
const CASES: Readonly<Record<keyof Faults, readonly Case[]>> = {
  closeOnConnect: [fault('a closed door', { closeOnConnect: true }, { loses: ['getwork'] })],
  dropAfter: [1, 2, 3, 4].map((lines) =>
    fault(`the end after line ${lines}`, { dropAfter: lines }, { loses: true, connectsOften: ['getwork'] }),
  ),
  cutLine: [1, 2, 3, 4].map((line) => fault(`line ${line} cut in the middle`, { cutLine: line }, { loses: true })),
  hangUpAfter: [1, 2, 3].map((count) => fault(`the end at request ${count}`, { hangUpAfter: count }, { loses: true })),
  halfOpen: [fault('a connection that is half open', { halfOpen: true }, { loses: true })],
  halfLine: [fault('half lines', { halfLine: 300 }, { in: PLAIN })],
  merge: [fault('merged lines', { merge: 400 }, { in: PLAIN })],
  garbage: [
    fault('a line of garbage before every second one', { garbage: 2 }, { in: PLAIN }),
    fault('answers that are no JSON', { garbage: 1 }, { in: ['getwork'], loses: true }),
  ],
  binary: [fault('bytes that are no text', { binary: 1 }, { in: PLAIN, loses: true })],
  bigLine: [fault('300 kB at once', { bigLine: 300_000 }, { loses: true })],
  flood: [fault('12,000 lines without a meaning', { flood: 12_000 }, { in: PLAIN, loses: true })],
  blank: [fault('blank lines and CR LF', { blank: true }, { in: PLAIN })],
  slow: [fault('answers after 6 s', { slow: 6_000 })],
  muteSubmit: [fault('no answer to shares', { muteSubmit: true }, { loses: true })],
  muteLogin: [fault('no answer to the login', { muteLogin: true }, { in: PLAIN })],
  muteAll: [fault('silence', { muteAll: true }, { loses: true })],
  noJob: [fault('no work', { noJob: true })],
  rejectLogin: [fault('a refused login', { rejectLogin: true }, { in: PLAIN, refuses: true, loses: true })],
  rejectEvery: [fault('every share refused', { rejectEvery: 1 }, { rejects: true })],
  staleEvery: [fault('every share late', { staleEvery: 1 }, { rejects: true })],
  wrongId: [fault('answers with a foreign id', { wrongId: true }, { in: PLAIN, loses: true })],
  stringId: [fault('ids as strings', { stringId: true }, { in: PLAIN })],
  shortTarget: [fault('targets without leading zeros', { shortTarget: true })],
  zeroTarget: [fault('a target of zero', { zeroTarget: true })],
  noPrefix: [fault('hashes without 0x', { noPrefix: true })],
  dupJob: [fault('every job twice', { dupJob: true }, { in: PLAIN })],
  badSeed: [fault('a seed of no epoch', { badSeed: true })],
  badHeader: [fault('a short header', { badHeader: true })],
  badExtranonce: [fault('an extranonce that is no hex', { badExtranonce: true }, { in: ['nicehash', 'stratum2'] })],
  badDifficulty: [fault('a difficulty that is no number', { badDifficulty: true }, { in: ['nicehash'] })],
  versionRequest: [fault('a question for our version', { versionRequest: true }, { in: PLAIN })],
  reconnect: [
    fault('reconnect, at every login', { reconnect: [] }, { in: PLAIN, loses: true }),
    fault('reconnect to a stranger', { reconnect: ['elsewhere.example', 1, 0] }, { in: PLAIN, loses: true }),
  ],
  bye: [fault('goodbye, at every login', { bye: true }, { in: ['stratum2'], loses: true })],
  httpError: [fault('HTTP 503', { httpError: true }, { in: ['getwork'], loses: true })],
  rpcError: [fault('no work yet', { rpcError: true }, { in: ['getwork'] })],
  chunked: [fault('answers in chunks', { chunked: true }, { in: ['getwork'] })],
}

/** Those that affect a login, where the dialect may be a guess. */
const isAtLogin = ({ faults }: Case): boolean =>
  'closeOnConnect' in faults ||
  'dropAfter' in faults ||
  'hangUpAfter' in faults ||
  'slow' in faults ||
  'muteLogin' in faults ||
  'rejectLogin' in faults

const MATRIX = Object.values(CASES)
  .flat()
  .flatMap((each) => {
    const flavours: readonly Flavour[] = each.expected.in ?? [...LINES, 'getwork']
    return flavours.flatMap((flavour) => {
      const named = { ...each, flavour, scheme: SCHEMES[flavour] as string }
      return flavour === 'getwork' || !isAtLogin(each) ? [named] : [named, { ...named, scheme: 'stratum' }]
    })
  })

/** A rig on one pool, both on a clock that the test turns, and the pool's connections at each step. */
class Course {
  readonly clock = new FakeClock()
  readonly verdicts: { readonly share: Share; readonly verdict: ShareVerdict }[] = []
  readonly states = new Set<string>()
  readonly #doors: number[] = []
  readonly pool: SimulatedPool
  rig!: Rig
  #given = 0

  constructor(readonly flavour: Flavour) {
    this.pool = new SimulatedPool({ flavour, difficulty: 2, verify: false, clock: this.clock })
  }

  async start(scheme: string): Promise<void> {
    await this.pool.start()
    this.rig = makeRig([`${scheme}://u.rig:x@127.0.0.1:${this.pool.port}`], {
      clock: this.clock,
      retryDelayMs: 1_000,
      limits: { pollMs: 500, pollErrorMs: 5_000 },
    })
    await this.rig.source.start()
    await this.passUntil(() => this.job !== null)
  }

  async stop(): Promise<void> {
    await this.rig.source.stop()
    await this.pool.stop()
  }

  get job(): Job | null {
    return this.rig.jobs.at(-1) ?? null
  }

  get given(): number {
    return this.#given
  }

  async pass(ms: number): Promise<void> {
    for (let passed = 0; passed < ms; passed += STEP_MS) {
      this.clock.advance(STEP_MS)
      for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve))
      this.#doors.push(this.pool.connections)
      for (const { state } of this.rig.source.pools()) this.states.add(state)
    }
  }

  /** @returns how long it took on the miner's clock */
  async passUntil(condition: () => boolean): Promise<number> {
    const from = this.clock.monotonic()
    while (!condition()) {
      if (this.clock.monotonic() - from > LONGEST_WAIT_MS) throw new Error('nothing more happens')
      await this.pass(STEP_MS)
    }
    return this.clock.monotonic() - from
  }

  /** A share of this job is found now; its verdict may take its time. */
  find(job: Job): void {
    this.#given += 1
    const { bits, prefix } = job.extranonce ?? { bits: 0, prefix: 0n }
    const nonce = (prefix << BigInt(64 - bits)) + BigInt(this.#given)
    const hash = new Uint8Array(32)
    const share: Share = { job, nonce, mixDigest: hash, result: hash, replaced: false }
    const keep = (verdict: ShareVerdict): void => {
      this.verdicts.push({ share, verdict })
    }
    void this.rig.source.submit(share, new AbortController().signal).then(keep)
  }

  /** Maximum number of connections within any ten seconds. */
  get rush(): number {
    return Math.max(...this.#doors.map((count, i) => count - (this.#doors[i - STORM_WINDOW] ?? 0)))
  }

  /** One line for each share on which miner and pool disagree. */
  get quarrels(): readonly string[] {
    const shares = this.verdicts.map(({ share, verdict }) => ({
      header: toBareHex(share.job.sealHash),
      nonce: share.nonce.toString(16).padStart(16, '0'),
      verdict: verdict.kind,
      reason: 'reason' in verdict ? verdict.reason : '',
    }))
    const { accepted = 0, rejected = 0, lost = 0 } = this.rig.source.pools()[0]?.shares ?? {}
    const stale = shares.filter(({ verdict }) => verdict === 'stale').length
    const counted = { accepted, rejected, lost, stale, failed: 0 }
    const log = { shares, counted, cutOff: 0, epochChanges: 0, gapsMs: [], warnings: [] }
    const lateCounts = this.flavour === 'stratum2'
    return compare(log, { pools: [{ lateCounts, judged: this.pool.judged }] }).faults
  }
}

let open: Course | null = null
afterEach(async () => {
  await open?.stop()
  open = null
})

it.each(MATRIX)('$scheme, $flavour: $name', async ({ flavour, scheme, faults, expected }) => {
  const course = new Course(flavour)
  open = course
  await course.start(scheme)
  const { pool } = course
  const first = course.job
  if (first === null) throw new Error('no job')
  course.find(first)
  await course.passUntil(() => course.verdicts.length === 1)

  // On the existing connection, then after a new login; shares are found at the start, during the interruption and
  // after it.
  pool.faults = faults
  course.find(first)
  pool.broadcast(false)
  await course.pass(FAULT_MS)
  pool.drop()
  await course.pass(STEP_MS)
  course.find(course.job ?? first)
  await course.pass(FAULT_MS)
  pool.faults = {}
  pool.setExtranonce(pool.extranonce)
  pool.setDifficulty(pool.difficulty)
  const last = course.rig.jobs.length
  const recovered = await course.passUntil(() => {
    if (course.job === null) return false
    if (course.rig.jobs.length === last) pool.broadcast(false)
    return course.rig.jobs.length > last && course.rig.source.state().connected
  })
  const job = course.job
  if (job === null) throw new Error('the job is gone again')
  course.find(job)
  await course.passUntil(() => course.verdicts.length === course.given)

  const kinds = course.verdicts.map(({ verdict }) => verdict.kind)
  expect(course.quarrels).toEqual([])
  expect(course.verdicts.find(({ share }) => share.job === job)?.verdict.kind).toBe('accepted')
  const { loses } = expected
  if (loses !== true && loses?.includes(flavour) !== true) expect(kinds).not.toContain('lost')
  if (expected.rejects !== true) expect(kinds).not.toContain('rejected')
  expect(course.states.has('unusable')).toBe(expected.refuses === true)
  expect(recovered).toBeLessThan(RECOVERY_MS + (expected.refuses === true ? REFUSED_MS : 0))
  if (expected.connectsOften?.includes(flavour) !== true) expect(course.rush).toBeLessThan(10)
})
