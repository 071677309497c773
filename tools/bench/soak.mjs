// A miner on five simulated pools for a while, with pauses, restarts, switches, faults and epochs: are its books right to
// the share, and does its memory stay flat? Builds test/miner/soak/ and runs it: pools and miner in processes of their own.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'

await packagesFirst()
const { build } = await import('vite')

const OUT = join(ROOT, 'node_modules', '.cache', 'soak')
const ENTRIES = ['soak', 'pools', 'miner']
const MB = 1_000_000
const GROWTH_LIMIT_MB = 10
/** Epochs change this fast when the next dataset already exists (milliseconds). */
const GAP_LIMIT_MS = 200
/** Shorter runs say nothing about memory. */
const MIN_MEMORY_SECONDS = 600

/** @returns {Promise<boolean>} true when every goal is met */
export async function benchSoak({ seconds, quick, json, log }) {
  const scripts = join(OUT, String(process.pid))
  try {
    await bundle(scripts)
    const { runSoak } = await import(pathToFileURL(join(scripts, 'soak.mjs')).href)
    const told = json ? () => {} : log
    const sizes = quick ? 'small' : 'practice'
    const report = await runSoak({ seconds, sizes, scripts, projectRoot: join(ROOT, 'src'), log: told })
    if (json) log(JSON.stringify(report))
    else print(report, log)
    return verdicts(report).every(([, isKept]) => isKept)
  } finally {
    rmSync(scripts, { recursive: true, force: true })
  }
}

/** A separate folder per run, since runs may overlap. */
async function bundle(outDir) {
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      rollupOptions: {
        input: Object.fromEntries(ENTRIES.map((name) => [name, join(ROOT, 'test', 'miner', 'soak', `${name}.ts`)])),
        external: [/\.node$/],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: '[name]-[hash].mjs' },
      },
    },
  })
}

function verdicts({ faults, counts, growth, gapsMs, seconds, shares }) {
  const longRun = seconds >= MIN_MEMORY_SECONDS
  return [
    ['books agree to the share', faults.length === 0],
    ['shares were found', shares > 0 && counts.accepted > 0],
    ['no wrong solution', counts.failed === 0],
    ...(longRun ? [[`memory grows by less than ${GROWTH_LIMIT_MB} MB`, growth.rss < GROWTH_LIMIT_MB * MB]] : []),
    ...(longRun ? [[`instant epoch change under ${GAP_LIMIT_MS} ms`, gapsMs.every((ms) => ms < GAP_LIMIT_MS)]] : []),
  ]
}

function print(report, log) {
  const { seconds, cycles, shares, counts, takenUnheard, poolsUsed, epochChanges, growth, gapsMs, faults } = report
  const sorted = [...gapsMs].sort((a, b) => a - b)
  const gap = (part) => (sorted[Math.floor(part * (sorted.length - 1))] ?? 0).toFixed(1)
  log(`${seconds} s, ${cycles} cycles on ${poolsUsed} pools, ${epochChanges} epoch changes`)
  log(
    `shares: ${shares} settled; ${Object.entries(counts)
      .map(([name, count]) => `${count} ${name}`)
      .join(', ')}`,
  )
  log(`  ${takenUnheard} of the lost ones a pool had taken, but its answer never came`)
  log(`memory: ${(growth.rss / MB).toFixed(1)} MB growth, heap ${(growth.heap / MB).toFixed(1)} MB`)
  log(`epoch changes with the dataset ready: ${sorted.length}, gap ${gap(0.5)} ms median, ${gap(1)} ms at most`)
  for (const fault of faults) log(`  FAULT ${fault}`)
  for (const [what, isKept] of verdicts(report)) log(`${isKept ? 'ok    ' : 'MISSED'} ${what}`)
}
