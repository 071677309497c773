// Settings of AMD GPUs on Linux, through amdgpu's files in /sys: power1_cap (microwatts), pwm1 with pwm1_enable (1
// manual, 2 automatic), and pp_od_clk_voltage (clocks in MHz; exists when overdrive is enabled for the kernel module).
// Clocks can be set when the table has one line per level without voltages, Vega 20 and later.
import { constants } from 'node:fs'
import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type AmdCardFolders, findAmdCard, numberOrNull, textOrNull } from '../sensors/amd-sysfs'
import {
  type CardControls,
  type CardKnobs,
  type CardSettings,
  type Knob,
  type KnobRange,
  knobsOf,
} from './card-controls'

const MICRO = 1_000_000
const FAN_BY_HAND = '1'
const FAN_AUTOMATIC = '2'
const USUAL_PWM_MOST = 255
const CLOCKS = {
  coreClock: { table: 'OD_SCLK', range: 'SCLK', letter: 's' },
  memoryClock: { table: 'OD_MCLK', range: 'MCLK', letter: 'm' },
} as const
type ClockKnob = keyof typeof CLOCKS

/** Writes one line to one of the driver's files. */
export type SysfsWrite = (path: string, text: string) => Promise<void>

interface AmdCardDeps {
  /** `/sys/class/drm` outside tests */
  readonly root: string
  /** default: as is */
  readonly write?: SysfsWrite
}

interface FileWrite {
  readonly path: string
  readonly text: string
}

/** The knobs of one AMD GPU. */
export class AmdCard implements CardControls {
  readonly #write: SysfsWrite
  #commandFolders: AmdCardFolders | null = null

  constructor(
    readonly pci: string,
    private readonly deps: AmdCardDeps,
  ) {
    this.#write = deps.write ?? ((path, text) => writeFile(path, text))
  }

  /** Older GPUs have no serial number: the model is used instead. */
  async identity(): Promise<string> {
    const { device } = await this.#folders()
    const told = await Promise.all(['device', 'unique_id'].map((name) => textOrNull(join(device, name))))
    return told.filter((text) => text !== null).join(' ')
  }

  async knobs(): Promise<CardKnobs> {
    const folders = await this.#folders()
    const clocks = await clockTable(folders)
    const found = {
      power: await powerRange(folders),
      memoryClock: await clockRange(folders, clocks, 'memoryClock'),
      coreClock: await clockRange(folders, clocks, 'coreClock'),
      fan: await fanRange(folders),
    }
    return Object.fromEntries(Object.entries(found).filter(([, range]) => range !== null))
  }

  async set(knob: Knob, value: number | null): Promise<void> {
    const folders = await this.#folders()
    if (knob === 'coreClock' || knob === 'memoryClock') {
      await (value === null ? this.#giveClockBack(folders, knob) : this.#writeAll(clockWrites(folders, knob, value)))
    } else if (knob === 'power') {
      await this.#writeAll(powerWrites(folders, value ?? (await powerRange(folders))?.usual ?? null))
    } else {
      await this.#writeAll(fanWrites(folders, value, await pwmMost(folders)))
    }
  }

  /** Only for a GPU whose knobs were read before: its folder is known then. */
  commands(settings: CardSettings): readonly string[] {
    const folders = this.#commandFolders
    if (folders === null) return []
    const writes = knobsOf(settings).flatMap((knob): readonly FileWrite[] => {
      const value = settings[knob] ?? null
      if (knob === 'fan') return fanWrites(folders, value, USUAL_PWM_MOST)
      if (knob !== 'power') return value === null ? clockResets(folders) : clockWrites(folders, knob, value)
      return value === null ? [] : powerWrites(folders, value)
    })
    return writes.map(({ path, text }) => `echo ${text} | sudo tee ${path}`)
  }

  async #folders(): Promise<AmdCardFolders> {
    const found = await findAmdCard(this.pci, this.deps.root)
    if (found === null) throw new Error(`no AMD card with controls at ${this.pci}`)
    this.#commandFolders = found
    return found
  }

  async #writeAll(writes: readonly FileWrite[]): Promise<void> {
    for (const { path, text } of writes) await this.#write(path, text)
  }

  /** The driver can only reset both clocks: the other one is set again if it was set by hand. */
  async #giveClockBack(folders: AmdCardFolders, knob: ClockKnob): Promise<void> {
    const other = knob === 'coreClock' ? 'memoryClock' : 'coreClock'
    const before = (await clockTable(folders))[other]
    await this.#writeAll(clockResets(folders))
    const after = (await clockTable(folders))[other]
    const isByHand = before !== null && after !== null && before.now !== after.now
    if (isByHand) await this.#writeAll(clockWrites(folders, other, before.now))
    else await this.#writeAll([{ path: levelFile(folders), text: 'auto' }])
  }
}

const levelFile = ({ device }: AmdCardFolders): string => join(device, 'power_dpm_force_performance_level')
const clockFile = ({ device }: AmdCardFolders): string => join(device, 'pp_od_clk_voltage')

/** The driver accepts clocks only while its performance level is manual. */
function clockWrites(folders: AmdCardFolders, knob: ClockKnob, mhz: number): readonly FileWrite[] {
  const path = clockFile(folders)
  return [
    { path: levelFile(folders), text: 'manual' },
    { path, text: `${CLOCKS[knob].letter} 1 ${Math.round(mhz)}` },
    { path, text: 'c' },
  ]
}

function clockResets(folders: AmdCardFolders): readonly FileWrite[] {
  const path = clockFile(folders)
  return [
    { path, text: 'r' },
    { path, text: 'c' },
  ]
}

/** @throws when the default limit is requested but not reported */
function powerWrites({ hwmon }: AmdCardFolders, watts: number | null): readonly FileWrite[] {
  if (watts === null) throw new Error('the driver does not tell the usual power limit')
  return [{ path: join(hwmon, 'power1_cap'), text: String(Math.round(watts * MICRO)) }]
}

function fanWrites({ hwmon }: AmdCardFolders, percent: number | null, most: number): readonly FileWrite[] {
  const enable = { path: join(hwmon, 'pwm1_enable'), text: percent === null ? FAN_AUTOMATIC : FAN_BY_HAND }
  if (percent === null) return [enable]
  return [enable, { path: join(hwmon, 'pwm1'), text: String(Math.round((percent * most) / 100)) }]
}

async function powerRange({ hwmon }: AmdCardFolders): Promise<KnobRange | null> {
  const file = (name: string): string => join(hwmon, name)
  const most = await numberOrNull(file('power1_cap_max'))
  const now = await numberOrNull(file('power1_cap'))
  if (most === null || now === null) return null
  const least = (await numberOrNull(file('power1_cap_min'))) ?? 0
  const usual = await numberOrNull(file('power1_cap_default'))
  return {
    least: least / MICRO,
    most: most / MICRO,
    now: now / MICRO,
    usual: usual === null ? null : usual / MICRO,
    allowed: await isWritable(file('power1_cap')),
  }
}

async function fanRange(folders: AmdCardFolders): Promise<KnobRange | null> {
  const { hwmon } = folders
  const enable = await textOrNull(join(hwmon, 'pwm1_enable'))
  const now = await numberOrNull(join(hwmon, 'pwm1'))
  if (enable === null || now === null) return null
  const allowed = (await isWritable(join(hwmon, 'pwm1_enable'))) && (await isWritable(join(hwmon, 'pwm1')))
  const percent = (100 * now) / (await pwmMost(folders))
  return { least: 0, most: 100, now: enable === FAN_BY_HAND ? percent : null, usual: null, allowed }
}

async function pwmMost({ hwmon }: AmdCardFolders): Promise<number> {
  return (await numberOrNull(join(hwmon, 'pwm1_max'))) ?? USUAL_PWM_MOST
}

interface ClockEntry {
  readonly now: number
  readonly least: number
  readonly most: number
}

/** Null for a clock that the table lists with voltages, or without a range: not settable here. */
async function clockTable(folders: AmdCardFolders): Promise<Readonly<Record<ClockKnob, ClockEntry | null>>> {
  const text = (await textOrNull(clockFile(folders))) ?? ''
  return { coreClock: clockEntry(text, 'coreClock'), memoryClock: clockEntry(text, 'memoryClock') }
}

function clockEntry(text: string, knob: ClockKnob): ClockEntry | null {
  const { table, range } = CLOCKS[knob]
  const levels = new RegExp(`^${table}:\\s*\\n((?:\\s*\\d+:.*\\n?)+)`, 'm').exec(text)?.[1] ?? ''
  const now = /^\s*1:\s*(\d+)\s*mhz\s*$/im.exec(levels)?.[1]
  const limits = new RegExp(`^${range}:\\s*(\\d+)\\s*mhz\\s+(\\d+)\\s*mhz\\s*$`, 'im').exec(text)
  if (now === undefined || limits === null) return null
  return { now: Number(now), least: Number(limits[1]), most: Number(limits[2]) }
}

async function clockRange(
  folders: AmdCardFolders,
  clocks: Readonly<Record<ClockKnob, ClockEntry | null>>,
  knob: ClockKnob,
): Promise<KnobRange | null> {
  const entry = clocks[knob]
  if (entry === null) return null
  const isByHand = (await textOrNull(levelFile(folders))) === 'manual'
  const allowed = (await isWritable(clockFile(folders))) && (await isWritable(levelFile(folders)))
  return { ...entry, now: isByHand ? entry.now : null, usual: null, allowed }
}

async function isWritable(path: string): Promise<boolean> {
  try {
    await access(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}
