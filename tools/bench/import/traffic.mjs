// A chain of ordinary traffic, imported by whole programs, ours and prlx in turn, startup included. PEER_PROGRAMS names the
// folder of `prlx`.
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { median } from '../median.mjs'
import { buildChainMaker, importInTurn, referenceProgram, writeChain } from './whole-programs.mjs'

const TRANSACTIONS = 30
const BLOCKS = 4_000
const QUICK_BLOCKS = 600
/** Blocks that are imported one by one, too. */
const SINGLE = 1_600
const RUNS = 3
/** How many times as fast as prlx by the clock. */
const GOAL = 1.3

/** @returns {Promise<boolean>} false when the goal is missed */
export async function benchTraffic({ quick, log }) {
  await buildChainMaker()
  const reference = referenceProgram()
  if (reference === null) log('no prlx in PEER_PROGRAMS: only our own figures')
  const folder = mkdtempSync(join(tmpdir(), 'headframe-traffic-'))
  const blocks = quick ? QUICK_BLOCKS : BLOCKS
  const single = Math.min(SINGLE, blocks)
  const chain = { blocks, transactions: TRANSACTIONS, single }
  try {
    log(`${chain.blocks} blocks of ${chain.transactions} transfers and token calls: making them takes minutes`)
    writeChain('writeTraffic', folder, chain)
    const isFast = report(importInTurn(folder, { reference, runs: RUNS }), log)
    const files = readdirSync(folder)
      .filter((name) => name.startsWith('single-'))
      .sort()
    log(`the first ${single} blocks, each in a file of its own`)
    report(importInTurn(folder, { reference, runs: RUNS, files }), log)
    return isFast
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
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
