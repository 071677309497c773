import { expect, it } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import type { GpuShape } from '../../../native/gpu-port'
import { FakeGpuDevice } from '../../testing/fake-gpu'
import { GpuTuner } from './gpu-tuner'
import { type GpuTuningStore, type TunedShape, tuningKey } from './gpu-tuning'

const GIB = 2 ** 30
const MINUTE_MS = 60_000
const IDENTITY = { kind: 'opencl', name: 'Card', driver: '1.0' }

class KeptTuning implements GpuTuningStore {
  readonly shapes = new Map<string, TunedShape>()
  async find(key: string): Promise<TunedShape | null> {
    return this.shapes.get(key) ?? null
  }
  async keep(key: string, shape: TunedShape): Promise<void> {
    this.shapes.set(key, shape)
  }
}

/** A card that hashes as fast as its shape says, by the clock. */
async function aTuner(rateOf: (shape: GpuShape) => number, tuning = new KeptTuning()) {
  const clock = new FakeClock()
  const gpu = new FakeGpuDevice(clock, rateOf)
  const tuner = new GpuTuner(gpu, IDENTITY, { clock, log: silentLogger, tuning })
  await tuner.prepared(GIB)
  return { clock, gpu, tuner, tuning }
}

const favouring =
  (groupSize: number, variant: number, rate: number) =>
  (shape: GpuShape): number =>
    shape.groupSize === groupSize && shape.variant === variant ? rate : 1_000

it('settles on the shape that hashes fastest, and keeps it', async () => {
  const { clock, gpu, tuner, tuning } = await aTuner(favouring(256, 1, 1_200))

  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 256, variant: 1 })
  expect([...tuning.shapes.values()]).toEqual([expect.objectContaining({ groupSize: 256, variant: 1 })])
  expect(clock.pending).toBe(0)
})

it('measures a kernel once its driver has compiled it', async () => {
  const { clock, gpu, tuner } = await aTuner(favouring(256, 1, 1_200))
  gpu.compileMs = 20_000

  tuner.work()
  clock.advance(10 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 256, variant: 1 })
})

it.each([6, 14])('finds that launches of %i ms suit the best shape', async (batchMs) => {
  const { clock, gpu, tuner, tuning } = await aTuner(
    (shape) => favouring(256, 1, 1_200)(shape) * (shape.groupSize === 256 && shape.batchMs === batchMs ? 1.05 : 1),
  )

  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 256, variant: 1, batchMs })
  expect([...tuning.shapes.values()]).toEqual([{ groupSize: 256, variant: 1, batchMs }])
})

it('keeps the usual launch length unless another is clearly better', async () => {
  const { clock, tuner, tuning } = await aTuner(favouring(256, 1, 1_200))

  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect([...tuning.shapes.values()]).toEqual([{ groupSize: 256, variant: 1 }])
})

it('keeps its setting unless others are clearly better', async () => {
  const { clock, gpu, tuner } = await aTuner(favouring(64, 1, 1_005))

  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 128, variant: 0 })
})

it('loses less than a twentieth of the rate while trying', async () => {
  const { clock, gpu, tuner } = await aTuner((shape) => (shape.groupSize === 128 && shape.variant === 0 ? 1_000 : 700))

  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(Number(gpu.hashCount())).toBeGreaterThan(0.95 * 180 * 1_000)
})

it('returns to the best so far when the job goes away, and tries again with the next one', async () => {
  const { clock, gpu, tuner, tuning } = await aTuner(favouring(256, 1, 1_200))
  tuner.work()
  clock.advance(21_000)
  expect(gpu.shapes().current).not.toMatchObject({ groupSize: 128, variant: 0 })

  tuner.rest()
  expect(gpu.shapes().current).toMatchObject({ groupSize: 128, variant: 0 })
  expect(tuning.shapes.size).toBe(0)
  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 256, variant: 1 })
})

it("isn't misled by a moment in which the best one was held up", async () => {
  const slowUntil = 21_000
  const { clock, gpu, tuner } = await aTuner((shape) => {
    if (shape.groupSize === 128 && shape.variant === 0) return clock.monotonic() < slowUntil ? 500 : 1_000
    return 900
  })

  tuner.work()
  for (let step = 0; step < 1_000; step++) clock.advance(250)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 128, variant: 0 })
})

it('keeps the best so far if the device fails with a tried shape', async () => {
  const { clock, gpu, tuner, tuning } = await aTuner(favouring(256, 1, 1_200))
  tuner.work()
  clock.advance(21_000)
  expect(gpu.shapes().current).not.toMatchObject({ groupSize: 128, variant: 0 })
  tuner.failed()

  expect([...tuning.shapes.values()]).toEqual([{ groupSize: 128, variant: 0 }])
  tuner.work()
  expect(clock.pending).toBe(0)
})

it('tries again if the device fails with the best shape', async () => {
  const { clock, tuner, tuning } = await aTuner(favouring(256, 1, 1_200))
  tuner.work()
  clock.advance(16_500)
  tuner.failed()

  expect(tuning.shapes.size).toBe(0)
  tuner.work()
  expect(clock.pending).toBe(1)
})

it('uses the stored setting without trying', async () => {
  const tuning = new KeptTuning()
  await tuning.keep(tuningKey(IDENTITY, GIB), { groupSize: 64, variant: 1 })

  const { clock, gpu, tuner } = await aTuner(() => 1_000, tuning)
  tuner.work()

  expect(gpu.shapes().current).toMatchObject({ groupSize: 64, variant: 1 })
  expect(clock.pending).toBe(0)
})

it("tries again if the stored setting isn't offered anymore", async () => {
  const tuning = new KeptTuning()
  await tuning.keep(tuningKey(IDENTITY, GIB), { groupSize: 1024, variant: 9 })

  const { clock, gpu, tuner } = await aTuner(favouring(256, 1, 1_200), tuning)
  tuner.work()
  clock.advance(3 * MINUTE_MS)

  expect(gpu.shapes().current).toMatchObject({ groupSize: 256, variant: 1 })
})

it('distinguishes datasets of another size class', () => {
  expect(tuningKey(IDENTITY, GIB)).not.toBe(tuningKey(IDENTITY, GIB + 1))
  expect(tuningKey(IDENTITY, GIB - 1)).toBe(tuningKey(IDENTITY, GIB))
})
