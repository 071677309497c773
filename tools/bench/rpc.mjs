// JSON-RPC under load: a headless node with the vector chain, 32 kept-alive connections from a process of its own.
// Figures of the reference: prlx on one core with the same chain, from issue C.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../lib/free-port.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'

const VECTORS = join(ROOT, 'test', 'vectors', 'rpc')
const LOAD = fileURLToPath(new URL('./rpc-load.mjs', import.meta.url))
const START_LIMIT_MS = 60_000
const CONNECTIONS = 32
/** Rounds per program when two are compared. */
const ROUNDS = 5

/** Token.balanceOf(address) */
const BALANCE_OF = '0x70a08231'

/**
 * @param {{ seconds: number, url: string | null, only: string | null, reference: string | null, connections: number | null,
 *   json: boolean, log: (line: string) => void }} options `reference`: a program that is measured in turn with ours
 * @returns {Promise<boolean>} true when every method answered without errors
 */
export async function benchRpc({ seconds, url, only, reference, connections, json, log }) {
  const load = { seconds, only, connections: connections ?? CONNECTIONS }
  if (url !== null) return report(await measure(new URL(url), load), { json, log })
  const folder = mkdtempSync(join(tmpdir(), 'headframe-bench-rpc-'))
  const program = await startNode(folder)
  let other = null
  try {
    const target = new URL(`http://${program.http}/`)
    await call(target, 'admin_importChain', [join(VECTORS, 'chain.rlp')])
    if (reference === null) return report(await measure(target, load), { json, log })
    other = await startReference(reference, folder)
    return report(await measureInTurn(target, other.url, load), { json, log })
  } finally {
    if (other !== null) await stopNode(other.child)
    await stopNode(program.child)
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The calls, and the reference's rate for each. */
function workloads() {
  const chain = JSON.parse(readFileSync(join(VECTORS, 'chain.json'), 'utf8'))
  const full = chain.blocks.find((block) => block.txs === 60) ?? chain.blocks.at(-1)
  const accounts = chain.accounts.slice(0, 16).map((account) => account.address)
  const padded = (address) => address.slice(2).toLowerCase().padStart(64, '0')
  const one = (method, params) => [[method, params]]
  return [
    { name: 'eth_blockNumber', reference: 8_745, calls: one('eth_blockNumber', []) },
    { name: 'eth_chainId', reference: null, calls: one('eth_chainId', []) },
    { name: 'eth_gasPrice', reference: null, calls: one('eth_gasPrice', []) },
    { name: 'eth_getBalance', reference: 5_872, calls: accounts.map((a) => ['eth_getBalance', [a, 'latest']]) },
    {
      name: 'eth_getBlockByNumber, 60 transactions',
      reference: 1_442,
      calls: one('eth_getBlockByNumber', [`0x${full.number.toString(16)}`, true]),
    },
    {
      name: 'eth_call balanceOf',
      reference: 6_373,
      calls: accounts.map((a) => ['eth_call', [{ to: chain.contracts.Token, data: BALANCE_OF + padded(a) }, 'latest']]),
    },
    {
      name: 'eth_getLogs, whole chain',
      reference: 682,
      calls: one('eth_getLogs', [{ fromBlock: '0x0', toBlock: 'latest' }]),
    },
    {
      name: 'eth_getLogs, one topic',
      reference: null,
      calls: one('eth_getLogs', [
        {
          fromBlock: '0x0',
          toBlock: 'latest',
          topics: ['0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925'],
        },
      ]),
    },
  ]
}

async function measure(target, { seconds, only, connections }) {
  const rows = []
  for (const workload of workloads()) {
    if (only !== null && !workload.name.startsWith(only)) continue
    const input = inputOf(target, workload, connections)
    await runLoad({ ...input, seconds: 1 }) // warm
    rows.push({ name: workload.name, reference: workload.reference, ...(await runLoad({ ...input, seconds })) })
  }
  return rows
}

/** Both programs run all the time and are called in turn, so that other load affects both. Medians. */
async function measureInTurn(target, other, { seconds, only, connections }) {
  const rows = []
  for (const workload of workloads()) {
    if (only !== null && !workload.name.startsWith(only)) continue
    const inputs = [target, other].map((url) => inputOf(url, workload, connections))
    for (const input of inputs) await runLoad({ ...input, seconds: 1 }) // warm
    const seen = [[], []]
    for (let round = 0; round < ROUNDS; round++)
      for (const [index, input] of inputs.entries()) seen[index].push(await runLoad({ ...input, seconds }))
    const [ours, theirs] = seen.map(median)
    rows.push({ name: workload.name, reference: Math.round(theirs.perSecond), ...ours })
  }
  return rows
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

const HEADINGS = ['method', 'per second', 'reference', 'ratio', 'p50 ms', 'p99 ms', 'MB/s', 'errors']

function cells({ name, reference, perSecond, p50, p99, megabytes, requests, errors }) {
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

/** The reference over the same chain, every state kept. @returns {Promise<{child: import('node:child_process').ChildProcess, url: URL}>} */
async function startReference(program, folder) {
  const data = ['--datadir', join(folder, 'reference')]
  const kept = ['--fakepow', '--gcmode', 'archive']
  execFileSync(program, [...data, 'init', join(VECTORS, 'genesis.json')], { stdio: 'ignore' })
  execFileSync(program, [...data, ...kept, 'import', join(VECTORS, 'chain.rlp')], { stdio: 'ignore' })
  const port = await freePort()
  const alone = ['--networkid', '3110', '--nodiscover', '--maxpeers', '0', '--port', '0', '--nousb', '--ipcdisable']
  const serve = ['--http', '--http.addr', '127.0.0.1', '--http.port', String(port), '--http.api', 'eth,net,web3']
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
