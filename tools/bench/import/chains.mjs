// How fast blocks are imported: builds test/bench/import-bench.ts and runs each case in a separate process.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../lib/project.mjs'
import { bundleProgram } from '../bundle.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench')
const CASES = [
  ['reference', '30 mixed transactions a block, no seals', { mgas: 12 }],
  ['busy', '100 transfers and ERC-20 calls a block, no seals', {}],
  ['busy-sealed', 'the same, seals of the practice size', {}],
  ['empty', 'empty blocks, no seals', { blocks: 500 }],
  ['empty-sealed', 'empty blocks, full-size seals, light checks', { blocks: 150 }],
]
const MEMORY_LIMIT_MB = 1_000
const MB = 1_000_000

/** @returns {Promise<boolean>} true when every goal is met */
export async function benchImport({ json, log }) {
  await bundleProgram(join(ROOT, 'test', 'bench', 'import-bench.ts'), OUT)
  const chains = process.env.HEADFRAME_BENCH_CHAIN ?? join(ROOT, '..', 'shared', 'vectors', 'bench')
  let kept = true
  for (const [name, title, goal] of CASES) {
    if (name === 'reference' && !existsSync(join(chains, 'bench-chain.rlp'))) {
      log(`${title}: left out, no bench-chain.rlp in HEADFRAME_BENCH_CHAIN`)
      continue
    }
    const figures = runCase(name, chains)
    if (json) log(JSON.stringify({ case: name, ...figures }))
    else kept = report(title, figures, goal, log) && kept
  }
  return kept
}

function runCase(name, chains) {
  const module = pathToFileURL(join(OUT, 'import-bench.mjs')).href
  const from = JSON.stringify({ native: join(ROOT, 'src'), chains })
  const script = `import(${JSON.stringify(module)}).then(async (bench) => console.log(await bench.runCase(${JSON.stringify(name)}, ${from})))`
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: ROOT }))
}

function report(title, { blocks, transactions, gas, seconds, cpuSeconds, memory }, goal, log) {
  const rate = (amount) => amount / seconds
  const seen = { blocks: rate(blocks), mgas: rate(gas / 1e6) }
  const verdicts = Object.entries(goal).map(([what, least]) => [what, least, seen[what] >= least])
  verdicts.push(['MB at most', MEMORY_LIMIT_MB, memory / MB < MEMORY_LIMIT_MB])
  log(title)
  log(
    `  ${rate(blocks).toFixed(0)} blocks/s, ${rate(transactions).toFixed(0)} tx/s, ${seen.mgas.toFixed(1)} Mgas/s; ` +
      `${blocks} blocks, ${transactions} transactions, ${(gas / 1e6).toFixed(0)} Mgas in ${seconds.toFixed(1)} s ` +
      `(CPU ${cpuSeconds.toFixed(1)} s); memory ${(memory / MB).toFixed(0)} MB`,
  )
  log(`  goals: ${verdicts.map(([what, least, ok]) => `${what} ${least} ${ok ? 'ok' : 'MISSED'}`).join(', ')}`)
  return verdicts.every(([, , ok]) => ok)
}
