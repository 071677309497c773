// devices: what can mine on this computer. CPUs only, until there are GPU backends.
import { cpus, totalmem } from 'node:os'
import type { CliCall } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { loadConfig } from '../load-config'
import { tradesOf } from '../trades-of-call'
import { expectNoWords } from '../words'

const GIB = 1024 ** 3

/** A table, or with --json one array. */
export async function runDevices({ argv, parsed, world }: CliCall): Promise<number> {
  expectNoWords(parsed)
  const { surroundings, platform } = world
  const config = loadConfig({ argv, surroundings, windowless: true })
  const { engine } = tradesOf(config, platform)
  if (engine === null) throw new Error('the devices command has no hashing engine')
  try {
    const processors = cpus()
    const device = {
      index: 0,
      name: processors[0]?.model.trim() ?? 'CPU',
      backend: 'cpu',
      threads: processors.length,
      memoryBytes: totalmem(),
      engine: engine.kind,
      simd: engine.simd,
      driver: engine.loadError,
      sensors: [],
    }
    const line = `${device.index}  cpu  ${device.name}, ${device.threads} threads, ${(device.memoryBytes / GIB).toFixed(1)} GiB, ${engine.kind} (${engine.simd})`
    platform.standardOutput(parsed.json ? JSON.stringify([device]) : line)
    return EXIT_DONE
  } finally {
    await engine.close()
  }
}
