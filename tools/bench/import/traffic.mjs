// A chain of ordinary traffic, imported by whole programs, ours and the reference in turn, startup included. PEER_PROGRAMS names the
// folder of `prlx`.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../../lib/project.mjs'
import { bundleProgram } from '../bundle.mjs'
import { median } from '../median.mjs'
import { importOurs, importReference, referenceProgram } from './whole-programs.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-traffic')
const TRANSACTIONS = 30
const BLOCKS = 4_000
const QUICK_BLOCKS = 600
const RUNS = 3
/** How many times as fast as the reference by the clock. */
const GOAL = 1.3

/** @returns {Promise<boolean>} false when the goal is missed */
export async function benchTraffic({ quick, log }) {
  await bundleProgram(join(ROOT, 'test', 'bench', 'traffic-chain.ts'), OUT)
  const reference = referenceProgram()
  if (reference === null) log('no prlx in PEER_PROGRAMS: only our own figures')
  const folder = mkdtempSync(join(tmpdir(), 'headframe-traffic-'))
  const chain = { blocks: quick ? QUICK_BLOCKS : BLOCKS, transactions: TRANSACTIONS }
  try {
    log(`${chain.blocks} blocks of ${chain.transactions} transfers and token calls: making them takes minutes`)
    writeChain(folder, chain)
    const seen = importInTurn(folder, reference)
    return report(seen, log)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** In a separate process: the chain is made with the engine that is measured afterwards. */
function writeChain(folder, chain) {
  const module = pathToFileURL(join(OUT, 'traffic-chain.mjs')).href
  const args = [folder, chain].map((arg) => JSON.stringify(arg)).join(', ')
  const script = `import(${JSON.stringify(module)}).then((bench) => bench.writeTraffic(${args}))`
  execFileSync(process.execPath, ['-e', script], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
}

function importInTurn(folder, reference) {
  const files = (name, run) => ({
    genesis: join(folder, 'genesis.json'),
    chain: join(folder, 'chain.rlp'),
    data: join(folder, `${name}-${run}`),
  })
  const seen = { ours: [], theirs: [] }
  for (let run = 0; run < RUNS; run++) {
    seen.ours.push(importOurs(files('ours', run)))
    if (reference !== null) seen.theirs.push(importReference(reference, files('theirs', run)))
  }
  return seen
}

function report({ ours, theirs }, log) {
  const middle = (imports, what) => median(imports.map((one) => one[what]))
  log(`${RUNS} runs in turn, medians; load ${loadavg()[0]?.toFixed(1)}`)
  log('| | ours | reference | ratio |')
  log('|---|---|---|---|')
  for (const [title, what, digits] of [
    ['CPU s', 'cpuSeconds', 1],
    ['seconds by the clock', 'seconds', 1],
    ['highest memory, MB', 'megabytes', 0],
  ]) {
    const [own, other] = [middle(ours, what), theirs.length === 0 ? null : middle(theirs, what)]
    const ratio = other === null ? '-' : (own / other).toFixed(2)
    log(`| ${title} | ${own.toFixed(digits)} | ${other?.toFixed(digits) ?? '-'} | ${ratio} |`)
  }
  return theirs.length === 0 || GOAL * middle(ours, 'seconds') <= middle(theirs, 'seconds')
}
