// Everything that a day with a GPU is to answer, in one command: `npm run bench -- --gpu --all`. Under eight minutes with
// one card. Writes figures (JSON) and a page. `--quick` proves the command itself on processors behind OpenCL, with
// datasets of the practice network and a short pool: its figures say nothing about cards.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { CACHE, ROOT } from '../../lib/project.mjs'
import { measureDevice } from './device.mjs'
import { pageOf } from './page.mjs'
import { measurePool } from './pool.mjs'

const MIB = 2 ** 20
/** The public networks' sizes, and those of the practice network. Source: src/xhash/params.ts */
const FULL = {
  cacheBytesInit: 16 * MIB,
  cacheBytesGrowth: MIB / 8,
  datasetBytesInit: 1_024 * MIB,
  datasetBytesGrowth: 8 * MIB,
}
const PRACTICE = {
  cacheBytesInit: MIB / 4,
  cacheBytesGrowth: MIB / 512,
  datasetBytesInit: 16 * MIB,
  datasetBytesGrowth: MIB / 8,
}
/** Those with recorded searches, and one whose dataset exceeds 4 GiB. */
const EPOCHS = [0, 1, 2, 13, 24, 400]
const PLAN = { sizes: FULL, epochs: EPOCHS, vectors: true, trialMs: 1_000, longMs: 20_000, poolSeconds: 300 }
const QUICK = { sizes: PRACTICE, epochs: EPOCHS, vectors: false, trialMs: 300, longMs: 2_000, poolSeconds: 15 }
const REFERENCE_MS = 40_000
const OPENCL = { linux: 'libOpenCL.so.1', win32: 'OpenCL.dll' }
const NVML = { linux: 'libnvidia-ml.so.1', win32: 'nvml.dll' }

/**
 * @param {{ quick: boolean, reference: string | null, log: (line: string) => void }} options `reference`: the program of
 * the family's C++ miner, which is asked for its own benchmark beside ours
 * @returns {Promise<boolean>} false where something was found that is not so, or nothing could be measured
 */
export async function benchGpuAll({ quick, reference, log }) {
  const startedAt = performance.now()
  const addon = createRequire(import.meta.url)(join(ROOT, 'native', 'build', 'Release', 'headframe.node'))
  const plan = quick ? QUICK : PLAN
  const awake = setInterval(() => undefined, 60_000) // driver calls keep nothing alive
  try {
    const found = await findDevices(addon, quick, log)
    const nvml = await addon.openNvml(NVML[process.platform] ?? '').catch(() => null)
    const devices = await Promise.all(
      found.map(({ driver, ...device }) =>
        measureDevice(addon, driver, { ...device, plan, nvml, log }).catch(failed(device)),
      ),
    )
    const run = { args: minerArgs(found, quick), practice: quick, seconds: plan.poolSeconds }
    const hashesPerSecond = devices.reduce((sum, device) => sum + (device.hashesPerSecond ?? 0), 0)
    const pool = hashesPerSecond > 0 ? await measurePool({ ...run, hashesPerSecond }) : null
    const figures = {
      quick,
      devices,
      pool,
      reference: referenceRate(reference, found),
      seconds: (performance.now() - startedAt) / 1_000,
    }
    write(figures, log)
    return devices.length > 0 && devices.every(({ right }) => right) && pool?.agrees === true
  } finally {
    clearInterval(awake)
  }
}

const failed =
  ({ kind, facts }) =>
  (error) => ({ kind, name: facts.name, right: false, failed: error.message })

/** GPUs through CUDA, and through OpenCL those that CUDA doesn't drive; CPUs only to test the command. */
async function findDevices(addon, quick, log) {
  const source = readFileSync(join(ROOT, 'resources', 'opencl', 'xhash.cl'), 'utf8')
  const drivers = [
    ['cuda', addon.openCuda('', join(ROOT, 'resources', 'cuda'), 3)],
    ['opencl', addon.openOpencl(OPENCL[process.platform] ?? 'libOpenCL.so', source, 0)],
  ]
  const found = []
  for (const [kind, opening] of drivers) {
    const driver = await opening.catch((error) => log(`${kind}: ${error.message}`))
    if (driver === undefined) continue
    for (const [index, facts] of (await addon.listGpus(driver)).entries()) {
      const isKnown = found.some((other) => facts.pci !== '' && other.facts.pci === facts.pci)
      const isWanted = facts.isCpu === quick && !isKnown
      log(
        `${kind} ${index}: ${facts.name}, ${facts.driver}, ${Math.round(facts.memoryBytes / MIB)} MiB${isWanted ? '' : ', left out'}`,
      )
      if (isWanted) found.push({ kind, index, facts, driver })
    }
  }
  return found
}

function minerArgs(found, quick) {
  if (quick) return ['--network', 'practice', '-G', '--cl-cpu']
  const kinds = new Set(found.map(({ kind }) => kind))
  return ['--network', 'main', ...(kinds.has('cuda') ? ['-U'] : []), ...(kinds.has('opencl') ? ['-G'] : [])]
}

/** The other miner's last report; null without one. */
function referenceRate(program, found) {
  if (program === null) return null
  const word = found.some(({ kind }) => kind === 'cuda') ? '-U' : '-G'
  const { stdout, stderr } = spawnSync(program, [word, '-M', '0'], { encoding: 'utf8', timeout: REFERENCE_MS })
  const rates = [...`${stdout}${stderr}`.matchAll(/([\d.]+) ?([kMG]?)h(?:\/s|s)?\b/gi)]
  const last = rates.at(-1)
  if (last === undefined) return null
  return Number(last[1]) * { '': 1, k: 1e3, m: 1e6, g: 1e9 }[last[2].toLowerCase()]
}

function write(figures, log) {
  const folder = join(CACHE, 'bench-gpu')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'figures.json'), `${JSON.stringify(figures, null, 2)}\n`)
  writeFileSync(join(folder, 'page.html'), pageOf(figures))
  log(
    `figures: ${join(folder, 'figures.json')}, page: ${join(folder, 'page.html')}, after ${figures.seconds.toFixed(0)} s`,
  )
}
