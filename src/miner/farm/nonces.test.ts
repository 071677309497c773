import { expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { FakeEngine } from '../testing/fake-engine'
import { aJob } from '../testing/fake-work-source'
import { CpuBackend } from './backends/cpu-backend'
import { type Ergodicity, Farm } from './farm'

async function settle(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve))
}

/** Random numbers are 1000, 2000, 3000, ... */
async function startFarm(ergodicity: Ergodicity, devices = 1) {
  const engines = Array.from({ length: devices }, () => new FakeEngine())
  let drawn = 0n
  const farm = new Farm(
    { segmentBits: 20, ergodicity },
    {
      backends: engines.map((each, i) => new CpuBackend({ name: `cpu ${i}`, threads: 1, sensors: null }, each)),
      engine: engines[0] ?? new FakeEngine(),
      submit: async () => ({ kind: 'accepted', latencyMs: 1 }),
      clock: new FakeClock(),
      log: silentLogger,
      random: () => {
        drawn += 1_000n
        return drawn
      },
    },
  )
  await farm.start(new AbortController().signal)
  const starts = () => engines.map(({ search }) => search.job?.startNonce)
  return { farm, starts }
}

it.each([
  ['0', false, false],
  ['1', true, false],
  ['2', true, true],
] as const)('ergodicity %s: new nonces at a connection %s, at a job %s', async (ergodicity, atConnection, atJob) => {
  const { farm, starts } = await startFarm(ergodicity)
  farm.setJob(aJob(1))
  await settle()
  const [first] = starts()
  farm.setJob(aJob(2))
  const [second] = starts()
  farm.reconnected()
  farm.setJob(aJob(3))
  const [third] = starts()

  expect(second !== first).toBe(atJob)
  expect(third !== second).toBe(atConnection)
  await farm.stop()
})

it('the same header continues where it left off, whatever the ergodicity', async () => {
  const { farm, starts } = await startFarm('2')
  farm.setJob(aJob(1))
  await settle()
  const before = starts()

  farm.reconnected()
  farm.setJob(null)
  farm.setJob(aJob(1))

  expect(starts()).toEqual(before.map((start) => (start ?? 0n) + 2n ** 20n))
  await farm.stop()
})

it('new nonces apply immediately on every device and to later jobs', async () => {
  const { farm, starts } = await startFarm('0', 2)
  farm.setJob(aJob(1))
  await settle()

  farm.setNonces({ startNonce: 7n, segmentBits: 10 })

  expect(starts()).toEqual([7n, 7n + 1_024n])
  expect(farm.layout()).toEqual({
    start: 7n,
    bits: 10,
    segments: [
      { start: 7n, bits: 10 },
      { start: 1_031n, bits: 10 },
    ],
  })
  farm.setJob(aJob(2))
  expect(starts()).toEqual([7n, 1_031n])
  farm.shuffle()
  expect(starts()).not.toContain(7n)
  await farm.stop()
})

it("a solution that was seen before the nonces moved isn't accepted twice", async () => {
  const engine = new FakeEngine()
  const shares: bigint[] = []
  const farm = new Farm(
    { segmentBits: 20 },
    {
      backends: [new CpuBackend({ name: 'cpu', threads: 1, sensors: null }, engine)],
      engine,
      submit: async ({ nonce }) => {
        shares.push(nonce)
        return { kind: 'accepted', latencyMs: 1 }
      },
      clock: new FakeClock(),
      log: silentLogger,
      random: () => 0n,
    },
  )
  await farm.start(new AbortController().signal)
  farm.setJob(aJob(1))
  await settle()

  engine.search.find(5n)
  farm.setNonces({ startNonce: 0n })
  engine.search.find(5n)
  await settle()

  expect(shares).toEqual([5n])
  await farm.stop()
})

it('a pool that fixes the first nonce keeps it', async () => {
  const { farm, starts } = await startFarm('0')
  farm.setJob({ ...aJob(1), extranonce: { bits: 16, prefix: 0xabcdn } })
  await settle()
  const before = starts()

  farm.setNonces({ startNonce: 7n })

  expect(starts()).toEqual(before)
  expect(farm.layout()).toMatchObject({ start: 0xabcdn << 48n, segments: [{ start: 0xabcdn << 48n }] })
  await farm.stop()
})
