// The processor's package temperature from Linux' hwmon tree (drivers coretemp and k10temp); elsewhere unknown.
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { NO_READING, type SensorReading, type SensorSource } from './reading'

/** Which label of which driver is the package; the first that exists is taken. */
const DRIVERS: Readonly<Record<string, readonly RegExp[]>> = {
  coretemp: [/^Package id 0$/],
  k10temp: [/^Tdie$/, /^Tctl$/],
}
/** Readings outside are a broken sensor, not a temperature. */
const PLAUSIBLE = { min: -40, max: 150 }

export class CpuHwmon implements SensorSource {
  #input: string | null = null

  /** @param root `/sys/class/hwmon` outside tests */
  constructor(private readonly root: string) {}

  async read(): Promise<SensorReading> {
    this.#input ??= await this.#find()
    if (this.#input === null) return NO_READING
    const core = await readTemperature(this.#input)
    if (core === null) this.#input = null // drivers come and go: look again next time
    return { ...NO_READING, temperature: { core, hotspot: null, memory: null } }
  }

  async #find(): Promise<string | null> {
    for (const folder of await listOrNone(this.root)) {
      const path = join(this.root, folder)
      const labels = DRIVERS[(await textOrNull(join(path, 'name'))) ?? '']
      if (labels !== undefined) return findInput(path, labels)
    }
    return null
  }
}

async function findInput(folder: string, labels: readonly RegExp[]): Promise<string | null> {
  const files = await listOrNone(folder)
  const inputs = files.filter((file) => /^temp\d+_input$/.test(file))
  const named = await Promise.all(
    inputs.map(async (file) => ({ file, label: await textOrNull(join(folder, file.replace('_input', '_label'))) })),
  )
  for (const wanted of labels) {
    const found = named.find(({ label }) => label !== null && wanted.test(label))
    if (found !== undefined) return join(folder, found.file)
  }
  return inputs.includes('temp1_input') ? join(folder, 'temp1_input') : null
}

/** Files hold thousandths of a degree. */
async function readTemperature(file: string): Promise<number | null> {
  const text = await textOrNull(file)
  if (text === null || !/^-?\d+$/.test(text)) return null
  const celsius = Number(text) / 1_000
  return celsius >= PLAUSIBLE.min && celsius <= PLAUSIBLE.max ? celsius : null
}

async function listOrNone(folder: string): Promise<readonly string[]> {
  try {
    return (await readdir(folder)).sort()
  } catch {
    return [] // not Linux, or no such driver
  }
}

async function textOrNull(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch {
    return null // sensors vanish with their driver
  }
}
