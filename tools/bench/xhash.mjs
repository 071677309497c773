// Times the proof of work through the addon beside the C++ reference's figures (g++ -O3, CPU seconds).
// Usage: node tools/bench/xhash.mjs [--quick] [--json] [--simd scalar|avx2|avx512]
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const FULL_SIZES = {
  cacheBytesInit: 2 ** 24,
  cacheBytesGrowth: 2 ** 17,
  datasetBytesInit: 2 ** 30,
  datasetBytesGrowth: 2 ** 23,
}
const THREADS = 2
const QUICK_SEARCH_BYTES = 128 * 999983

/** hashwarp on the same kind of machine, busy: [best, worst]; and what we promise at least. */
const REFERENCE = {
  cacheSeconds: { label: 'cache, epoch 0', unit: 's', range: [0.54, 0.65], goal: null, lessIsBetter: true },
  lightMs: { label: 'light check', unit: 'ms', range: [6.0, 7.0], goal: 3.0, lessIsBetter: true },
  lightBatchMs: { label: 'light check, many waiting', unit: 'ms', range: [6.0, 7.0], goal: 3.0, lessIsBetter: true },
  itemUs: { label: '128-byte dataset item', unit: 'us', range: [94, 107], goal: 25, lessIsBetter: true },
  lightRate: { label: 'light checks', unit: '1/s', range: [142, 167], goal: 334, lessIsBetter: false },
  datasetCpuSeconds: { label: 'dataset, epoch 0, CPU', unit: 's', range: [790, 900], goal: 200, lessIsBetter: true },
  searchRate: { label: 'search per thread', unit: 'H/s', range: [33_000, 40_000], goal: 55_000, lessIsBetter: false },
}

/**
 * Measures and prints a table, or prints JSON.
 * @param {{ quick?: boolean, json?: boolean, simd?: string, log?: (line: string) => void }} [options]
 *   quick: leaves out the 1 GiB dataset; the search then runs over 128 MB, which is said.
 * @returns {Promise<{ notes: string[], levels: Record<string, Record<string, number>> }>}
 *   Per level, in CPU time of all threads: the keys of REFERENCE, datasetWallSeconds where a dataset was built.
 */
export async function benchXhash({ quick = false, json = false, simd = '', log = console.log } = {}) {
  const addon = createRequire(import.meta.url)(join(root, 'native', 'build', 'Release', 'headframe.node'))
  const wanted = simd === '' ? addon.simdLevels : addon.simdLevels.filter((level) => level === simd)
  const notes = ['CPU seconds of this process; ratios are against the better end of the reference range']
  const levels = {}
  for (const level of wanted) levels[level] = await benchCacheWork(addon, level)
  const searched = await buildSearched(addon, { quick, wanted, levels, notes })
  for (const level of wanted)
    levels[level].searchRate = await benchSearch(addon, addon.datasetWithSimd(searched, level))
  if (json) log(JSON.stringify({ notes, levels }))
  else printTable(levels, notes, log)
  return { notes, levels }
}

/** CPU seconds of all threads, and wall seconds, of an asynchronous task. */
async function timed(work) {
  const cpu = process.cpuUsage()
  const start = performance.now()
  const value = await work()
  const used = process.cpuUsage(cpu)
  return { value, cpu: (used.user + used.system) / 1e6, wall: (performance.now() - start) / 1e3 }
}

async function benchCacheWork(addon, level) {
  const bytes = addon.cacheBytes(FULL_SIZES, 0)
  const datasetSize = addon.datasetBytes(FULL_SIZES, 0)
  const made = await timed(() => addon.createCache(addon.seedHash(0), bytes, level))
  const cache = made.value
  const check = (i) => addon.hashLight(cache, datasetSize, new Uint8Array(32), BigInt(i))
  await check(0)
  const single = await timed(async () => {
    for (let i = 0; i < 200; i++) await check(i)
  })
  const batch = await timed(() => Promise.all(Array.from({ length: 800 }, (_, i) => check(i))))
  const rows = level === 'scalar' ? 8192 : 32768
  const indices = Uint32Array.from({ length: 2 * rows }, (_, i) => 1000 + i)
  const items = await timed(async () => addon.datasetItems(cache, indices))
  addon.release(cache)
  return {
    cacheSeconds: made.cpu,
    lightMs: (single.cpu / 200) * 1e3,
    lightRate: 200 / single.cpu,
    lightBatchMs: (batch.cpu / 800) * 1e3,
    itemUs: (items.cpu / rows) * 1e6,
  }
}

/** Builds the dataset with every level; the last one built is what all of them search. */
async function buildSearched(addon, { quick, wanted, levels, notes }) {
  const bytes = quick ? QUICK_SEARCH_BYTES : addon.datasetBytes(FULL_SIZES, 0)
  if (quick) notes.push(`quick: search over ${Math.round(bytes / 1e6)} MB, not over the 1 GiB of epoch 0`)
  let searched = null
  for (const level of quick ? wanted.slice(-1) : wanted) {
    if (searched !== null) addon.release(searched)
    const cache = await addon.createCache(addon.seedHash(0), addon.cacheBytes(FULL_SIZES, 0), level)
    const built = await timed(() => addon.startDataset(cache, bytes, THREADS).ready)
    addon.release(cache)
    searched = built.value
    if (quick) continue
    levels[level].datasetCpuSeconds = built.cpu
    levels[level].datasetWallSeconds = built.wall
  }
  return searched
}

/** Hashes per CPU second of one search thread. */
async function benchSearch(addon, dataset) {
  const search = addon.createSearch(
    1,
    () => {},
    () => {},
  )
  addon.setSearchDataset(search, dataset)
  const target = new Uint8Array(32)
  addon.setSearchJob(search, 1, new Uint8Array(32), target, { startNonce: 0n, segmentBits: 60 })
  const before = addon.searchHashCount(search)
  const run = await timed(() => new Promise((resolve) => setTimeout(resolve, 2000)))
  const hashes = Number(addon.searchHashCount(search) - before)
  await addon.closeSearch(search)
  return hashes / run.cpu
}

function printTable(levels, notes, log) {
  const pad = (text, width) => String(text).padStart(width)
  log(
    `${'xhash'.padEnd(28)}${pad('reference', 18)}${Object.keys(levels)
      .map((level) => pad(level, 24))
      .join('')}`,
  )
  for (const [key, { label, unit, range, goal, lessIsBetter }] of Object.entries(REFERENCE)) {
    const cells = Object.values(levels).map((figures) => {
      const value = figures[key]
      if (value === undefined) return pad('-', 24)
      const ratio = lessIsBetter ? range[0] / value : value / range[1]
      const met = goal === null || (lessIsBetter ? value <= goal : value >= goal)
      return pad(`${shown(value)} (${ratio.toFixed(1)}x${met ? '' : ', under goal'})`, 24)
    })
    log(`${`${label} [${unit}]`.padEnd(28)}${pad(`${range[0]}-${range[1]}`, 18)}${cells.join('')}`)
  }
  for (const [level, { datasetWallSeconds: wall }] of Object.entries(levels)) {
    if (wall !== undefined)
      log(`  dataset of epoch 0 built with ${level} on ${THREADS} threads in ${wall.toFixed(1)} s (wall)`)
  }
  for (const note of notes) log(`  ${note}`)
}

function shown(value) {
  return value >= 1000 ? String(Math.round(value)) : value.toPrecision(3)
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const args = process.argv.slice(2)
  const simd = args.includes('--simd') ? (args[args.indexOf('--simd') + 1] ?? '') : ''
  await benchXhash({ quick: args.includes('--quick'), json: args.includes('--json'), simd })
}
