// How long a block takes to get into a node that strangers flood: with transactions that no pool accepts, and with
// state requests. The node is a separate process; one honest peer sends the blocks, and `newHeads` reports their
// arrival.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { freePort } from '../lib/free-port.mjs'
import { ROOT } from '../lib/project.mjs'
import { bundleProgram } from './bundle.mjs'
import { cpuSecondsOf, NETWORK_ID, startOurs } from './sync.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-floods')
const FIRST = 20
const BLOCKS_A_CASE = 100
/** Blocks of each case that aren't measured. */
const WARM_UP = 5
const GOAL_MS = 200
const CASES = [
  { kind: 'quiet', title: 'nobody floods' },
  { kind: 'signatures', title: '3 peers, signatures of nobody' },
  { kind: 'penniless', title: '3 peers, signers without coins' },
  { kind: 'states', title: '3 peers ask for states' },
]
const CHAIN = {
  first: FIRST,
  blocks: FIRST + CASES.length * (BLOCKS_A_CASE + WARM_UP),
  transactions: 4,
  accounts: 20_000,
}

/** @returns {Promise<boolean>} true when the goal is met in each case */
export async function benchFloods({ json, log }) {
  await bundleProgram(join(ROOT, 'test', 'bench', 'flood-bench.ts'), OUT)
  const bench = await import(pathToFileURL(join(OUT, 'flood-bench.mjs')).href)
  const script = join(OUT, 'flood.mjs')
  writeFileSync(script, "import { floodFromHere } from './flood-bench.mjs'\nfloodFromHere()\n")
  const folder = mkdtempSync(join(tmpdir(), 'headframe-floods-'))
  let node = null
  try {
    makeChain(folder)
    const port = await freePort()
    node = await startOurs({
      folder: join(folder, 'node'),
      genesis: join(folder, 'genesis.json'),
      blocks: join(folder, 'first.rlp'),
      more: ['--ws', '--ws.port', String(port), '--ws.api', 'eth', '--log.level', 'warn'],
    })
    const block = (name) => node.rpc('eth_getBlockByNumber', name, false)
    const target = {
      ...bench.targetHead(await block('0x0'), await block('latest')),
      enode: node.enode,
      networkId: Number(NETWORK_ID),
      url: `ws://127.0.0.1:${port}`,
      blocks: join(folder, 'rest.rlp'),
      script,
      pid: node.pid,
    }
    log(`a block into a node that strangers flood, ${BLOCKS_A_CASE} blocks each; load ${loadavg()[0]?.toFixed(1)}`)
    return await runCases(await bench.FloodWatch.open(target), node.pid, { json, log })
  } finally {
    await node?.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function runCases(watch, pid, { json, log }) {
  let kept = true
  try {
    for (const { kind, title } of CASES) {
      const cpuBefore = cpuSecondsOf(pid)
      const from = performance.now()
      const { ms, cpuMs, ...flood } = await watch.run(kind, BLOCKS_A_CASE)
      const figures = { ...spreadOf(ms), computed: spreadOf(cpuMs) }
      const cost = { seconds: (performance.now() - from) / 1_000, cpuSeconds: cpuSecondsOf(pid) - cpuBefore }
      const isKept = figures.p99 < GOAL_MS
      kept &&= isKept
      if (json) log(JSON.stringify({ case: kind, ...figures, ...cost, ...flood, load: loadavg()[0] }))
      else log(`  ${title}: ${lineOf({ ...figures, ...cost, ...flood }, isKept)}`)
    }
  } finally {
    watch.close()
  }
  return kept
}

function lineOf({ computed, seconds, cpuSeconds, messages, items, names, ...figures }, isKept) {
  const spread = ({ p50, p95, p99, max }) => [p50, p95, p99, max].map((ms) => ms.toFixed(0)).join(' / ')
  const flood = messages === 0 ? '' : `, ${messages} messages, ${items} items, ${names} names`
  const goal = `goal p99 ${GOAL_MS} ms ${isKept ? 'ok' : 'MISSED'}`
  const all = `${seconds.toFixed(1)} s, CPU ${cpuSeconds.toFixed(1)} s${flood}`
  return `p50 / p95 / p99 / max ${spread(figures)} ms, of which the node computed ${spread(computed)} ms; ${goal}; ${all}`
}

function spreadOf(ms) {
  return { p50: at(ms, 0.5), p95: at(ms, 0.95), p99: at(ms, 0.99), max: at(ms, 1) }
}

function at(values, part) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))]
}

/** In a separate process, so that its memory is gone before the first run. */
function makeChain(folder) {
  const module = pathToFileURL(join(OUT, 'flood-bench.mjs')).href
  const args = [folder, CHAIN, join(ROOT, 'src')].map((arg) => JSON.stringify(arg)).join(', ')
  const script = `import(${JSON.stringify(module)}).then((bench) => bench.writeFloodChain(${args}))`
  execFileSync(process.execPath, ['-e', script], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
}
