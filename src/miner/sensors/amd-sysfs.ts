// Sensors of AMD GPUs from Linux's sysfs, which needs no library or privileges.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_READING, type SensorReading, type SensorSource } from './reading'

const AMD = '0x1002'
const MILLI = 1_000
const MICRO = 1_000_000
const PLACES = { edge: 'core', junction: 'hotspot', mem: 'memory' } as const
/** Meaning of the sensor's number in drivers without labels. */
const UNLABELLED = ['edge', 'junction', 'mem'] as const

/** Sensors of one AMD GPU. */
export class AmdSysfs implements SensorSource {
  /** the GPU's hwmon folder, once known */
  #folder: string | null = null

  /** @param pci `01:00.0`, or with its domain; @param root `/sys/class/drm` outside tests */
  constructor(
    private readonly pci: string,
    private readonly root: string,
  ) {}

  /** @throws when the GPU is gone */
  async read(): Promise<SensorReading> {
    this.#folder ??= (await findAmdCard(this.pci, this.root))?.hwmon ?? null
    if (this.#folder === null) throw new Error(`no AMD card with sensors at ${this.pci}`)
    try {
      return await readCard(this.#folder)
    } catch (error: unknown) {
      this.#folder = null // drivers come and go: search again next time
      throw error
    }
  }
}

/** The sysfs folders of an AMD GPU: its own, and its hwmon folder. */
export interface AmdCardFolders {
  readonly device: string
  readonly hwmon: string
}

/** @param pci `01:00.0`, or with its domain @param root `/sys/class/drm` outside tests @returns null: no AMD GPU */
export async function findAmdCard(pci: string, root: string): Promise<AmdCardFolders | null> {
  const cards = (await listOrNone(root)).filter((name) => /^card\d+$/.test(name))
  for (const card of cards) {
    const device = join(root, card, 'device')
    if ((await textOrNull(join(device, 'vendor'))) !== AMD) continue
    const slot = /^PCI_SLOT_NAME=(.+)$/m.exec((await textOrNull(join(device, 'uevent'))) ?? '')?.[1]
    if (slot === undefined || shortPci(slot) !== shortPci(pci)) continue
    const hwmon = (await listOrNone(join(device, 'hwmon')))[0]
    return hwmon === undefined ? null : { device, hwmon: join(device, 'hwmon', hwmon) }
  }
  return null
}

/** In the mining API's form: the domain only when it isn't 0. Lower case. */
export function shortPci(address: string): string {
  return address.toLowerCase().replace(/^0+:(?=[0-9a-f]{2}:)/, '')
}

async function readCard(folder: string): Promise<SensorReading> {
  const files = await readdir(folder)
  const number = async (file: string): Promise<number | null> =>
    files.includes(file) ? numberOrNull(join(folder, file)) : null
  const scaled = async (file: string, unit: number): Promise<number | null> => {
    const value = await number(file)
    return value === null ? null : value / unit
  }
  return {
    temperature: await temperaturesOf(folder, files),
    fanPercent: (await part(number, 'pwm1', 'pwm1_max', 255)) ?? (await part(number, 'fan1_input', 'fan1_max', null)),
    powerWatts: (await scaled('power1_average', MICRO)) ?? (await scaled('power1_input', MICRO)),
    powerLimitWatts: await scaled('power1_cap', MICRO),
    clockMhz: { core: await scaled('freq1_input', MICRO), memory: await scaled('freq2_input', MICRO) },
  }
}

async function temperaturesOf(folder: string, files: readonly string[]): Promise<SensorReading['temperature']> {
  const found: { -readonly [Place in keyof SensorReading['temperature']]: number | null } = {
    ...NO_READING.temperature,
  }
  for (const [position, meaning] of UNLABELLED.entries()) {
    const stem = `temp${position + 1}`
    if (!files.includes(`${stem}_input`)) continue
    const label = files.includes(`${stem}_label`) ? await textOrNull(join(folder, `${stem}_label`)) : meaning
    const place = label === 'edge' || label === 'junction' || label === 'mem' ? PLACES[label] : null
    const milli = await numberOrNull(join(folder, `${stem}_input`))
    if (place !== null && milli !== null) found[place] = milli / MILLI
  }
  return found
}

/** Percent of the maximum; null when either is unknown. */
async function part(
  number: (file: string) => Promise<number | null>,
  file: string,
  maxFile: string,
  usualMost: number | null,
): Promise<number | null> {
  const value = await number(file)
  const most = (await number(maxFile)) ?? usualMost
  return value === null || most === null || most <= 0 ? null : Math.round((100 * value) / most)
}

/** An integer; null when the file has none. */
export async function numberOrNull(path: string): Promise<number | null> {
  const text = await textOrNull(path)
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null
}

/** Sorted; empty when there is no such folder. */
export async function listOrNone(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch {
    return [] // not Linux, or no such driver
  }
}

/** Trimmed; null for a missing or unreadable file. */
export async function textOrNull(path: string): Promise<string | null> {
  try {
    return (await readFile(path, 'utf8')).trim()
  } catch {
    return null // sensors vanish with their driver, and some return an error while the GPU sleeps
  }
}
