import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../base/fake-clock'
import { type Notice, Notices, type NoticeWishes } from './notices'
import { aDevice, aStatus, facts, poolStatus } from './shell-values'
import { shellWords } from './words'

const ALL = ['approval', 'heat', 'fault', 'block', 'pool', 'rig']
const hot = aDevice({ paused: true, pauseReasons: ['Overheating'] })
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

  it('tell a device that is paused by heat once, and lead to it', () => {
    notices.look(facts())
    notices.look(facts({ devices: [hot] }))
    notices.look(facts({ devices: [hot] }))

    expect(shown).toEqual([{ kind: 'heat', body: '0 RTX 3070 is paused: overheating.', route: '/gpus/0' }])
  })

  it('tell the same thing again only after ten minutes', () => {
    for (const waitMs of [0, 9 * MINUTE, 2 * MINUTE]) {
      clock.advance(waitMs)
      notices.look(facts({ devices: [hot] }))
      notices.look(facts())
    }

    expect(kinds()).toEqual(['heat', 'heat'])
  })

  it('tell each of two devices', () => {
    notices.look(facts({ devices: [hot, { ...hot, index: 1 }, aDevice({ index: 2, state: 'error' })] }))

    expect(shown.map(({ kind, route }) => [kind, route])).toEqual([
      ['heat', '/gpus/0'],
      ['heat', '/gpus/1'],
      ['fault', '/gpus/2'],
    ])
  })

  it('tell a lost pool when it stays away, and only if it was there', () => {
    notices.look(facts({ status: poolStatus(false) }))
    clock.advance(MINUTE)
    notices.look(facts({ status: poolStatus(false) }))
    expect(shown).toEqual([])

    notices.look(facts({ status: poolStatus(true) }))
    notices.look(facts({ status: poolStatus(false, '') }))
    expect(shown).toEqual([])
    clock.advance(15_000)
    notices.look(facts({ status: poolStatus(false, '') }))

    expect(shown).toEqual([{ kind: 'pool', body: 'The pool pool.example:3333 is lost.', route: '/pools' }])
  })

  it('tell a block that was found since the start, not a share of a pool', () => {
    const proof = (at: number) => ({ lastProof: { at, device: 0 } })
    notices.look(facts({ status: aStatus(proof(5)) }))
    notices.look(facts({ status: { ...poolStatus(true), ...proof(6) } }))
    expect(shown).toEqual([])

    notices.look(facts({ status: aStatus(proof(7)) }))

    expect(kinds()).toEqual(['block'])
  })

  it('tell the very first block too', () => {
    notices.look(facts())
    notices.look(facts({ status: aStatus({ lastProof: { at: 7, device: 0 } }) }))

    expect(kinds()).toEqual(['block'])
  })

  it('are only of the kinds that the user wants, and none at all with none', () => {
    wishes = { notify: ['pool'], quietHours: null }
    notices.look(facts({ devices: [hot] }))
    wishes = { notify: ['heat', 'none'], quietHours: null }
    notices.look(facts())
    notices.look(facts({ devices: [hot] }))

    expect(shown).toEqual([])
  })

  it('are silent in quiet hours, but for an approval', () => {
    wishes = { notify: ALL, quietHours: { from: 22 * 60, to: 7 * 60 } }
    minute = 23 * 60

    notices.look(facts({ devices: [hot] }))
    notices.approvalCame()

    expect(kinds()).toEqual(['approval'])
  })

  it('say nothing of what is to be approved, and not at every request of a noisy caller', () => {
    for (let request = 0; request < 20; request++) {
      notices.approvalCame()
      clock.advance(1_000)
    }

    expect(shown).toHaveLength(2)
    expect(shown[0]).toEqual({
      kind: 'approval',
      body: 'A request waits for your approval.',
      route: '/accounts/approvals',
    })
  })
})
