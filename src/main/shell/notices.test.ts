import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../base/testing/fake-clock'
import { NOTICE_KINDS } from '../../config/options/desktop'
import type { IncidentView } from '../../contract/incidents'
import { aStatus, facts, poolStatus } from '../testing/shell-values'
import { type Notice, Notices, type NoticeWishes } from './notices'
import { shellWords } from './words/words'

const ALL = NOTICE_KINDS.filter((kind) => kind !== 'none')
const anIncident = (change: Partial<IncidentView> = {}): IncidentView => ({
  id: 'hot 0',
  cause: 'hot',
  kind: 'heat',
  level: 'problem',
  devices: [{ index: 0, name: 'RTX 3070' }],
  pool: '',
  rig: '',
  values: { index: 0, place: 'core', celsius: 90, limit: 85, paused: 1 },
  since: 0,
  until: null,
  hashes: { value: 1, missing: null },
  income: { value: '1', missing: null },
  actions: [],
  acknowledgedAt: null,
  alerts: [],
  ...change,
})
const hot = anIncident()
const ofDevice = (index: number, change: Partial<IncidentView> = {}): IncidentView =>
  anIncident({ id: `${change.cause ?? 'hot'} ${index}`, devices: [{ index, name: 'RTX 3070' }], ...change })
const MINUTE = 60_000

describe('notifications', () => {
  let clock: FakeClock
  let shown: Notice[]
  let wishes: NoticeWishes
  let minute: number
  let notices: Notices
  const kinds = () => shown.map(({ kind }) => kind)

  beforeEach(() => {
    clock = new FakeClock()
    shown = []
    wishes = { notify: ALL, quietHours: null }
    minute = 12 * 60
    notices = new Notices({
      clock,
      words: shellWords('en'),
      wishes: () => wishes,
      minuteOfDay: () => minute,
      show: (notice) => shown.push(notice),
    })
  })

  it('report a device paused by heat once, and link to it', () => {
    notices.look(facts())
    notices.look(facts({ incidents: [hot] }))
    notices.look(facts({ incidents: [hot] }))

    expect(shown).toEqual([{ kind: 'heat', body: '0 RTX 3070 overheated and was paused.', route: '/gpus/0' }])
  })

  it('repeat the same thing only after ten minutes', () => {
    for (const waitMs of [0, 9 * MINUTE, 2 * MINUTE]) {
      clock.advance(waitMs)
      notices.look(facts({ incidents: [hot] }))
      notices.look(facts())
    }

    expect(kinds()).toEqual(['heat', 'heat'])
  })

  it('report a morning report that arrived while running, once', () => {
    for (const reportAt of [null, 0, 0, 7_000, 7_000]) notices.look(facts({ reportAt }))

    expect(shown).toEqual([{ kind: 'report', body: 'Your morning report is ready.', route: '/' }])
  })

  it('do not report an old morning report', () => {
    for (const reportAt of [null, 7_000, 7_000]) notices.look(facts({ reportAt }))

    expect(shown).toEqual([])
  })

  it('report each of two devices', () => {
    notices.look(facts({ incidents: [hot, ofDevice(1), ofDevice(2, { cause: 'device-error' })] }))

    expect(shown.map(({ kind, route }) => [kind, route])).toEqual([
      ['heat', '/gpus/0'],
      ['heat', '/gpus/1'],
      ['fault', '/gpus/2'],
    ])
  })

  it('report many of a kind in one message', () => {
    notices.look(facts({ incidents: [0, 1, 2, 3].map((index) => ofDevice(index)) }))
    notices.look(facts({ incidents: [0, 1, 2, 3].map((index) => ofDevice(index)) }))

    expect(shown).toEqual([{ kind: 'heat', body: '0 RTX 3070 overheated and was paused. And 3 more.', route: '/gpus' }])
  })

  it.each<[Partial<IncidentView>, string, string, string]>([
    [{ cause: 'pool-lost', pool: 'p:1' }, 'pool', 'Lost the connection to p:1.', '/pools'],
    [
      { cause: 'pool-trouble', pool: 'p:1', values: { text: 'on a\u202efork\n' } },
      'warning',
      'Pool warning: on a fork ',
      '/pools',
    ],
    [{ cause: 'rig-offline', rig: 'a b', devices: [] }, 'rig', 'Rig a b is offline.', '/rigs/a%20b'],
    [{ cause: 'rig-stale', rig: 'c', devices: [] }, 'rig', 'Rig c is offline.', '/rigs/c'],
    [{ cause: 'device-silent' }, 'fault', '0 RTX 3070 stopped working.', '/gpus/0'],
  ])('report the incident %j', (change, kind, body, route) => {
    notices.look(facts({ incidents: [anIncident(change)] }))

    expect(shown).toEqual([{ kind, body, route }])
  })

  it('leave what was planned, and mere warnings, to the window', () => {
    const warm = anIncident({ values: { paused: 0 } })
    notices.look(
      facts({ incidents: [warm, anIncident({ cause: 'paused', level: 'note' }), anIncident({ cause: 'fan' })] }),
    )

    expect(shown).toEqual([])
  })

  it('report a block found since startup, not a share of a pool', () => {
    const proof = (at: number) => ({ lastProof: { at, device: 0 } })
    notices.look(facts({ status: aStatus(proof(5)) }))
    notices.look(facts({ status: { ...poolStatus(true), ...proof(6) } }))
    expect(shown).toEqual([])

    notices.look(facts({ status: aStatus(proof(7)) }))

    expect(kinds()).toEqual(['block'])
  })

  it('report the very first block too', () => {
    notices.look(facts())
    notices.look(facts({ status: aStatus({ lastProof: { at: 7, device: 0 } }) }))

    expect(kinds()).toEqual(['block'])
  })

  it('report a switch of pools, once for each', () => {
    const at = (host: string, switches: number) => {
      const status = poolStatus(true, host)
      return facts({ status: { ...status, source: { ...status.source, switches } } })
    }
    notices.look(at('a:1', 0))
    notices.look(at('b:1', 1))
    notices.look(at('b:1', 1))
    notices.look(at('a:1', 2))

    expect(shown.map(({ kind, body }) => [kind, body])).toEqual([
      ['pool', 'Switched to b:1.'],
      ['pool', 'Switched to a:1.'],
    ])
  })

  it('report our own blocks that the chain replaced, but not earlier ones again', () => {
    notices.look(facts({ sideBlocks: [7] }))
    clock.advance(11 * MINUTE)
    notices.look(facts({ sideBlocks: [7, 9] }))

    expect(shown.map(({ route }) => route)).toEqual(['/node/block/7', '/node/block/9'])
  })

  it('report a reward when its height is reached, but not during a sync', () => {
    const balance = { address: '0xa', available: '0', locked: '1', nonce: 0 }
    const at = (asOf: number, next: number | null) => {
      const nextUnlock = next === null ? null : { height: next, amount: '1' }
      return { asOf, accounts: [{ ...balance, nextUnlock }], takenAt: 0 }
    }
    notices.look(facts({ balances: at(10, 12) }))
    notices.look(facts({ balances: at(11, 12) }))
    expect(shown).toEqual([])
    notices.look(facts({ balances: at(12, 15) }))
    expect(shown).toEqual([{ kind: 'reward', body: 'A block reward has matured.', route: '/accounts/0xa' }])

    clock.advance(11 * MINUTE)
    notices.look(facts({ balances: at(500, null), syncFraction: 0.5 }))

    expect(shown).toHaveLength(1)
  })

  it('report a node that fell behind and stays behind, not one in its first sync', () => {
    const behind = facts({ blocksBehind: 50, syncFraction: 0.1 })
    notices.look(behind)
    clock.advance(2 * MINUTE)
    notices.look(behind)
    notices.look(facts())
    notices.look(behind)
    expect(shown).toEqual([])

    clock.advance(MINUTE)
    notices.look(behind)

    expect(shown).toEqual([{ kind: 'node', body: 'The node is 50 blocks behind.', route: '/node' }])
  })

  it('report a nearly full disk', () => {
    notices.look(facts({ disk: { freeBytes: 50 * 1024 ** 3, takenAt: 0 } }))
    notices.look(facts({ disk: { freeBytes: 1.5 * 1024 ** 3, takenAt: 0 } }))

    expect(shown.map(({ kind, body }) => [kind, body])).toEqual([['disk', 'Only 1.5 GiB of disk space left.']])
  })

  it('are only of the kinds that the user wants, and off with none', () => {
    wishes = { notify: ['pool'], quietHours: null }
    notices.look(facts({ incidents: [hot] }))
    wishes = { notify: ['heat', 'none'], quietHours: null }
    notices.look(facts())
    notices.look(facts({ incidents: [hot] }))

    expect(shown).toEqual([])
  })

  it('are silent in quiet hours, except for an approval', () => {
    wishes = { notify: ALL, quietHours: { from: 22 * 60, to: 7 * 60 } }
    minute = 23 * 60

    notices.look(facts({ incidents: [hot] }))
    notices.approvalCame()

    expect(kinds()).toEqual(['approval'])
  })

  it("reveal nothing of what is to be approved, and don't repeat for every request of a noisy caller", () => {
    for (let request = 0; request < 20; request++) {
      notices.approvalCame()
      clock.advance(1_000)
    }

    expect(shown).toHaveLength(2)
    expect(shown[0]).toEqual({
      kind: 'approval',
      body: 'A request is waiting for your approval.',
      route: '/accounts/approvals',
    })
  })
})
