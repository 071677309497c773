import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { CpuHwmon } from './cpu-hwmon'
import { NO_READING, type SensorReading } from './reading'
import { SensorSampler } from './sampler'

describe('the CPU temperature', () => {
  let root = ''
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'headframe-hwmon-'))
  })
  afterEach(async () => {
    await rm(root, { recursive: true, force: true })
  })

  async function driver(folder: string, files: Readonly<Record<string, string>>): Promise<void> {
    await mkdir(join(root, folder))
    for (const [name, text] of Object.entries(files)) await writeFile(join(root, folder, name), `${text}\n`)
  }

  const core = async (): Promise<number | null> => (await new CpuHwmon(root).read()).temperature.core

  it("is coretemp's package, whatever its number", async () => {
    await driver('hwmon0', { name: 'nvme', temp1_input: '33000' })
    await driver('hwmon1', {
      name: 'coretemp',
      temp1_label: 'Core 0',
      temp1_input: '51000',
      temp2_label: 'Package id 0',
      temp2_input: '57500',
    })

    expect(await core()).toBe(57.5)
  })

  it('is Tdie of k10temp rather than Tctl, which may have an offset', async () => {
    await driver('hwmon0', {
      name: 'k10temp',
      temp1_label: 'Tctl',
      temp1_input: '90000',
      temp2_label: 'Tdie',
      temp2_input: '63000',
    })

    expect(await core()).toBe(63)
  })

  it('is the first input of a driver without labels', async () => {
    await driver('hwmon0', { name: 'k10temp', temp1_input: '40125' })

    expect(await core()).toBe(40.125)
  })

  it.each([
    ['no tree', {}],
    ['no such driver', { name: 'acpitz', temp1_input: '40000' }],
    ['no number', { name: 'coretemp', temp1_input: 'N/A' }],
    ['no input', { name: 'coretemp' }],
  ])('is unknown with %s', async (_, files) => {
    if (Object.keys(files).length > 0) await driver('hwmon0', files)

    expect(await core()).toBeNull()
  })

  it('becomes unknown when the driver goes, and comes back with it', async () => {
    await driver('hwmon0', { name: 'coretemp', temp1_input: '40000' })
    const sensor = new CpuHwmon(root)
    expect((await sensor.read()).temperature.core).toBe(40)

    await unlink(join(root, 'hwmon0', 'temp1_input'))
    expect((await sensor.read()).temperature.core).toBeNull()
    await writeFile(join(root, 'hwmon0', 'temp1_input'), '41000\n')

    expect((await sensor.read()).temperature.core).toBe(41)
  })
})

describe('the sampler', () => {
  const warm = (core: number): SensorReading => ({ ...NO_READING, temperature: { core, hotspot: null, memory: null } })
  const settle = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

  it('reads every second and not after stop', async () => {
    const clock = new FakeClock()
    const sampler = new SensorSampler({ clock, log: silentLogger })
    let reads = 0
    sampler.start([{ read: async () => warm(++reads) }])
    await settle()
    expect(sampler.reading(0).temperature.core).toBe(1)

    clock.advance(1_000)
    await settle()
    expect(sampler.reading(0).temperature.core).toBe(2)
    sampler.stop()
    clock.advance(60_000)

    expect(reads).toBe(2)
    expect(clock.pending).toBe(0)
  })

  it.each([
    ['0', { core: null, watts: null }],
    ['1', { core: 50, watts: null }],
    ['2', { core: 50, watts: 120 }],
  ] as const)('shows at level %s what the user wants to know', async (level, told) => {
    const clock = new FakeClock()
    const sampler = new SensorSampler({ clock, log: silentLogger, level })
    sampler.start([{ read: async () => ({ ...warm(50), powerWatts: 120 }) }])
    await settle()

    const { temperature, powerWatts } = sampler.reading(0)
    expect({ core: temperature.core, watts: powerWatts }).toEqual(told)
    sampler.stop()
  })

  it.each<[string, Partial<SensorReading>, Partial<SensorReading>]>([
    [
      '511 °C',
      { temperature: { core: 511, hotspot: Number.NaN, memory: 80 } },
      { temperature: { core: null, hotspot: null, memory: 80 } },
    ],
    ['a negative power', { powerWatts: -3 }, { powerWatts: null }],
    ['65,535 W', { powerWatts: 65_535, powerLimitWatts: 200 }, { powerWatts: null, powerLimitWatts: 200 }],
    ['no number', { powerWatts: Number.NaN, fanPercent: Number.POSITIVE_INFINITY }, {}],
    ['a fan that runs backwards', { fanPercent: -1 }, {}],
    ['a fan at rest', { fanPercent: 0 }, { fanPercent: 0 }],
  ])('takes %s for no reading where no device can have it', async (_, told, shown) => {
    const clock = new FakeClock()
    const sampler = new SensorSampler({ clock, log: silentLogger })
    sampler.start([{ read: async () => ({ ...NO_READING, ...told }) }])
    await settle()

    expect(sampler.reading(0)).toEqual({ ...NO_READING, ...shown })
    sampler.stop()
  })

  it('says once that sensors are lost, also of a driver that hangs from the start', async () => {
    const clock = new FakeClock()
    const lost: unknown[] = []
    const log = { ...silentLogger, warn: (_: string, fields?: object) => lost.push(fields) }
    const sampler = new SensorSampler({ clock, log })
    sampler.start([
      { read: () => new Promise<SensorReading>(() => undefined) },
      { read: () => Promise.reject(new Error('gone')) },
    ])
    for (let i = 0; i < 300; i++) {
      clock.advance(1_000)
      await settle()
    }
    expect(lost).toEqual([expect.objectContaining({ device: 0 }), expect.objectContaining({ device: 1 })])
    sampler.stop()
  })

  it('passes on each fresh sample, including those of later devices, and none while a read hangs', async () => {
    const clock = new FakeClock()
    const seen: number[] = []
    const sampler = new SensorSampler({ clock, log: silentLogger, onReading: (device) => seen.push(device) })
    sampler.start([{ read: async () => warm(50) }, { read: () => new Promise<SensorReading>(() => undefined) }])
    await settle()
    sampler.add(2, { read: async () => warm(60) })
    clock.advance(1_000)
    await settle()

    expect(seen).toEqual([0, 0, 2])
    sampler.stop()
  })

  it('keeps the last value over one failure, and reports none after three', async () => {
    const clock = new FakeClock()
    const sampler = new SensorSampler({ clock, log: silentLogger })
    let failing = false
    sampler.start([
      {
        read: async () => {
          if (failing) throw new Error('gone')
          return warm(50)
        },
      },
    ])
    await settle()
    failing = true

    clock.advance(1_000)
    await settle()
    expect(sampler.reading(0).temperature.core).toBe(50)
    for (let i = 0; i < 2; i++) {
      clock.advance(1_000)
      await settle()
    }
    expect(sampler.reading(0)).toEqual(NO_READING)
    failing = false
    clock.advance(30_000)
    await settle()

    expect(sampler.reading(0).temperature.core).toBe(50)
    sampler.stop()
  })

  it("isn't delayed by a source that hangs, and doesn't query it twice at a time", async () => {
    const clock = new FakeClock()
    const sampler = new SensorSampler({ clock, log: silentLogger })
    let asked = 0
    const hanging = {
      read: () => {
        asked += 1
        return new Promise<SensorReading>(() => undefined)
      },
    }
    let value = 0
    sampler.start([null, hanging, { read: async () => warm(++value) }])
    await settle()

    for (let i = 0; i < 4; i++) {
      clock.advance(1_000)
      await settle()
    }

    expect(sampler.reading(0)).toEqual(NO_READING)
    expect(sampler.reading(1)).toEqual(NO_READING)
    expect(sampler.reading(2).temperature.core).toBe(5)
    expect(asked).toBe(1)
    sampler.stop()
  })
})
