// bench: this computer's hashrate, as text or as one JSON object. --quick skips the whole-dataset figures.
import { cpus } from 'node:os'
import type { CliCall } from '../call'
import { EXIT_DONE } from '../exit-codes'
import { type HashFigures, measureHashing } from '../hash-figures'
import { configOf } from '../load-config'
import { untilSignal } from '../stop-signals'
import { type Engine, engineOf } from '../trades-of-call'
import { expectNoWords } from '../words'

/** Always at full size: the practice network's would measure a miniature. */
export async function runBench(call: CliCall): Promise<number> {
  const { parsed, world } = call
  expectNoWords(parsed)
  const { platform } = world
  const config = configOf(call)
  const engine = engineOf({ ...config, app: { ...config.app, network: 'main' } }, platform)
  if (engine === null) throw new Error('the bench command has no hashing engine')
  try {
    const threads = cpus().length
    // Without the addon a whole dataset would take days.
    const whole = !parsed.quick && engine.kind === 'native'
    const figures = await untilSignal(world, (signal) => measureHashing(engine, { whole, threads, signal }))
    for (const line of parsed.json ? [asJson(engine, threads, figures)] : asText(engine, threads, figures)) {
      platform.standardOutput(line)
    }
    return EXIT_DONE
  } finally {
    await engine.close()
  }
}

/** What `--json` prints. */
function asJson(engine: Engine, threads: number, figures: HashFigures): string {
  const { cacheSeconds, lightCheckMs, datasetItemMicros, whole } = figures
  const { hashesPerCpuSecond = null, ...dataset } = whole ?? {}
  return JSON.stringify({
    cpu: {
      simd: engine.simd,
      threads,
      cacheSeconds,
      lightCheckMs,
      datasetItemMicros,
      searchHashesPerCpuSecond: hashesPerCpuSecond,
    },
    devices: whole === null ? [] : [{ index: 0, name: cpuName(), backend: 'cpu', ...dataset, watts: null }],
  })
}

function asText(engine: Engine, threads: number, figures: HashFigures): string[] {
  const { cacheSeconds, lightCheckMs, datasetItemMicros, whole } = figures
  const lines = [
    `${cpuName()}, ${threads} threads, ${engine.kind} (${engine.simd})`,
    `cache of epoch 0        ${cacheSeconds.toFixed(2)} CPU s`,
    `light check             ${lightCheckMs.toFixed(2)} CPU ms`,
    `dataset row (128 bytes) ${datasetItemMicros === null ? 'not measured' : `${datasetItemMicros.toFixed(1)} CPU µs`}`,
  ]
  if (whole === null) return lines
  return [
    ...lines,
    `dataset of epoch 0      ${whole.datasetSeconds.toFixed(0)} s with ${threads} threads`,
    `search                  ${whole.hashesPerSecond.toFixed(0)} H/s, ${whole.hashesPerCpuSecond.toFixed(0)} per CPU second`,
  ]
}

function cpuName(): string {
  return cpus()[0]?.model.trim() ?? 'CPU'
}
