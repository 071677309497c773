import { expect, it } from 'vitest'
import { Emitter } from '../../base/events'
import { createLogger, type LogRecord } from '../../base/logger'
import type { MinerEvents } from '../../miner/miner-service-options'
import type { MinerSnapshot } from '../../miner/stats/snapshot'
import { type SpokenMiner, Verbosity } from './verbosity'

const SOURCE = {
  kind: 'pool',
  connected: true,
  host: 'p:1',
  url: '',
  difficulty: 1,
  epoch: 0,
  height: 1,
  switches: 0,
  warning: '',
} as const

function speak() {
  const events = new Emitter<MinerEvents>()
  const said: LogRecord[] = []
  const log = createLogger('miner', {
    minLevel: 'info',
    now: () => 0,
    sink: { write: (record) => void said.push(record) },
  })
  const miner = { events, devices: () => [{ index: 3, hashrate: { now: 7.6 } }], summary: () => ({ a: 1 }) }
  const verbosity = new Verbosity(miner as unknown as SpokenMiner, log)
  const status = (source: Partial<MinerSnapshot['source']>, uptimeSeconds = 1): void =>
    events.emit('statusChanged', { source: { ...SOURCE, ...source }, uptimeSeconds } as unknown as MinerSnapshot)
  const share = { device: 1, outcome: 'accepted', reason: '', latencyMs: 5 } as unknown as MinerEvents['shareSettled']
  const everything = (): string[] => {
    status({})
    status({ connected: false })
    status({ switches: 1 })
    status({ switches: 1, height: 2 })
    status({ switches: 1, height: 2 }, 5)
    status({ switches: 1, height: 2 }, 5)
    events.emit('shareSettled', share)
    return said.splice(0).map(({ message }) => message)
  }
  return { verbosity, everything, events }
}

it.each([
  [0, []],
  [1, ['summary']],
  [2, ['device rate']],
  [4 + 8 + 16, []],
  [32, ['disconnected', 'connected']],
  [64, ['pool switched']],
  [128, ['share settled']],
  [256, ['new work']],
  [511, ['disconnected', 'connected', 'pool switched', 'new work', 'summary', 'device rate', 'share settled']],
])('the bits %d let %j through', (bits, messages) => {
  const { verbosity, everything } = speak()

  verbosity.set(bits)

  expect(everything()).toEqual(messages)
})

it('stops listening when nothing is wanted anymore', () => {
  const { verbosity, events, everything } = speak()

  verbosity.set(511)
  verbosity.set(0)

  expect(everything()).toEqual([])
  expect(events.listenerCount('statusChanged')).toBe(0)
})
