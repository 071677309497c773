import { expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { FakeClock } from '../../base/testing/fake-clock'
import { parsePoolUrl } from '../../config/values/pool-url'
import { aJob } from '../testing/fake-work-source'
import type { Share, ShareVerdict } from '../work-source'
import type { PoolEntry } from './pool-entry'
import { PoolList } from './pool-list'
import { HeldShares } from './pool-shares'
import type { PoolSession, SessionEvents, SubmitOutcome } from './session/session'

const ACCEPTED: SubmitOutcome = { kind: 'accepted', latencyMs: 1 }

function anEntry(clock: FakeClock): PoolEntry {
  const outcome = parsePoolUrl('stratum+tcp://u@127.0.0.1:1')
  if ('fault' in outcome) throw new Error(outcome.fault)
  return new PoolList([outcome.url], clock).at(0)
}

/** A session whose answers come from the test. */
class FakeSession implements PoolSession {
  readonly dialect = 'stratum'
  readonly events = new Emitter<SessionEvents>()
  readonly difficultyUnit = null
  readonly ready = true
  readonly job = aJob(2)
  readonly idleReason = null
  readonly sent: bigint[] = []
  readonly answers: ((outcome: SubmitOutcome) => void)[] = []

  constructor(readonly url: PoolEntry['url']) {}

  start(): void {}

  submit({ nonce }: Share): Promise<SubmitOutcome> {
    this.sent.push(nonce)
    return new Promise((resolve) => this.answers.push(resolve))
  }

  reportHashrate(): void {}

  close(): void {}
}

function aShare(nonce: bigint): Share {
  return { job: aJob(1), nonce, mixDigest: new Uint8Array(32), result: new Uint8Array(32), replaced: false }
}

function setUp() {
  const clock = new FakeClock()
  const entry = anEntry(clock)
  const held = new HeldShares(clock)
  const verdicts: ShareVerdict[] = []
  const hold = (nonce: bigint): void => void held.hold(aShare(nonce), entry).then((verdict) => verdicts.push(verdict))
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return { clock, entry, held, verdicts, hold, settle, session: new FakeSession(entry.url) }
}

it('sends a share once, however many jobs come while its answer is pending', async () => {
  const { entry, held, verdicts, hold, settle, session } = setUp()
  hold(5n)
  const rounds = [held.send(session, entry), held.send(session, entry), held.send(session, entry)]
  await settle()
  for (const answer of session.answers) answer(ACCEPTED)
  await Promise.all(rounds)
  await held.send(session, entry)

  expect(session.sent).toEqual([5n])
  expect(verdicts).toEqual([ACCEPTED])
})

it("keeps a share that couldn't be sent for the next session", async () => {
  const { entry, held, verdicts, hold, settle, session } = setUp()
  hold(5n)
  const first = held.send(session, entry)
  await settle()
  session.answers[0]?.({ kind: 'unsent' })
  await first
  const second = held.send(session, entry)
  await settle()
  session.answers[1]?.(ACCEPTED)
  await second

  expect(session.sent).toEqual([5n, 5n])
  expect(verdicts).toEqual([ACCEPTED])
})

it('drops shares after a minute, but not one whose answer is pending', async () => {
  const { clock, entry, held, verdicts, hold, settle, session } = setUp()
  hold(5n)
  const sending = held.send(session, entry)
  hold(6n)
  clock.advance(60_000)
  await settle()
  const early = [...verdicts]
  session.answers[0]?.(ACCEPTED)
  await sending

  expect(early).toMatchObject([{ kind: 'lost' }])
  expect(session.sent).toEqual([5n])
  expect(verdicts.map(({ kind }) => kind)).toEqual(['lost', 'accepted'])
})
