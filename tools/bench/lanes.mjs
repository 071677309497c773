// `npm run bench -- --lanes`: how long others wait while a few callers take all the computing they can get. A node as
// users start it, called over HTTP; the hostile callers ask again as soon as they are answered.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startNode, stopNode } from './rpc.mjs'

const GOAL_P99_MS = 250
const CONTRACT = `0x${'00'.repeat(18)}beef`
/** JUMPDEST, ADD and MSTORE in an endless loop. */
const ENDLESS = '0x5b600160020160005260005600'
/** Copies its data to memory and passes it to the precompile `at`. */
const passOn = (at) => `0x366000600037600060003660006000${at}5af100`
const word = (number) => number.toString(16).padStart(64, '0')
const EXPONENT_BYTES = 2_000_000

function callOf(code, data = '0x') {
  const call = { to: CONTRACT, data, gas: '0x23c34600' }
  return ['eth_call', [call, 'latest', { [CONTRACT]: { code } }]]
}

const modexp = `0x${word(1)}${word(EXPONENT_BYTES)}${word(1)}02${'80'.padEnd(2 * EXPONENT_BYTES, '0')}07`

const CASES = [
  { name: 'nobody else', count: 0, request: null },
  { name: '8 calls without end', count: 8, request: callOf(ENDLESS) },
  { name: '2 calls of 3,000 pairings', count: 2, request: callOf(passOn('6008'), `0x${'00'.repeat(192 * 3_000)}`) },
  { name: '2 modular powers, exponent of 2 MB', count: 2, request: callOf(passOn('6005'), modexp) },
]

/** @returns {Promise<boolean>} true when every goal was met */
export async function benchLanes({ seconds, json, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-bench-lanes-'))
  const program = await startNode(folder)
  try {
    const url = `http://${program.http}/`
    const rows = []
    for (const { name, count, request } of CASES)
      rows.push({ name, ...(await measure(url, { seconds, count, request })) })
    if (json) log(JSON.stringify(rows))
    else for (const row of [HEADINGS, ...rows.map(cells)]) log(lineOf(row))
    return rows.every(({ balance, call }) => balance.p99 < GOAL_P99_MS && balance.errors + call.errors === 0)
  } finally {
    await stopNode(program.child)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function measure(url, { seconds, count, request }) {
  const over = new AbortController()
  const hostile = Array.from({ length: count }, () => keepAsking(url, request, over.signal))
  const until = performance.now() + seconds * 1_000
  const [balance, call] = await Promise.all([
    time(url, until, (n) => ['eth_getBalance', [addressOf(n), 'latest']]),
    time(url, until, (n) => ['eth_call', [{ to: addressOf(n), data: `0x${word(n)}` }, 'latest']]),
  ])
  over.abort()
  await Promise.all(hostile)
  return { balance, call }
}

/** Different each time, so that no answer is cached; never a precompile's. */
const addressOf = (n) => `0x${(n + 1_000).toString(16).padStart(40, '0')}`

async function keepAsking(url, request, signal) {
  while (!signal.aborted) await post(url, request, { agent: 'greedy', signal }).catch(() => undefined)
}

async function time(url, until, requestOf) {
  const times = []
  let errors = 0
  for (let n = 0; performance.now() < until; n++) {
    const startedAt = performance.now()
    const answer = await post(url, requestOf(n), { agent: 'modest' })
    times.push(performance.now() - startedAt)
    if (answer.error !== undefined) errors++
  }
  times.sort((a, b) => a - b)
  const at = (share) => times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN
  return { requests: times.length, errors, p50: at(0.5), p99: at(0.99), max: at(1) }
}

async function post(url, [method, params], { agent, signal }) {
  const headers = { 'content-type': 'application/json', 'user-agent': agent }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
  const response = await fetch(url, { method: 'POST', headers, body, signal })
  return response.json()
}

const HEADINGS = ['beside', 'balance p50 ms', 'p99 ms', 'errors', 'eth_call p50 ms', 'p99 ms', 'errors']

function cells({ name, balance, call }) {
  const of = ({ p50, p99, errors }) => [p50.toFixed(1), p99.toFixed(0), String(errors)]
  return [name, ...of(balance), ...of(call)]
}

function lineOf([name, ...values]) {
  return name.padEnd(36) + values.map((value) => value.padStart(16)).join('')
}
