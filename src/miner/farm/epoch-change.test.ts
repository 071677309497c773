import { expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { FakeEngine } from '../testing/fake-engine'
import { aJob } from '../testing/fake-work-source'
import { CpuBackend } from './backends/cpu-backend'
import { SimulatedBackend } from './backends/simulated-backend'
import { SharedDatasets } from './datasets/shared-datasets'
import type { DetectedDevice, DeviceBackend, MiningDevice } from './device-backend'
import { Farm, type FarmOptions } from './farm'

const NEAR = { epoch: 0, height: 690 }
const NEXT = { epoch: 1, height: 720 }
const MIB = 2 ** 20

async function settle(): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await new Promise((resolve) => setImmediate(resolve))
}

interface Setup extends Partial<FarmOptions> {
  readonly simulated?: number
  /** @param datasets the ones in memory */
  readonly freeBytes?: (datasets: number) => number
  readonly further?: readonly DeviceBackend[]
}

async function startFarm({ simulated = 0, freeBytes, further = [], ...options }: Setup = {}) {
  const engine = new FakeEngine()
  engine.instantBuilds = false
  const clock = new FakeClock()
  const datasets = new SharedDatasets(engine, {
    threads: 4,
    ...(freeBytes && { freeBytes: () => freeBytes(engine.builds.length - engine.released.length) }),
  })
  const farm = new Farm(
    { segmentBits: 20, doubleDatasets: true, ...options },
    {
      backends: [
        new CpuBackend({ name: 'cpu', threads: 4, sensors: null }, engine, datasets),
        new SimulatedBackend(simulated, { engine, clock, datasets }),
        ...further,
      ],
      engine,
      submit: async () => ({ kind: 'accepted', latencyMs: 1 }),
      clock,
      log: silentLogger,
      random: () => 0n,
    },
  )
  await farm.start(new AbortController().signal)
  const finish = async (): Promise<void> => {
    for (const build of engine.builds) build.finish()
    await settle()
  }
  /** Epochs of all builds so far, with a b for those in the background. */
  const builds = (): readonly string[] =>
    engine.builds.map(({ epoch, options: { inBackground } }) => `${epoch}${inBackground === true ? 'b' : ''}`)
  farm.setJob(aJob(1, NEAR))
  await settle()
  return { farm, engine, clock, finish, builds }
}

const states = (farm: Farm): readonly string[] => farm.slots.map(({ state }) => state)

it('builds the next dataset beside the searched one, with half of the threads, and swaps them in place', async () => {
  const { farm, engine, finish, builds } = await startFarm()
  await finish()
  const search = engine.search
  const during = [...builds()]
  await finish()
  const searchedOn = [states(farm), search.job?.token]

  farm.setJob(aJob(2, NEXT))
  await settle()

  expect(during).toEqual(['0', '1b'])
  expect(engine.builds[1]?.options.threads).toBe(2)
  expect(searchedOn).toEqual([['mining'], 1])
  expect(builds()).toEqual(['0', '1b'])
  expect(engine.searches).toHaveLength(1)
  expect(search.dataset?.epoch).toBe(1)
  expect(search.job?.sealHash).toEqual(aJob(2).sealHash)
  expect(engine.released).toEqual([0])
  await farm.stop()
  expect(engine.released).toEqual([0, 1])
})

it('has one dataset per epoch for all devices in the same memory, and one build of it', async () => {
  const { farm, engine, finish, builds } = await startFarm({ simulated: 3 })
  await finish()
  await finish()
  farm.setJob(aJob(2, NEXT))
  await settle()

  expect(builds()).toEqual(['0', '1b'])
  expect(states(farm)).toEqual(['mining', 'mining', 'mining', 'mining'])
  expect(engine.released).toEqual([0])
  await farm.stop()
})

it('waits for a running build when the epoch comes', async () => {
  const { farm, engine, finish, builds } = await startFarm()
  await finish()
  farm.setJob(aJob(2, NEXT))
  await settle()
  const waiting = states(farm)
  await finish()

  expect(waiting).toEqual(['building'])
  expect(builds()).toEqual(['0', '1b'])
  expect(states(farm)).toEqual(['mining'])
  expect(engine.released).toEqual([0])
  await farm.stop()
})

it("drops a build for an epoch that doesn't come", async () => {
  const { farm, engine, finish, builds } = await startFarm()
  await finish()
  farm.setJob(aJob(2, { epoch: 5, height: 5 * 720 }))
  await settle()
  await finish()

  expect(builds()).toEqual(['0', '1b', '5'])
  expect(engine.builds[1]?.options.signal?.aborted).toBe(true)
  expect(states(farm)).toEqual(['mining'])
  await farm.stop()
})

it("builds nothing ahead for an epoch that doesn't come next", async () => {
  const { farm, finish, builds } = await startFarm()
  await finish()
  await finish()
  farm.setJob(aJob(2, { epoch: 5, height: 5 * 720 }))
  await settle()
  await finish()
  farm.setJob(aJob(3, { epoch: 4, height: 4 * 720 }))
  await settle()
  await finish()

  expect(builds()).toEqual(['0', '1b', '5', '4'])
  await farm.stop()
})

it('builds ahead for devices that come later, too', async () => {
  const { farm, finish, builds } = await startFarm()
  await finish()
  await finish()
  const late = new FakeGpu(2 ** 30)
  farm.add(await late.detect())
  await settle()

  expect(late.calls).toEqual(['prepare 0', 'ahead 1'])
  expect(builds()).toEqual(['0', '1b'])
  await farm.stop()
})

it('builds nothing while paused, and starts again afterwards', async () => {
  const { farm, engine, finish, builds } = await startFarm()
  await finish()
  farm.pause(null, 'Api request')
  await settle()
  const stopped = engine.builds[1]?.options.signal?.aborted
  farm.resume(null, 'Api request')
  await settle()
  await finish()
  farm.setJob(aJob(2, NEXT))
  await settle()

  expect(stopped).toBe(true)
  expect(builds()).toEqual(['0', '1b', '1b'])
  expect(states(farm)).toEqual(['mining'])
  await farm.stop()
})

it("frees a paused device's dataset when its epoch is over", async () => {
  const { farm, engine, finish } = await startFarm({ doubleDatasets: false })
  await finish()
  farm.pause(0, 'Api request')
  farm.setJob(aJob(2, NEXT))
  await settle()
  const freed = [...engine.released]
  farm.resume(0, 'Api request')
  await settle()
  await finish()

  expect(freed).toEqual([0])
  expect(states(farm)).toEqual(['mining'])
  await farm.stop()
})

it('builds no dataset ahead if that is disabled', async () => {
  const { farm, finish, builds } = await startFarm({ doubleDatasets: false })
  await finish()
  await finish()

  expect(builds()).toEqual(['0'])
  await farm.stop()
})

it('builds nothing ahead if memory is short, and still changes over', async () => {
  const { farm, finish, builds } = await startFarm({ freeBytes: () => 512 * MIB })
  await finish()
  await finish()
  const before = [...builds()]
  farm.setJob(aJob(2, NEXT))
  await settle()
  await finish()

  expect(before).toEqual(['0'])
  expect(builds()).toEqual(['0', '1'])
  expect(states(farm)).toEqual(['mining'])
  await farm.stop()
})

it('counts memory that the change frees, and says so if not even one dataset fits', async () => {
  let total = 40_000 // one dataset and one cache
  const { farm, engine, finish } = await startFarm({
    doubleDatasets: false,
    simulated: 1,
    freeBytes: (datasets) => total - 32_768 * datasets,
  })
  await finish()
  farm.setJob(aJob(2, NEXT))
  await settle()
  await finish()
  const fitted = states(farm)
  expect(engine.released).toEqual([0])
  total = 30_000
  farm.setJob(aJob(3, { epoch: 2, height: 1_440 }))
  await settle()

  expect(fitted).toEqual(['mining', 'mining'])
  expect(farm.slots.map(({ pauseReasons }) => pauseReasons)).toEqual([
    ['Insufficient GPU memory'],
    ['Insufficient GPU memory'],
  ])
  await farm.stop()
})

class FakeGpu implements DeviceBackend {
  readonly kind = 'opencl'
  readonly calls: string[] = []

  constructor(private readonly memoryBytes: number) {}

  async detect(): Promise<readonly DetectedDevice[]> {
    const device: MiningDevice = {
      prepare: async (epoch) => void this.calls.push(`prepare ${epoch}`),
      prepareAhead: async (epoch) => void this.calls.push(`ahead ${epoch}`),
      setJob: () => undefined,
      clearJob: () => undefined,
      hashCount: () => 0n,
      datasetBytes: () => null,
      close: async () => undefined,
    }
    const info = { name: 'card', pci: '01:00.0', backend: 'opencl', threads: null } as const
    return [{ info, sensors: null, memoryBytes: this.memoryBytes, open: () => device }]
  }
}

it.each([
  [65, ['prepare 0', 'ahead 1', 'prepare 1']],
  [64.05, ['prepare 0', 'prepare 1']], // one dataset of 32 KiB, a cache and 64 MiB, but not two
])('asks a card of %s MiB for %j', async (mebibytes, calls) => {
  const gpu = new FakeGpu(mebibytes * MIB)
  const { farm } = await startFarm({ further: [gpu], select: (found) => found.filter(({ info }) => info.pci !== '') })
  await settle()
  farm.setJob(aJob(2, NEXT))
  await settle()

  expect(gpu.calls).toEqual(calls)
  await farm.stop()
})

it('keeps building while the pool is away, which will be in the same epoch on its return', async () => {
  const { farm, finish, builds } = await startFarm()
  farm.setJob(null)
  await settle()
  const whileAway = states(farm)
  farm.setJob(aJob(2, NEAR))
  await settle()
  await finish()

  expect(whileAway).toEqual(['building'])
  expect(builds().filter((epoch) => epoch === '0')).toEqual(['0'])
  expect(states(farm)).toEqual(['mining'])
  await farm.stop()
})

it('uses what it built while the pool was away, and drops it for another epoch', async () => {
  const { farm, finish, builds } = await startFarm()
  farm.setJob(null)
  await finish()
  const afterwards = states(farm)
  farm.setJob(aJob(2, NEXT))
  await settle()

  expect(afterwards).toEqual(['waiting'])
  expect(builds()).toEqual(['0', '1'])
  expect(states(farm)).toEqual(['building'])
  await farm.stop()
})
