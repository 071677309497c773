// writes.
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { SysfsWrite } from '../amd-controls'

const USUAL = { power: '220000000', core: 1801, memory: 1000, pwm: '102' }

interface FakeCardState {
  /** watts */
  readonly power: number
  readonly level: string
  /** MHz */
  readonly core: number
  readonly memory: number
  /** 1 manual, 2 automatic */
  readonly fanMode: string
}

export class FakeAmdCard {
  /** `/sys/class/drm` */
  readonly root: string
  readonly #device: string
  readonly #hwmon: string

  constructor(
    root: string,
    readonly pci = '03:00.0',
  ) {
    this.root = root
    this.#device = join(root, 'card0', 'device')
    this.#hwmon = join(this.#device, 'hwmon', 'hwmon2')
  }

  /** As after a reboot. @param identity of the GPU in the slot */
  async plugIn(identity = 'a1b2'): Promise<void> {
    await mkdir(this.#hwmon, { recursive: true })
    const files: Readonly<Record<string, string>> = {
      vendor: '0x1002',
      device: '0x73bf',
      unique_id: identity,
      uevent: `PCI_SLOT_NAME=0000:${this.pci}`,
      power_dpm_force_performance_level: 'auto',
      pp_od_clk_voltage: tableOf(USUAL),
    }
    const sensors: Readonly<Record<string, string>> = {
      power1_cap: USUAL.power,
      power1_cap_min: '100000000',
      power1_cap_max: '250000000',
      power1_cap_default: USUAL.power,
      pwm1: USUAL.pwm,
      pwm1_max: '255',
      pwm1_enable: '2',
    }
    for (const [name, text] of Object.entries(files)) await writeFile(join(this.#device, name), `${text}\n`)
    for (const [name, text] of Object.entries(sensors)) await writeFile(join(this.#hwmon, name), `${text}\n`)
  }

  /** The driver: accepts known writes, atomically like the kernel, and rejects the rest. */
  readonly write: SysfsWrite = async (path, text) => {
    if (basename(path) !== 'pp_od_clk_voltage') return put(path, text)
    const staged = join(this.#device, 'staged')
    const [letter = '', level = '', mhz = ''] = text.split(' ')
    if (text === 'r') return put(staged, JSON.stringify({ core: USUAL.core, memory: USUAL.memory }))
    const now = await this.#staged(staged)
    if (text === 'c') return put(path, tableOf(now))
    if (level !== '1' || !/^\d+$/.test(mhz)) throw new Error('EINVAL: invalid argument, write')
    await put(staged, JSON.stringify({ ...now, [letter === 's' ? 'core' : 'memory']: Number(mhz) }))
  }

  async state(): Promise<FakeCardState> {
    const device = async (name: string): Promise<string> => (await readFile(join(this.#device, name), 'utf8')).trim()
    const hwmon = async (name: string): Promise<string> => (await readFile(join(this.#hwmon, name), 'utf8')).trim()
    return {
      power: Number(await hwmon('power1_cap')) / 1e6,
      level: await device('power_dpm_force_performance_level'),
      ...clocksOf(await device('pp_od_clk_voltage')),
      fanMode: await hwmon('pwm1_enable'),
    }
  }

  async #staged(file: string): Promise<{ readonly core: number; readonly memory: number }> {
    try {
      return JSON.parse(await readFile(file, 'utf8'))
    } catch {
      return { core: USUAL.core, memory: USUAL.memory }
    }
  }
}

export const UNTOUCHED: FakeCardState = { power: 220, level: 'auto', core: 1801, memory: 1000, fanMode: '2' }

async function put(path: string, text: string): Promise<void> {
  await writeFile(`${path}.new`, `${text}\n`)
  await rename(`${path}.new`, path)
}

function tableOf({ core, memory }: { readonly core: number; readonly memory: number }): string {
  const levels = `OD_SCLK:\n0: 500Mhz\n1: ${core}Mhz\nOD_MCLK:\n0: 97Mhz\n1: ${memory}MHz`
  return `${levels}\nOD_RANGE:\nSCLK:     500Mhz       2150Mhz\nMCLK:     674Mhz        1200Mhz`
}

function clocksOf(table: string): { readonly core: number; readonly memory: number } {
  const [core, memory] = [...table.matchAll(/^1: (\d+)/gm)].map(([, mhz]) => Number(mhz))
  return { core: core ?? 0, memory: memory ?? 0 }
}
