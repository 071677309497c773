import { describe, expect, it } from 'vitest'
import { aDevice, aStatus, facts, poolStatus } from '../testing/shell-values'
import { NO_FACTS, stateOf } from './shell-facts'
import { type TrayItem, trayModel } from './tray-model'
import { shellWords } from './words/words'

const words = shellWords('en-GB')
const still = aStatus({ hashrate: { now: 0, s60: 0, m15: 0, effective: 0 } })
const paused = aDevice({ paused: true, state: 'paused', pauseReasons: ['Api request'], canResume: true })

describe('the state that the tray shows', () => {
  it.each([
    ['off before anything is known', NO_FACTS, 'off'],
    ['mining with a hashrate', facts(), 'mining'],
    ['off without a hashrate, whatever the devices say', facts({ status: still }), 'off'],
    ['paused when every device is', facts({ status: still, devices: [paused] }), 'paused'],
    ['attention while an approval waits', facts({ waitingApprovals: 1 }), 'attention'],
    ['attention without its pool', facts({ status: poolStatus(false) }), 'attention'],
    [
      'attention when a device is too hot',
      facts({ devices: [aDevice(), aDevice({ index: 1, paused: true, pauseReasons: ['Overheating'] })] }),
      'attention',
    ],
    ['a problem when a device failed', facts({ devices: [aDevice({ state: 'error', error: 'lost' })] }), 'problem'],
    [
      'a problem when a service failed',
      facts({ services: [{ name: 'node', state: 'failed', reason: 'disk' }], waitingApprovals: 1 }),
      'problem',
    ],
  ] as const)('is %s', (_what, given, expected) => {
    expect(stateOf(given)).toBe(expected)
  })
})

describe('the line of the tray', () => {
  it('shows hashrate, power and the hottest sensor', () => {
    const two = facts({ devices: [aDevice(), aDevice({ index: 1, powerWatts: 91 })] })

    expect(trayModel(two, words).tooltip).toBe('Headframe: 59.0 MH/s, 206 W, hottest 88 °C')
  })

  it('omits what no device reports, and says the state in words if nothing is mined', () => {
    const mute = aDevice({ ...paused, powerWatts: null, temperature: { core: null, hotspot: null, memory: null } })

    expect(trayModel(facts({ status: still, devices: [mute] }), words).tooltip).toBe('Headframe: Paused')
  })
})

describe('the menu of the tray', () => {
  const actions = (items: readonly TrayItem[]) =>
    items.flatMap((item) => (item.kind === 'action' && item.enabled ? [item.action] : []))

  it('pauses what mines, and has nothing to resume or lock', () => {
    expect(actions(trayModel(facts(), words).items)).toEqual([
      { do: 'open' },
      { do: 'pause', device: null, forSeconds: null },
      { do: 'pause', device: null, forSeconds: 600 },
      { do: 'pause', device: null, forSeconds: 3_600 },
      { do: 'quit' },
    ])
  })

  it('resumes what resume can lift, opens what waits, locks what is unlocked', () => {
    const given = facts({ devices: [paused], waitingApprovals: 2, isVaultOpen: true })

    expect(actions(trayModel(given, words).items)).toEqual([
      { do: 'open' },
      { do: 'resume', device: null },
      { do: 'approvals' },
      { do: 'lock' },
      { do: 'quit' },
    ])
  })

  it('has each device if there are several, with an ampersand in its name as a letter', () => {
    const devices = [aDevice({ name: 'A & B' }), aDevice({ ...paused, index: 1 })]
    const group = trayModel(facts({ devices }), words).items.find((item) => item.kind === 'group')

    expect(group).toMatchObject({
      items: [
        { label: 'Pause 0 A && B', action: { do: 'pause', device: 0 } },
        { label: 'Resume 1 RTX 3070', action: { do: 'resume', device: 1 } },
      ],
    })
  })

  it('has no way to approve', () => {
    const kinds = actions(trayModel(facts({ waitingApprovals: 1 }), words).items).map((action) => action.do)

    expect(kinds).not.toContain('approve')
    expect(new Set(kinds)).toEqual(new Set(['open', 'pause', 'approvals', 'quit']))
  })

  it("speaks the system's language if the program does", () => {
    expect(trayModel(facts(), shellWords('de-AT')).items[0]).toMatchObject({ label: 'Headframe öffnen' })
    expect(trayModel(facts(), shellWords('fr')).items[0]).toMatchObject({ label: 'Open Headframe' })
  })
})
