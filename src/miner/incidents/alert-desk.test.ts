import { expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { type AlertSink, parseAlertSink } from '../../config/values/alert-sink'
import type { AlertMessage } from './alert-delivery'
import { AlertDesk, type AlertOptions } from './alert-desk'
import type { Incident } from './incident'
import type { IncidentEvents } from './incident-book'

const MINUTE = 60_000
const sinkOf = (text: string): AlertSink => {
  const outcome = parseAlertSink(text)
  if ('fault' in outcome) throw new Error(outcome.fault)
  return outcome.sink
}
const PHONE = sinkOf('command:/bin/phone')

async function scene(options: Partial<AlertOptions> = {}, open: Incident[] = []) {
  const clock = new FakeClock()
  const events = new Emitter<IncidentEvents>()
  const shown: AlertMessage[] = []
  const alerted: [string, string][] = []
  const tried: AlertMessage[] = []
  const world = { minute: 720, isBroken: false, fault: '' }
  const desk = new AlertDesk(
    {
      sinks: [PHONE],
      quietHours: null,
      repeatMinutes: 0,
      escalateMinutes: 0,
      rig: 'rig01',
      network: 'main',
      ...options,
    },
    {
      book: { events, open: () => open, alerted: (id, { fault }) => alerted.push([id, fault]) },
      clock,
      log: silentLogger,
      minuteOfDay: () => world.minute,
      deliver: async (_, message) => {
        tried.push(message)
        if (world.isBroken) return { fault: 'no network', hasArrived: false }
        shown.push(message)
        return { fault: world.fault, hasArrived: true }
      },
    },
  )
  await desk.start()
  const begin = (change: Partial<Incident> = {}): Incident => {
    const incident: Incident = {
      id: `i${open.length}`,
      condition: 'c',
      cause: 'device-silent',
      level: 'problem',
      devices: [],
      pool: '',
      rig: '',
      values: { index: 0 },
      since: clock.now(),
      lastAt: clock.now(),
      until: null,
      hashes: 1,
      micro: 310_000,
      actions: [],
      acknowledgedAt: null,
      alerts: [],
      ...change,
    }
    open.push(incident)
    events.emit('began', incident)
    return incident
  }
  const end = (incident: Incident): void => {
    open.splice(open.indexOf(incident), 1)
    events.emit('ended', { ...incident, until: clock.now() })
  }
  const texts = (): string[] => shown.map(({ event, incidents }) => `${event} ${incidents.map(({ id }) => id).join()}`)
  /** The messages on their way arrive. */
  const settle = async (): Promise<void> => {
    for (let turn = 0; turn < 10; turn++) await Promise.resolve()
  }
  return { clock, begin, end, shown, tried, texts, alerted, world, desk, settle }
}

it('reports an incident with what it costs, once, and that it is over', async () => {
  const { clock, begin, end, shown, texts, settle, alerted } = await scene()
  const incident = begin()
  clock.advance(60 * MINUTE)
  await settle()
  end(incident)
  clock.advance(MINUTE)
  await settle()
  expect(texts()).toEqual(['began i0', 'ended i0'])
  expect(shown[0]?.text).toBe("Device 0 doesn't respond (since 2023-11-14 22:13 UTC, 0.31 LAX lost so far)")
  expect(alerted).toEqual([
    ['i0', ''],
    ['i0', ''],
  ])
})

it('makes one message of what begins together', async () => {
  const { clock, begin, shown } = await scene()
  for (let n = 0; n < 200; n++) begin()
  clock.advance(20_000)
  expect(shown).toHaveLength(1)
  expect(shown[0]?.title).toBe("rig01: Device 0 doesn't respond and 199 more")
  expect(shown[0]?.text.split('\n')).toHaveLength(11)
})

it('repeats what nobody acknowledged', async () => {
  const { clock, begin, texts } = await scene({ repeatMinutes: 30 })
  const incident = begin()
  clock.advance(65 * MINUTE)
  incident.acknowledgedAt = clock.now()
  clock.advance(120 * MINUTE)
  expect(texts()).toEqual(['began i0', 'repeated i0', 'repeated i0'])
})

it('escalates a problem that nobody acknowledged, once, to those who get nothing else too', async () => {
  const last = sinkOf('command:/bin/boss#escalation')
  const { clock, begin, texts } = await scene({ escalateMinutes: 15, sinks: [PHONE, last] })
  begin()
  begin({ level: 'attention' })
  clock.advance(10 * MINUTE)
  expect(texts()).toEqual(['began i0,i1'])
  clock.advance(60 * MINUTE)
  expect(texts()).toEqual(['began i0,i1', 'escalated i0', 'escalated i0'])
})

it('sends only problems in quiet hours, and the rest after them if it lasts', async () => {
  const { clock, begin, end, texts, world } = await scene({ quietHours: { from: 22 * 60, to: 7 * 60 } })
  world.minute = 23 * 60
  const passing = begin({ level: 'attention' })
  begin({ level: 'attention' })
  begin({ level: 'problem' })
  clock.advance(MINUTE)
  end(passing)
  clock.advance(MINUTE)
  expect(texts()).toEqual(['began i2'])
  world.minute = 8 * 60
  clock.advance(MINUTE)
  expect(texts()).toEqual(['began i2', 'began i1'])
})

it('keeps notes and what is below a sink’s level to itself', async () => {
  const { clock, begin, texts } = await scene({ sinks: [sinkOf('command:/bin/phone#level=problem')] })
  begin({ level: 'note' })
  begin({ level: 'attention' })
  clock.advance(MINUTE)
  expect(texts()).toEqual([])
})

it('tries again what didn’t arrive, and says so in the incident, as it says that it arrived', async () => {
  const { clock, begin, texts, world, alerted, settle } = await scene()
  world.isBroken = true
  begin()
  clock.advance(10_000)
  await settle()
  expect(alerted).toEqual([['i0', 'no network']])
  world.isBroken = false
  clock.advance(30_000)
  await settle()
  expect(texts()).toEqual(['began i0'])
  expect(alerted).toEqual([
    ['i0', 'no network'],
    ['i0', ''],
  ])
})

it('doesn’t send again what some of several got, and says who didn’t', async () => {
  const { clock, begin, texts, world, alerted, settle } = await scene()
  world.fault = 'refused for one'
  begin()
  clock.advance(60 * MINUTE)
  await settle()
  clock.advance(60 * MINUTE)
  expect([texts(), alerted]).toEqual([['began i0'], [['i0', 'refused for one']]])
})

it('tells what lasts once the network is back, however long that takes', async () => {
  const { clock, begin, texts, world, settle } = await scene()
  world.isBroken = true
  begin({ level: 'attention' })
  for (let minute = 0; minute < 300; minute++) {
    clock.advance(MINUTE)
    await settle()
  }
  world.isBroken = false
  clock.advance(60 * MINUTE)
  await settle()
  expect(texts()).toEqual(['began i0'])
})

it('tells nobody what was over before it could be told', async () => {
  const { clock, begin, end, texts, world, settle } = await scene()
  world.isBroken = true
  const passing = begin()
  clock.advance(10_000)
  await settle()
  world.isBroken = false
  end(passing)
  for (let minute = 0; minute < 10; minute++) {
    clock.advance(MINUTE)
    await settle()
  }
  expect(texts()).toEqual([])
})

it('doesn’t wake anyone because a small thing is over', async () => {
  const { clock, begin, end, texts, world, settle } = await scene({ quietHours: { from: 22 * 60, to: 7 * 60 } })
  const [small, grave] = [begin({ level: 'attention' }), begin({ level: 'problem' })]
  clock.advance(MINUTE)
  await settle()
  world.minute = 23 * 60
  end(small)
  end(grave)
  clock.advance(MINUTE)
  await settle()
  expect(texts()).toEqual(['began i0,i1', 'ended i1'])
  world.minute = 8 * 60
  clock.advance(MINUTE)
  expect(texts()).toEqual(['began i0,i1', 'ended i1', 'ended i0'])
})

it('sends at most 60 messages an hour to one place, and then that the rest is over', async () => {
  const { clock, begin, end, shown, settle } = await scene()
  begin()
  clock.advance(15_000)
  await settle()
  for (let n = 0; n < 100; n++) {
    const incident = begin({ id: `n${n}` })
    clock.advance(15_000)
    await settle()
    end(incident)
    clock.advance(15_000)
    await settle()
  }
  expect(shown.length).toBeLessThanOrEqual(60)
  clock.advance(60 * MINUTE)
  await settle()
  const told = (wanted: string): string[] =>
    shown.filter(({ event }) => event === wanted).flatMap(({ incidents }) => incidents.map(({ id }) => id))
  expect(new Set(told('began').slice(1))).toEqual(new Set(told('ended')))
})

it('counts what is tried again among the 60 messages an hour, and tells it later', async () => {
  const { clock, begin, tried, texts, world, settle } = await scene()
  world.isBroken = true
  for (let n = 0; n < 100; n++) {
    begin()
    clock.advance(30_000)
    await settle()
  }
  expect(tried.length).toBeLessThanOrEqual(60)
  world.isBroken = false
  for (let minute = 0; minute < 180; minute++) {
    clock.advance(MINUTE)
    await settle()
  }
  const told = new Set(texts().flatMap((text) => text.replace('began ', '').split(',')))
  expect([...told].sort()).toEqual(Array.from({ length: 100 }, (_, n) => `i${n}`).sort())
})

it('tells nothing again after a restart', async () => {
  const told = { at: 1, sink: 'phone', fault: '' }
  const open = [{ id: 'old', level: 'problem', acknowledgedAt: null, alerts: [told], since: 0 } as unknown as Incident]
  const { clock, texts } = await scene({}, open)
  clock.advance(MINUTE)
  expect(texts()).toEqual([])
})
