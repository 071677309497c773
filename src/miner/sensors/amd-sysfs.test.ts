import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AmdSysfs, shortPci } from './amd-sysfs'

let root = ''
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'headframe-drm-'))
})
afterEach(() => rm(root, { recursive: true, force: true }))

const FULL = {
  temp1_label: 'edge',
  temp1_input: '61000',
  temp2_label: 'junction',
  temp2_input: '78500',
  temp3_label: 'mem',
  temp3_input: '84000',
  pwm1: '102',
  pwm1_max: '255',
  power1_average: '131000000',
  power1_cap: '220000000',
  freq1_input: '1850000000',
  freq2_input: '1000000000',
}

async function card(name: string, slot: string, files: Readonly<Record<string, string>>, vendor = '0x1002') {
  const device = join(root, name, 'device')
  const hwmon = join(device, 'hwmon', 'hwmon3')
  await mkdir(hwmon, { recursive: true })
  await writeFile(join(device, 'vendor'), `${vendor}\n`)
  await writeFile(join(device, 'uevent'), `DRIVER=amdgpu\nPCI_CLASS=30000\nPCI_SLOT_NAME=${slot}\n`)
  for (const [file, text] of Object.entries(files)) await writeFile(join(hwmon, file), `${text}\n`)
  return hwmon
}

describe('sensors of an AMD card', () => {
  it('are read in degrees, watts, percent and MHz', async () => {
    await card('card0', '0000:03:00.0', FULL)

    expect(await new AmdSysfs('03:00.0', root).read()).toEqual({
      temperature: { core: 61, hotspot: 78.5, memory: 84 },
      fanPercent: 40,
      powerWatts: 131,
      powerLimitWatts: 220,
      clockMhz: { core: 1_850, memory: 1_000 },
    })
  })

  it('are those of the right card, whatever its number', async () => {
    await card('card0', '0000:03:00.0', FULL)
    await card('card1', '0000:04:00.0', { temp1_input: '40000' })
    await card('card2', '0001:04:00.0', { temp1_input: '45000' })
    await card('card3', '0000:05:00.0', FULL, '0x10de')

    const core = async (pci: string) => (await new AmdSysfs(pci, root).read()).temperature.core
    expect([await core('04:00.0'), await core('0001:04:00.0')]).toEqual([40, 45])
    await expect(core('05:00.0')).rejects.toThrow('no AMD card with sensors at 05:00.0')
    await expect(core('09:00.0')).rejects.toThrow('09:00.0')
  })

  it("are individually unknown if a driver doesn't report them, and a fan at rest is 0", async () => {
    const { temp3_input: _, power1_average: __, pwm1: ___, ...fewer } = FULL
    await card('card0', '0000:03:00.0', { ...fewer, fan1_input: '0', fan1_max: '3300', power1_input: '9000000' })

    const reading = await new AmdSysfs('03:00.0', root).read()
    expect(reading).toMatchObject({ temperature: { core: 61, memory: null }, fanPercent: 0, powerWatts: 9 })
  })

  it.each([
    ['text', 'N/A'],
    ['nothing', ''],
  ])('are unknown with %s in a file', async (_, text) => {
    await card('card0', '0000:03:00.0', { ...FULL, temp1_input: text })

    const { temperature } = await new AmdSysfs('03:00.0', root).read()
    expect(temperature).toEqual({ core: null, hotspot: 78.5, memory: 84 })
  })

  it('are lost with the GPU and found again with it', async () => {
    const hwmon = await card('card0', '0000:03:00.0', FULL)
    const sensors = new AmdSysfs('03:00.0', root)
    await sensors.read()
    await rm(join(root, 'card0'), { recursive: true })
    await expect(sensors.read()).rejects.toThrow()
    await card('card1', '0000:03:00.0', { temp1_input: '30000' })
    expect((await sensors.read()).temperature.core).toBe(30)
    await unlink(join(hwmon.replace('card0', 'card1'), 'temp1_input'))
    expect((await sensors.read()).temperature.core).toBeNull()
  })
})

it('writes PCI addresses as the mining API does', () => {
  expect(['0000:0A:00.0', '00000000:01:00.0', '0001:01:00.0', '01:00.0'].map(shortPci)).toEqual([
    '0a:00.0',
    '01:00.0',
    '0001:01:00.0',
    '01:00.0',
  ])
})
