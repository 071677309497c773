// JSON-RPC under load: a headless node with the vector chain, 32 kept-alive connections from a process of its own.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../lib/free-port.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { processorTime } from '../testing/processor-time.mjs'
import { workloads } from './rpc-workloads.mjs'

const VECTORS = join(ROOT, 'test', 'vectors', 'rpc')
const LOAD = fileURLToPath(new URL('./rpc-load.mjs', import.meta.url))
const START_LIMIT_MS = 60_000
const CONNECTIONS = 32
/** Rounds per program when two are compared. */
const ROUNDS = 5

/**
 * @param {{ seconds: number, url: string | null, only: string | null, reference: string | null, connections: number | null,
 *   json: boolean, log: (line: string) => void }} options `reference`: a program that is measured in turn with ours
 * @returns {Promise<boolean>} true when every method answered without errors
 */
export async function benchRpc({ seconds, url, only, reference, connections, json, log }) {
  const load = { seconds, only, connections: connections ?? CONNECTIONS }
  if (url !== null) return report(await measure([{ url: new URL(url), pid: null }], load), { json, log })
  const folder = mkdtempSync(join(tmpdir(), 'headframe-bench-rpc-'))
  const program = await startNode(folder)
  let other = null
  try {
    const ours = { url: new URL(`http://${program.http}/`), pid: program.child.pid }
    await call(ours.url, 'admin_importChain', [join(VECTORS, 'chain.rlp')])
    if (reference === null) return report(await measure([ours], load), { json, log })
    other = await startReference(reference, folder)
    return report(await measure([ours, { url: other.url, pid: other.child.pid }], load), { json, log })
  } finally {
    if (other !== null) await stopNode(other.child)
    await stopNode(program.child)
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * All servers run all the time and are called in turn, so that other load affects each of them. Medians of five turns;
 * a single server is called once.
 * @param {readonly { url: URL, pid: number | null }[]} servers ours, then prlx if there is one
 */
async function measure(servers, { seconds, only, connections }) {
  const rows = []
  for (const workload of workloads(VECTORS)) {
    if (only !== null && !workload.name.startsWith(only)) continue
    const inputs = servers.map((server) => ({ server, first: 0, ...inputOf(server.url, workload, connections) }))
    const run = async (input, time) => {
      const figures = await runLoad({ ...input, seconds: time })
      input.first += figures.requests
      return figures
    }
    for (const input of inputs) await run(input, 1) // warm
    const seen = inputs.map(() => [])
    for (let round = 0; round < (servers.length === 1 ? 1 : ROUNDS); round++)
      for (const [index, input] of inputs.entries()) {
        const before = usedSeconds(input.server)
        const figures = await run(input, seconds)
        const used = usedSeconds(input.server) - before
        seen[index].push({ ...figures, cpuMicroseconds: (1e6 * used) / Math.max(1, figures.requests) })
      }
    const [ours, theirs] = seen.map(median)
    const reference = theirs === undefined ? workload.reference : Math.round(theirs.perSecond)
    rows.push({ name: workload.name, ...ours, reference, referenceCpu: theirs?.cpuMicroseconds ?? null })
  }
  return rows
}

/** CPU seconds of all threads of a server so far; not a number where that isn't known. */
function usedSeconds({ pid }) {
  return (pid === null ? null : processorTime(pid))?.seconds ?? Number.NaN
}

function inputOf(url, { calls }, connections) {
  const bodies = calls.map(([method, params]) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
  return { host: url.hostname, port: Number(url.port), connections, bodies }
}

/** The median run by rate; errors of all. */
function median(runs) {
  const sorted = [...runs].sort((a, b) => a.perSecond - b.perSecond)
  const errors = runs.reduce((sum, run) => sum + run.errors, 0)
  return { ...sorted[Math.floor(sorted.length / 2)], errors }
}

function runLoad(input) {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [LOAD, 'run'], { stdio: ['pipe', 'pipe', 'inherit'] })
    let output = ''
    child.stdout.on('data', (part) => {
      output += part
    })
    child.on('error', reject)
    child.on('exit', (code) =>
      code === 0 ? resolve(JSON.parse(output)) : reject(new ToolError('the load generator failed')),
    )
    child.stdin.end(JSON.stringify(input))
  })
}

function report(rows, { json, log }) {
  if (json) log(JSON.stringify(rows))
  else for (const row of [HEADINGS, ...rows.map(cells)]) log(line(row))
  return rows.every(({ errors }) => errors === 0)
}

const HEADINGS = [
  ...['method', 'per second', 'reference', 'ratio', 'p50 ms', 'p99 ms'],
  ...['MB/s', 'CPU us', 'reference', 'errors'],
]

function cells(row) {
  const { name, reference, perSecond, p50, p99, megabytes, requests, cpuMicroseconds, referenceCpu, errors } = row
  const ratio = reference === null ? '-' : `${(perSecond / reference).toFixed(2)}x`
  const rate = (megabytes * perSecond) / Math.max(1, requests)
  return [
    name,
    perSecond.toFixed(0),
    reference === null ? '-' : String(reference),
    ratio,
    p50.toFixed(2),
    p99.toFixed(2),
    rate.toFixed(1),
    Number.isNaN(cpuMicroseconds) ? '-' : cpuMicroseconds.toFixed(0),
    referenceCpu?.toFixed(0) ?? '-',
    String(errors),
  ]
}

function line([name, ...values]) {
  return name.padEnd(40) + values.map((value) => value.padStart(11)).join('')
}

async function call(target, method, params) {
  const response = await fetch(target, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  })
  const { result, error } = await response.json()
  if (error !== undefined) throw new ToolError(`${method}: ${error.message}`)
  return result
}

/** A node of the vector chain's genesis. @returns {Promise<{child: import('node:child_process').ChildProcess, http: string}>} */
export async function startNode(folder) {
  const readyFile = join(folder, 'ready.json')
  const args = ['node', '--datadir', folder, '--ready-file', readyFile, '--genesis', join(VECTORS, 'genesis.json')]
  args.push('--gcmode', 'archive', '--http', '--http.port', '0', '--http.api', 'eth,net,web3,debug,admin')
  args.push('--ipcdisable', '--log.level', 'warn', '--fakepow')
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'headframe.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part.toString('utf8')
  })
  for (let waited = 0; !existsSync(readyFile); waited += 50) {
    if (child.exitCode !== null || waited > START_LIMIT_MS) {
      await stopNode(child)
      throw new ToolError(`the node did not start: ${errors.trim().split('\n').at(-1)}`)
    }
    await sleep(50)
  }
  return { child, http: JSON.parse(readFileSync(readyFile, 'utf8')).http }
}

export async function stopNode(child) {
  if (child.exitCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** prlx over the same chain, every state kept. @returns {Promise<{child: import('node:child_process').ChildProcess, url: URL}>} */
async function startReference(program, folder) {
  const data = ['--datadir', join(folder, 'reference')]
  const kept = ['--fakepow', '--gcmode', 'archive']
  execFileSync(program, [...data, 'init', join(VECTORS, 'genesis.json')], { stdio: 'ignore' })
  execFileSync(program, [...data, ...kept, 'import', join(VECTORS, 'chain.rlp')], { stdio: 'ignore' })
  const port = await freePort()
  const alone = ['--networkid', '3110', '--nodiscover', '--maxpeers', '0', '--port', '0', '--nousb', '--ipcdisable']
  const serve = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api', 'eth,net,web3,debug']
  const child = spawn(program, [...data, ...kept, ...alone, ...serve], { stdio: ['ignore', 'ignore', 'ignore'] })
  const url = new URL(`http://127.0.0.1:${port}/`)
  for (let waited = 0; !(await isServing(url)); waited += 50) {
    if (child.exitCode !== null || waited > START_LIMIT_MS) {
      await stopNode(child)
      throw new ToolError(`${program} did not start`)
    }
    await sleep(50)
  }
  return { child, url }
}

async function isServing(url) {
  try {
    return BigInt(await call(url, 'eth_blockNumber', [])) > 0n
  } catch {
    return false
  }
}
