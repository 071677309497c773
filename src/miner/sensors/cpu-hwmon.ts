// The CPU's package temperature from Linux's hwmon tree (drivers coretemp and k10temp); unknown elsewhere.
import { join } from 'node:path'
import { listOrNone, numberOrNull, textOrNull } from './amd-sysfs'
import { NO_READING, type SensorReading, type SensorSource } from './reading'

/** Driver and label of the package sensor; the first match is used. */
const DRIVERS: Readonly<Record<string, readonly RegExp[]>> = {
  coretemp: [/^Package id 0$/],
  k10temp: [/^Tdie$/, /^Tctl$/],
}

/** The CPU's temperature sensor. */
export class CpuHwmon implements SensorSource {
  #input: string | null = null

  /** @param root `/sys/class/hwmon` outside tests */
  constructor(private readonly root: string) {}

  async read(): Promise<SensorReading> {
    this.#input ??= await this.#find()
    if (this.#input === null) return NO_READING
    const core = await readTemperature(this.#input)
    if (core === null) this.#input = null // drivers come and go: search again next time
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

/** Files hold millidegrees. */
async function readTemperature(file: string): Promise<number | null> {
  const milli = await numberOrNull(file)
  return milli === null ? null : milli / 1_000
}
