// Two hours of the real miner with two simulated devices, on a clock turned by hand: the ledger's sums beside a tally kept
// apart, and the incidents that explain its losses.
import { afterEach, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import type { Journal } from '../../files/journal-file'
import { IncidentBook } from '../incidents/incident-book'
import { isHot, USUAL_RULES } from '../incidents/incident-rules'
import { MinerService } from '../miner-service'
import { aJob, FakeWorkSource } from '../testing/fake-work-source'
import { QuickEngine } from '../testing/quick-engine'
import { moneyPeriod } from './money-figures'
import { MoneyLedger } from './money-ledger'

const LAX = 10n ** 18n
const HOUR_S = 3_600
const DIFFICULTY = 1e12

const noMetrics = {
  counter: () => ({ inc: () => undefined }),
  collect: () => undefined,
}
const nowhere: Journal = { load: async () => [], append: async () => undefined, replace: async () => undefined }

const running: { stop(): Promise<void> }[] = []
afterEach(async () => {
  for (const service of running.splice(0).reverse()) await service.stop()
})

async function startRig() {
  const clock = new FakeClock()
  const source = new FakeWorkSource()
  const options = { version: '1', cpuThreads: null, historyFile: null, hwmonDir: '/nonexistent', simulatedGpus: 2 }
  const parts = { source, engine: new QuickEngine(), clock, log: silentLogger, metrics: noMetrics, random: () => 7n }
  const miner = new MinerService(options, parts)
  const worth = () => ({ difficulty: DIFFICULTY, subsidyWei: 50n * LAX })
  const common = { journal: nowhere, clock, log: silentLogger, worth }
  const ledger = new MoneyLedger({ miner, isHot: (device) => isHot(device, USUAL_RULES), ...common })
  const rules = {
    rigs: () => [],
    served: () => [],
    beside: () => null,
    rigStaleSeconds: () => 60,
    rules: () => USUAL_RULES,
  }
  const book = new IncidentBook({ miner, losses: ledger, ...rules, ...common })
  await ledger.start()
  /** of each device, when the ledger saw it first and last */
  const seen = new Map<number, { readonly first: number; readonly last: number }>()
  miner.events.on('devicesChanged', (devices) => {
    for (const { index, hashes } of devices) seen.set(index, { first: seen.get(index)?.first ?? hashes, last: hashes })
  })
  await miner.start(new AbortController().signal)
  await book.start()
  running.push(ledger, miner, book)
  const pass = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      clock.advance(1_000)
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  return { clock, source, miner, ledger, book, seen, pass }
}

it('adds up over two hours with a pause and a lost pool', { timeout: 60_000 }, async () => {
  const { clock, source, miner, ledger, book, seen, pass } = await startRig()
  source.current = { ...source.current, kind: 'pool', host: 'pool.example:1', connected: true }
  source.push(aJob(1))
  await pass(1)
  const tally = { watts: 0 }
  miner.events.on('devicesChanged', (devices) => {
    tally.watts = devices.reduce((sum, { powerWatts }) => sum + (powerWatts ?? 0), 0)
  })
  const energy = { joules: 0 }
  const mine = async (seconds: number): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      await pass(1)
      energy.joules += tally.watts
    }
  }

  await mine(HOUR_S)
  const usual = miner.devices().map(({ usualHashrate }) => usualHashrate ?? 0)
  miner.pause(1)
  await mine(600)
  miner.resume(1)
  await mine(900)
  source.current = { ...source.current, connected: false }
  source.push(null)
  await mine(300)
  source.current = { ...source.current, connected: true }
  source.push(aJob(2))
  await mine(2 * HOUR_S - HOUR_S - 600 - 900 - 300)

  const period = { from: 0, to: Number.MAX_SAFE_INTEGER }
  const context = { prices: { lax: 2, power: 0.25, currency: 'EUR' }, present: ledger.present(), worth: null }
  const found = moneyPeriod(ledger.read(period.from, period.to), period, { ...context, now: clock.now() })
  const done = [...seen.values()].reduce((sum, { first, last }) => sum + last - first, 0)
  // What was computed, what that earns on average, and the energy: by the counters of the devices alone.
  expect(done).toBeGreaterThan(0)
  expect(found.total.hashes).toBeCloseTo(done, 0)
  expect(found.total.expectedBlocks.value).toBeCloseTo(done / DIFFICULTY, 9)
  expect(Number(found.total.expectedIncome.value) / 1e18).toBeCloseTo((done / DIFFICULTY) * 50, 5)
  expect((found.energy.kilowattHours.value ?? 0) / (energy.joules / 3.6e6)).toBeCloseTo(1, 2)
  expect(found.energy.cost.value).toBeCloseTo((found.energy.kilowattHours.value ?? 0) * 0.25, 9)
  // Ten minutes of device 1, and five of both.
  const [one = 0, two = 0] = usual
  const lost = (cause: string): number => found.losses.rows.find((row) => row.cause === cause)?.hashes ?? 0
  expect(lost('paused') / (two * 600)).toBeCloseTo(1, 1)
  expect(lost('no-work') / ((one + two) * 300)).toBeCloseTo(1, 1)
  const sum = found.losses.rows.reduce((total, { hashes }) => total + hashes, 0)
  const { usualHashes, countedHashes, gainedHashes } = found.losses
  expect((countedHashes.value ?? 0) + sum - gainedHashes).toBeCloseTo(usualHashes.value ?? 0, 0)
  // The incidents hold the same hashes, from their first moment on.
  const incidents = new Map(book.between(0, clock.now(), 100).map((incident) => [incident.cause, incident]))
  expect([...incidents.keys()].sort()).toEqual(['paused', 'pool-lost'])
  expect((incidents.get('paused')?.hashes ?? 0) / lost('paused')).toBeCloseTo(1, 1)
  expect((incidents.get('pool-lost')?.hashes ?? 0) / lost('no-work')).toBeCloseTo(1, 1)
})
