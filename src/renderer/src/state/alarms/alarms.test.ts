// The program's incidents as a page lists them, and the rules as it changes them.
import { expect, it } from 'vitest'
import type { IncidentView } from '../../../../contract/incidents'
import { ScriptedBackend } from '../../testing/scripted'
import { anIncident } from '../../testing/scripted-values'
import { createAlarmSettings, selectLevels } from './alarm-settings'
import { createAlarms, selectUnseen } from './alarms'

const scene = () => {
  const backend = new ScriptedBackend()
  const alarms = createAlarms(backend)
  alarms.watch()
  const send = (open: readonly IncidentView[], recent: readonly IncidentView[] = []) =>
    backend.emit('miner.incidents', { open: [...open], recent: [...recent], desktopTestedAt: null, takenAt: 1 })
  return { ...alarms, backend, send }
}

it('lists what is wrong and what was, and what was planned apart', () => {
  const { store, send } = scene()
  const ended = anIncident({ id: 'b', until: 9 })
  send([anIncident({ id: 'a' }), anIncident({ id: 'n', cause: 'paused', level: 'note' })], [ended])

  const { active, past, notes } = store.getState()
  expect(active.map(({ id, kind, level }) => [id, kind, level])).toEqual([['a', 'hot', 'problem']])
  expect(past.map(({ id, endedAt }) => [id, endedAt])).toEqual([['b', 9]])
  expect(notes.map(({ id, endedAt }) => [id, endedAt])).toEqual([['n', null]])
})

it.each<[Partial<IncidentView>, string]>([
  [{}, '/gpus/0'],
  [
    {
      devices: [
        { index: 0, name: '' },
        { index: 1, name: '' },
      ],
    },
    '/gpus',
  ],
  [{ cause: 'pool-lost', pool: 'a:1' }, '/pools'],
  [{ cause: 'rig-offline', rig: 'a b', devices: [] }, '/rigs/a%20b'],
  [{ cause: 'no-work' }, '/node'],
  [{ cause: 'record-unsaved', devices: [] }, '/settings/about'],
])('leads from %j to %s', (change, route) => {
  const { store, send } = scene()
  send([anIncident(change)])
  expect(store.getState().active[0]?.route).toBe(route)
})

it('acknowledges at the program, whose list it shows', () => {
  const { store, send, acknowledge, backend } = scene()
  backend.answer('miner.incidentAcknowledge', () => ({}))
  send([anIncident()])
  acknowledge(['i'])

  expect(backend.calls.at(-1)).toEqual({ name: 'miner.incidentAcknowledge', params: { ids: ['i'] } })
  expect(selectUnseen(store.getState())).toHaveLength(1)
  send([anIncident({ acknowledgedAt: 5 })])
  expect(selectUnseen(store.getState())).toHaveLength(0)
})

it('keeps rules in the program, and shows them again when it refuses a change', async () => {
  const storage = new Map<string, string>()
  const backend = new ScriptedBackend()
  const kept = {
    getItem: (key: string) => storage.get(key) ?? null,
    setItem: (key: string, text: string) => void storage.set(key, text),
  }
  const settings = createAlarmSettings(kept, backend)
  const { rules } = settings.getState()
  backend.answer('miner.incidentRules', () => ({ ...rules, ratePercent: 70 }))
  await settings.ask()
  expect(settings.getState().rules.ratePercent).toBe(70)
  settings.save({ levels: { '01:00.0': { ...rules.usualLevels, fan: 50 } } })
  expect(selectLevels('01:00.0')(settings.getState()).fan).toBe(50)
  await Promise.resolve()
  await new Promise(setImmediate)

  expect(selectLevels('01:00.0')(settings.getState()).fan).toBe(95)
  settings.setSounds(true)
  expect(createAlarmSettings(kept, backend).getState().sounds).toBe(true)
})
