// Nodes among each other: builds test/bench/network-bench.ts, and runs each case in a separate process.
import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '../lib/project.mjs'
import { bundleProgram } from './bundle.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-network')
const FORWARD_GOAL_MS = 50
const MEMORY_GOAL_MB = 200
const MB = 1_000_000

/** @returns {Promise<boolean>} true when every goal is met */
export async function benchNetwork({ json, log }) {
  await bundleProgram(join(ROOT, 'test', 'bench', 'network-bench.ts'), OUT)
  let kept = true
  for (const shape of ['sparse', 'dense']) {
    const figures = runCase(`bench.spreadCase(${JSON.stringify(shape)})`)
    if (json) log(JSON.stringify({ case: shape, ...figures }))
    else kept = reportSpread(shape, figures, log) && kept
  }
  const script = join(OUT, 'serve-node.mjs')
  writeFileSync(script, "import { serveNode } from './network-bench.mjs'\nawait serveNode()\n")
  const memory = runCase(`bench.memoryCase(${JSON.stringify(script)})`)
  if (json) log(JSON.stringify({ case: 'memory', ...memory }))
  else kept = reportMemory(memory, log) && kept
  return kept
}

function runCase(call) {
  const module = pathToFileURL(join(OUT, 'network-bench.mjs')).href
  const script = `import(${JSON.stringify(module)}).then(async (bench) => console.log(await ${call}))`
  return JSON.parse(execFileSync(process.execPath, ['-e', script], { encoding: 'utf8', cwd: ROOT }))
}

function reportSpread(shape, { nodes, links, blocks, propagation, check, forward, ...totals }, log) {
  const of = ({ p50, p95, max }) => `p50 ${p50.toFixed(0)}, p95 ${p95.toFixed(0)}, max ${max.toFixed(0)} ms`
  const isKept = forward.p95 < FORWARD_GOAL_MS
  log(`${nodes} nodes in one process, ${links} links (${shape}), ${blocks} blocks by different makers`)
  log(`  from the maker's import to each other's: ${of(propagation)}`)
  log(`  NewBlock received to header and seal checked: ${of(check)}`)
  log(`  from there until it is sent on: ${of(forward)}; goal p95 ${FORWARD_GOAL_MS} ${isKept ? 'ok' : 'MISSED'}`)
  log(
    `  a block: ${totals.bodiesPerBlock.toFixed(1)} bodies for ${nodes - 1} nodes, ` +
      `${(totals.bytesPerBlock / 1000).toFixed(1)} kB in all`,
  )
  return isKept
}

function reportMemory({ peers, alone, connected, busy }, log) {
  const more = ({ rss, heap }) =>
    `${((rss - alone.rss) / MB).toFixed(0)} MB (heap and buffers ${((heap - alone.heap) / MB).toFixed(0)} MB)`
  const isKept = (busy.rss - alone.rss) / MB < MEMORY_GOAL_MB
  log(`one node, ${peers} peers; alone it has ${(alone.rss / MB).toFixed(0)} MB`)
  log(`  more when they are connected: ${more(connected)}`)
  log(`  more after blocks, 500 requests and 4096 announced transactions of each: ${more(busy)}`)
  log(`  goal: less than ${MEMORY_GOAL_MB} MB more ${isKept ? 'ok' : 'MISSED'}`)
  return isKept
}
