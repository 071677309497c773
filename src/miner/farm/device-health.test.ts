// What happens to devices that hang, lack memory, or build a wrong dataset.
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { NativeError } from '../../native/errors'
import type { SettledShare } from '../stats/snapshot'
import { type FakeCard, FakeCards, goodItems } from '../testing/fake-cards'
import { FakeEngine } from '../testing/fake-engine'
import { aJob } from '../testing/fake-work-source'
import type { Share } from '../work-source'
import type { DeviceJob } from './device-backend'
import { Farm, type FarmOptions } from './farm'

const MIB = 2 ** 20

const farms: Farm[] = []
afterEach(async () => {
  await Promise.all(farms.splice(0).map((farm) => farm.stop()))
})

async function settle(): Promise<void> {
  for (let turn = 0; turn < 6; turn++) await new Promise((resolve) => setImmediate(resolve))
}

async function startFarm(cards: FakeCards, options: Partial<FarmOptions> = {}) {
  const clock = new FakeClock()
  const engine = new FakeEngine()
  const shares: Share[] = []
  let seed = 0n
  const farm = new Farm(
    { segmentBits: 20, ...options },
    {
      backends: [cards],
      engine,
      submit: async (share) => {
        shares.push(share)
        return { kind: 'accepted', latencyMs: 1 }
      },
      clock,
      log: silentLogger,
      random: () => {
        seed += 7_919n
        return seed
      },
    },
  )
  farms.push(farm)
  await farm.start(new AbortController().signal)
  farm.setJob(aJob(1))
  await settle()
  /** Every card except `silent` finishes a batch each second. */
  const pass = async (seconds: number, silent: readonly number[] = []): Promise<void> => {
    for (let second = 0; second < seconds; second++) {
      for (const slot of farm.slots) {
        const card = cards.opened.find((each) => each.job !== null && each.job === cardJob(slot.index))
        if (card !== undefined && !silent.includes(slot.index)) card.hashes += 1_000n
      }
      clock.advance(1_000)
      farm.care.tick()
      await settle()
    }
  }
  const cardJob = (index: number): DeviceJob | null => {
    const start = farm.slots[index]?.segment?.start
    return cards.opened.map(({ job }) => job).find((job) => job?.segment.start === start) ?? null
  }
  return { farm, clock, engine, shares, pass }
}

const states = (farm: Farm) => farm.slots.map(({ state }) => state)
const reasons = (farm: Farm) => farm.slots.map(({ pauseReasons }) => pauseReasons.join('; '))

describe('a driver that compiles', () => {
  it('is reported and left alone, before its dataset grows and until its first batch', async () => {
    let built = (): void => undefined
    let grown = (_fraction: number): void => undefined
    const shape = (card: FakeCard): void => {
      card.build = ({ onProgress }) => {
        grown = onProgress
        return new Promise((resolve) => {
          built = resolve
        })
      }
    }
    const cards = new FakeCards(1, shape, null, true)
    const { farm, pass } = await startFarm(cards)
    await pass(300, [0])
    expect(states(farm)).toEqual(['compiling'])
    grown(0.5)
    expect(states(farm)).toEqual(['building'])
    built()
    await settle()
    await pass(300, [0])
    expect(states(farm)).toEqual(['compiling'])
    await pass(1)

    expect(states(farm)).toEqual(['mining'])
    expect([farm.care.restarts(0), cards.opened.length]).toEqual([0, 1])
  })

  it('is waited for when the epoch changes meanwhile, and used again', async () => {
    let end = (): void => undefined
    let builds = 0
    const shape = (card: FakeCard): void => {
      card.build = () =>
        new Promise((resolve) => {
          builds += 1
          if (builds === 1) end = resolve
          else resolve()
        })
    }
    const cards = new FakeCards(1, shape, null, true)
    const { farm, pass } = await startFarm(cards)
    await pass(30, [0])
    farm.setJob(aJob(2, { epoch: 1 }))
    await pass(500, [0])
    expect([cards.opened.length, builds]).toEqual([1, 1])
    end()
    await settle()

    expect([states(farm), cards.opened.length, builds]).toEqual([['compiling'], 1, 2])
    expect(farm.care.restarts(0)).toBe(0)
  })

  it('frees its resources when it is restarted, and again only after it was used', async () => {
    const cards = new FakeCards(1, () => undefined, null, true)
    const { farm, pass } = await startFarm(cards)
    await pass(600, [0])
    await pass(2, [0])

    expect(farm.care.restarts(0)).toBe(1)
    expect(cards.opened.map(({ closed }) => closed)).toEqual([1, 0])
  })
})

it('reports which device the watchdog gave up, and why', async () => {
  const gone: unknown[] = []
  const { pass } = await startFarm(new FakeCards(2), { onGaveUp: (...told) => gone.push(told) })
  await pass(150, [1])

  expect(gone).toEqual([[1, 'no finished batch for 30 s']])
})

describe('a device that hangs', () => {
  it("is closed and opened again, and resumes mining; the others aren't touched", async () => {
    const cards = new FakeCards(2)
    const { farm, pass } = await startFarm(cards)
    await pass(10)
    await pass(35, [0])

    expect(farm.care.restarts(0)).toBe(1)
    expect(cards.opened).toHaveLength(3)
    expect(cards.opened[0]?.closed).toBe(1)
    expect(cards.opened[1]?.closed).toBe(0)
    expect(states(farm)).toEqual(['mining', 'mining'])
  })

  it('is given up if even closing it hangs, and is ignored from then on', async () => {
    const cards = new FakeCards(1, (card) => {
      if (cards.opened.length === 0) card.ending = () => new Promise(() => undefined)
    })
    const { farm, shares, pass } = await startFarm(cards)
    const token = cards.opened[0]?.job?.token ?? 0
    await pass(40, [0])
    expect(cards.opened).toHaveLength(2)
    expect(states(farm)).toEqual(['mining'])

    cards.opened[0]?.sink.solutionFound(token, 5n)
    cards.opened[0]?.sink.failed(new Error('late'))
    await settle()
    expect([shares, farm.care.restarts(0)]).toEqual([[], 1])
  })

  it('is abandoned if its build neither grows nor can be stopped, and closed if it ever ends', async () => {
    let end = (): void => undefined
    const cards = new FakeCards(1, (card) => {
      if (cards.opened.length > 0) return
      card.build = () =>
        new Promise((resolve) => {
          end = resolve
        })
    })
    const { farm, pass } = await startFarm(cards)
    expect(states(farm)).toEqual(['building'])
    await pass(130, [0])

    expect(farm.care.restarts(0)).toBe(1)
    expect(cards.opened).toHaveLength(2)
    expect(states(farm)).toEqual(['mining'])
    end()
    await settle()
    expect(cards.opened[0]?.closed).toBe(1)
  })

  it('never counts hashes twice or loses them over a restart', async () => {
    const cards = new FakeCards(1)
    const { farm, pass } = await startFarm(cards)
    await pass(10)
    const before = farm.slots[0]?.hashCount()
    await pass(31, [0])
    await pass(5)

    expect(before).toBe(10_000n)
    expect(farm.slots[0]?.hashCount()).toBe(15_000n)
  })

  it("that is lost while building is opened again, and deferred if that doesn't help", async () => {
    let losses = 1
    const cards = new FakeCards(1, (card) => {
      card.build = async () => {
        if (losses-- > 0) throw new NativeError('DEVICE_GPU_LOST', { text: 'reset' })
      }
    })
    const { farm, pass } = await startFarm(cards)
    expect(cards.opened.map(({ closed }) => closed)).toEqual([1, 0])
    expect([states(farm), farm.care.restarts(0)]).toEqual([['mining'], 1])

    losses = Number.POSITIVE_INFINITY
    farm.setJob(aJob(2, { epoch: 1 }))
    await pass(1)
    expect(reasons(farm)).toEqual(['Device error'])
    expect(farm.slots[0]?.error).toContain('reset')
    expect(cards.opened).toHaveLength(4)
  })

  it('is disabled after three restarts within an hour, closed, and the reason reported', async () => {
    const cards = new FakeCards(2)
    const { farm, pass } = await startFarm(cards)
    await pass(4 * 31, [0])

    expect(reasons(farm)).toEqual(['Device error', ''])
    expect(farm.slots[0]?.error).toBe('no finished batch for 30 s')
    expect(cards.opened.filter(({ closed }) => closed === 0)).toHaveLength(1)
    farm.restart()
    await settle()
    expect(states(farm)).toEqual(['mining', 'mining'])
  })
})

describe('a dataset', () => {
  it('is rebuilt once if it is wrong', async () => {
    const cards = new FakeCards(1, (card) => {
      card.items = (indices) =>
        card.prepared.length === 1 ? goodItems(indices).fill(1, 63 * 64 + 5) : goodItems(indices)
    })
    const { farm } = await startFarm(cards)

    expect(cards.opened[0]?.prepared).toEqual([0, 0])
    expect(states(farm)).toEqual(['mining'])
  })

  it('that is wrong twice pauses its device until the next epoch, while others mine', async () => {
    const cards = new FakeCards(2, (card, position) => {
      if (position === 0)
        card.items = (indices) => goodItems(indices).map((byte) => (card.prepared[0] === 0 ? ~byte : byte))
    })
    const { farm } = await startFarm(cards)

    expect(reasons(farm)).toEqual(['Epoch initialization error', ''])
    expect(farm.slots[0]?.error).toContain('the DAG of epoch 0 is wrong at item')
    farm.setJob(aJob(2, { epoch: 1 }))
    await settle()
    expect(farm.slots[0]?.error).toContain('the DAG of epoch 1') // the card's first dataset was of epoch 0: still wrong
  })

  it("that doesn't fit isn't started: dataset, cache and 64 MiB are needed", async () => {
    const small = new FakeCards(1, undefined, 64 * MIB + 32_768 + 1_023)
    const fits = new FakeCards(1, undefined, 64 * MIB + 32_768 + 1_024)
    const poor = await startFarm(small)
    const rich = await startFarm(fits)

    expect(reasons(poor.farm)).toEqual(['Insufficient GPU memory'])
    expect(small.opened[0]?.prepared).toEqual([])
    expect(reasons(rich.farm)).toEqual([''])
  })

  it.each([
    [64 * MIB + 32_768 + 1_024, [1]],
    [MIB, []],
  ])('of the next epoch: its cache is built ahead only if a device could hold it (%i bytes)', async (bytes, ahead) => {
    const { farm, engine } = await startFarm(new FakeCards(1, undefined, bytes))
    farm.setJob(aJob(2, { height: 719 }))

    expect(engine.prepared).toEqual(ahead)
  })

  it('is built on one device after another if requested, and a failure starts the next', async () => {
    const ends: ((error?: Error) => void)[] = []
    const cards = new FakeCards(3, (card) => {
      card.build = () =>
        new Promise((resolve, reject) => {
          ends.push((error) => (error === undefined ? resolve() : reject(error)))
        })
    })
    const { farm, pass } = await startFarm(cards, { sequentialBuilds: true })
    expect([states(farm), ends.length]).toEqual([['building', 'starting', 'starting'], 1])

    await pass(100) // waiting for one's turn isn't a fault
    ends[0]?.(new Error('driver'))
    await settle()
    expect(states(farm)).toEqual(['error', 'building', 'starting'])
    ends[1]?.()
    await settle()
    ends[2]?.()
    await settle()
    expect(states(farm)).toEqual(['error', 'mining', 'mining'])
    expect(farm.slots.map(({ index }) => farm.care.restarts(index))).toEqual([0, 0, 0])
  })
})

it("counts a solution that can't be checked as lost, with the reason", async () => {
  const cards = new FakeCards(1)
  const { farm, engine, shares } = await startFarm(cards)
  const settled: SettledShare[] = []
  farm.events.on('shareSettled', (share) => settled.push(share))
  engine.hashLight = async () => {
    throw new Error('no memory for the cache')
  }
  const card = cards.opened[0]
  card?.sink.solutionFound(card.job?.token ?? 0, 5n)
  await settle()

  expect(settled).toMatchObject([{ outcome: 'lost', reason: 'not checked: no memory for the cache' }])
  expect(shares).toEqual([])
})

describe('without checks (--noeval)', () => {
  const hash = { mixDigest: new Uint8Array(32).fill(9), result: new Uint8Array(32) }

  it.each([
    [true, 100],
    [false, 101],
  ])('a device is trusted after a hundred correct ones in a row: %s', async (noEval, checks) => {
    const cards = new FakeCards(1)
    const { engine, shares } = await startFarm(cards, { noEval })
    let asked = 0
    const light = engine.hashLight.bind(engine)
    engine.hashLight = async (...input) => {
      asked += 1
      return light(...input)
    }
    const card = cards.opened[0]
    for (let nonce = 0n; nonce < 101n; nonce++) {
      card?.sink.solutionFound(card.job?.token ?? 0, nonce, hash)
      if (nonce % 20n === 0n) await settle()
    }
    for (let turn = 0; turn < 20; turn++) await settle()

    expect(asked).toBe(checks)
    expect(shares).toHaveLength(101)
    expect(shares.at(-1)?.mixDigest[0]).toBe(noEval ? 9 : 7)
  })

  it('a device that returns no hash is still checked', async () => {
    const cards = new FakeCards(1)
    const { shares } = await startFarm(cards, { noEval: true })
    const card = cards.opened[0]
    for (let nonce = 0n; nonce < 102n; nonce++) {
      card?.sink.solutionFound(card.job?.token ?? 0, nonce)
      if (nonce % 20n === 0n) await settle()
    }
    for (let turn = 0; turn < 20; turn++) await settle()

    expect(shares.at(-1)?.mixDigest[0]).toBe(7)
  })
})
