// NVIDIA's sensors with our own library, which reports what we want: the real addon, a real dynamic library.
import { spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { GpuSensors } from '../../src/miner/sensors/gpu-sensors'
import { SensorSampler } from '../../src/miner/sensors/sampler'
import { NvmlCard } from '../../src/miner/tuning/card-finder'
import { loadAddon } from '../../src/native/loader'
import { openNvml } from '../../src/native/nvml'
import { until } from './pool-harness'

const searchFrom = fileURLToPath(new URL('.', import.meta.url))
const source = fileURLToPath(new URL('../../native/test/fake-nvml/fake_nvml.c', import.meta.url))
const compiler = ['cc', 'gcc', 'clang'].find((name) => spawnSync(name, ['--version']).status === 0)
const canRun = compiler !== undefined && process.platform !== 'win32' && 'addon' in loadAddon({ searchFrom })

let folder = ''
let library = ''
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-nvml-'))
  library = join(folder, 'libfake-nvml.so')
  if (!canRun || compiler === undefined) return
  const built = spawnSync(compiler, ['-shared', '-fPIC', '-Wall', '-o', library, source], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
})
afterAll(() => rm(folder, { recursive: true, force: true }))
afterEach(() => {
  for (const name of ['INIT', 'STATE', 'RIGHTS']) delete process.env[`FAKE_NVML_${name}`]
})

const open = () => openNvml({ searchFrom, library })
const sensors = () => new GpuSensors({ openNvml: open, drmDir: join(folder, 'drm'), log: silentLogger })

describe.skipIf(!canRun)("sensors by NVIDIA's library (skipped without a C compiler or the addon)", () => {
  it('are read by PCI address, with a fan at rest distinct from an unknown one', async () => {
    expect(await sensors().of('01:00.0').read()).toEqual({
      temperature: { core: 63, hotspot: null, memory: 88 },
      fanPercent: 0,
      powerWatts: 115.25,
      powerLimitWatts: 130,
      clockMhz: { core: 1_410, memory: 7_501 },
    })
  })

  it("are individually unknown if the GPU doesn't report them", async () => {
    expect(await sensors().of('02:00.0').read()).toEqual({
      temperature: { core: 41, hotspot: null, memory: null },
      fanPercent: null,
      powerWatts: null,
      powerLimitWatts: null,
      clockMhz: { core: null, memory: null },
    })
  })

  it('report a lost or unknown card', async () => {
    await expect(sensors().of('0001:03:00.0').read()).rejects.toThrow('GPU is lost')
    await expect(sensors().of('09:00.0').read()).rejects.toThrow('Not Found')
  })

  it("leave AMD's cards to sysfs", async () => {
    const hwmon = join(folder, 'drm', 'card0', 'device', 'hwmon', 'hwmon0')
    await mkdir(hwmon, { recursive: true })
    await writeFile(join(folder, 'drm', 'card0', 'device', 'vendor'), '0x1002\n')
    await writeFile(join(folder, 'drm', 'card0', 'device', 'uevent'), 'PCI_SLOT_NAME=0000:07:00.0\n')
    await writeFile(join(hwmon, 'temp1_input'), '52000\n')

    expect((await sensors().of('07:00.0').read()).temperature.core).toBe(52)
  })

  it('are missing, with the reason, without driver or library', async () => {
    process.env.FAKE_NVML_INIT = '9'
    await expect(open()).rejects.toThrow('Driver Not Loaded')
    await expect(openNvml({ searchFrom, library: '/nonexistent/libnvml.so' })).rejects.toThrow('/nonexistent')
    await writeFile(join(folder, 'text.so'), 'no library')
    await expect(openNvml({ searchFrom, library: join(folder, 'text.so') })).rejects.toThrow('text.so')
  })

  it('come with knobs, their ranges, and setting and resetting each', async () => {
    const state = join(folder, 'card-state')
    process.env.FAKE_NVML_STATE = state
    const card = new NvmlCard('01:00.0', await open(), null)
    expect([await card.identity(), await card.knobs()]).toEqual([
      'GPU-fake-1',
      {
        power: { least: 70, most: 150, now: 130, usual: 140, allowed: null },
        memoryClock: { least: 405, most: 7501, now: null, usual: null, allowed: null },
        coreClock: { least: 210, most: 2100, now: null, usual: null, allowed: null },
        fan: { least: 30, most: 100, now: null, usual: null, allowed: null },
      },
    ])

    for (const [knob, value] of [
      ['power', 90],
      ['coreClock', 1410],
      ['memoryClock', 7501],
      ['fan', 75],
    ] as const)
      await card.set(knob, value)
    expect(await readFile(state, 'utf8')).toBe('90 1410 7501 75\n')
    expect([(await card.knobs()).fan?.now, (await card.knobs()).power?.now]).toEqual([75, 90])
    for (const knob of ['power', 'coreClock', 'memoryClock', 'fan'] as const) await card.set(knob, null)
    expect(await readFile(state, 'utf8')).toBe('140 -1 -1 -1\n')
  })

  it("can't be set without rights, on a card without knobs, or out of range, and say so", async () => {
    process.env.FAKE_NVML_STATE = join(folder, 'card-state')
    const nvml = await open()
    await expect(nvml.set('01:00.0', 'power', 300)).rejects.toThrow('Invalid Argument')
    await expect(nvml.set('02:00.0', 'coreClock', 1410)).rejects.toThrow('Not Supported')
    expect(await new NvmlCard('02:00.0', nvml, true).knobs()).toEqual({})
    process.env.FAKE_NVML_RIGHTS = '0'
    const card = new NvmlCard('01:00.0', nvml, false)
    await expect(card.set('power', 100)).rejects.toThrow('Insufficient Permissions')
    expect(card.commands({ power: 100, coreClock: null, memoryClock: 7501, fan: 60 })).toEqual([
      'sudo nvidia-smi -i 00000000:01:00.0 -pl 100',
      'sudo nvidia-smi -i 00000000:01:00.0 -lmc 7501,7501',
      'sudo nvidia-smi -i 00000000:01:00.0 -rgc',
      'sudo headframe tune set 01:00.0 fan=60',
    ])
  })

  it('of a card whose driver hangs delay nobody', async () => {
    const found = sensors()
    const sampler = new SensorSampler({ clock: systemClock(), log: silentLogger })
    sampler.start([found.of('04:00.0'), found.of('01:00.0')])
    await until('the healthy card', () => sampler.reading(1).temperature.core === 63, 900)

    expect(sampler.reading(0).temperature.core).toBeNull()
    sampler.stop()
  })
})
