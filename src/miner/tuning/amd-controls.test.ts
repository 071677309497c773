// AMD's knobs through a folder that looks and answers like amdgpu's.
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { AmdCard } from './amd-controls'
import { FakeAmdCard, UNTOUCHED } from './testing/fake-amd-card'

let folder = ''
let fake: FakeAmdCard
let card: AmdCard
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-amd-'))
  fake = new FakeAmdCard(folder)
  await fake.plugIn()
  card = new AmdCard('03:00.0', { root: folder, write: fake.write })
})
afterEach(() => rm(folder, { recursive: true, force: true }))

describe('the knobs of an AMD card', () => {
  it('report range, unit, the current value and whether it may be set', async () => {
    expect(await card.knobs()).toEqual({
      power: { least: 100, most: 250, now: 220, usual: 220, allowed: true },
      coreClock: { least: 500, most: 2150, now: null, usual: null, allowed: true },
      memoryClock: { least: 674, most: 1200, now: null, usual: null, allowed: true },
      fan: { least: 0, most: 100, now: null, usual: null, allowed: true },
    })
    expect(await card.identity()).toBe('0x73bf a1b2')
  })

  it('are set, and reset one by one', async () => {
    await card.set('power', 150)
    await card.set('memoryClock', 1100)
    await card.set('coreClock', 1400)
    await card.set('fan', 60)
    expect(await fake.state()).toEqual({ power: 150, level: 'manual', core: 1400, memory: 1100, fanMode: '1' })
    expect((await card.knobs()).fan?.now).toBe(60)

    await card.set('coreClock', null) // the driver resets both clocks at once
    expect(await fake.state()).toMatchObject({ core: UNTOUCHED.core, memory: 1100, level: 'manual' })
    for (const knob of ['memoryClock', 'fan', 'power'] as const) await card.set(knob, null)
    expect(await fake.state()).toEqual(UNTOUCHED)
  })

  it("omit what the driver doesn't offer: old tables with voltages, or a fan", async () => {
    const device = join(folder, 'card0', 'device')
    await writeFile(
      join(device, 'pp_od_clk_voltage'),
      'OD_SCLK:\n0: 300MHz 750mV\n1: 1366MHz 1150mV\nOD_RANGE:\nSCLK: 300MHz 2000MHz\n',
    )
    await rm(join(device, 'hwmon', 'hwmon2', 'pwm1_enable'))
    expect(Object.keys(await card.knobs())).toEqual(['power'])
  })

  it('come with the command for a user with rights', async () => {
    await card.knobs()
    expect(card.commands({ power: 150, fan: null, coreClock: 1400 })).toEqual([
      `echo 150000000 | sudo tee ${folder}/card0/device/hwmon/hwmon2/power1_cap`,
      `echo manual | sudo tee ${folder}/card0/device/power_dpm_force_performance_level`,
      `echo s 1 1400 | sudo tee ${folder}/card0/device/pp_od_clk_voltage`,
      `echo c | sudo tee ${folder}/card0/device/pp_od_clk_voltage`,
      `echo 2 | sudo tee ${folder}/card0/device/hwmon/hwmon2/pwm1_enable`,
    ])
  })

  it.skipIf(process.geteuid?.() === 0)('report missing rights (skipped for root)', async () => {
    await chmod(join(folder, 'card0', 'device', 'hwmon', 'hwmon2', 'power1_cap'), 0o444)
    expect((await card.knobs()).power?.allowed).toBe(false)
  })
})
