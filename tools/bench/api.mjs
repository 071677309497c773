// The control port under load: how fast the summary is served while every CPU thread mines, how many requests a core
// serves, and what monitoring 200 rigs costs. Linux only: CPU time and memory of the program are read from /proc.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { connect } from 'node:net'
import { availableParallelism, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, ToolError } from '../lib/project.mjs'

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
const TICKS_PER_SECOND = 100
const MB = 1_000_000
const RIGS = 200
const GPUS_PER_RIG = 8
const SETTLE_MS = 8_000
const LIMITS = { p99Ms: 5, perCoreSecond: 5_000, monitorCore: 0.1, monitorMb: 200 }
/** Of the rigs' connections; the pace is the one that the difficulty aims at. */
const SERVED = { perRigKb: 64, jobMs: 100, core: 0.5, sharesPerSecond: 0.1 }

/** @returns {Promise<boolean>} true when every goal is met */
export async function benchApi({ seconds, json, log }) {
  if (process.platform !== 'linux') throw new ToolError('npm run bench -- --api reads /proc: Linux only')
  const figures = {
    cpus: availableParallelism(),
    load: loadavg()[0],
    mining: await mining(seconds),
    cached: await cached(seconds),
    monitor: await monitor(seconds),
  }
  if (json) log(JSON.stringify(figures))
  else report(figures, log)
  return verdicts(figures).every(([, , kept]) => kept)
}

/**
 * The stratum port: what so many rigs cost a mining node in memory and processor time, and how long a job takes to the
 * last of them. Each sends a share in ten seconds that is only found wrong by a whole check.
 * @returns {Promise<boolean>} true when every goal is met
 */
export async function benchStratum({ connections, seconds, json, log }) {
  if (process.platform !== 'linux') throw new ToolError('npm run bench -- --stratum reads /proc: Linux only')
  const words = ['run', '--headless', '--cpu-threads', '1', '--http.port', '0', '--signer.http.port', '0']
  const load = loadavg()[0]
  const figures = await withProgram([...words, '--stratum-bind', '127.0.0.1:0'], async ({ pid, stratum }) => {
    await sleep(SETTLE_MS)
    const alone = await cost(pid, seconds)
    const rigs = Array.from({ length: connections }, (_, index) => new BenchRig(stratum, index))
    await Promise.all(rigs.map((rig) => rig.loggedIn))
    await sleep(SETTLE_MS)
    const quiet = await cost(pid, seconds)
    const timers = rigs.map((rig) => setInterval(() => rig.share(), 1_000 / SERVED.sharesPerSecond))
    const busy = await cost(pid, seconds)
    for (const timer of timers) clearInterval(timer)
    const answers = rigs.reduce((sum, rig) => sum + rig.answers, 0)
    const lost = rigs.filter(({ socket }) => socket.destroyed).length
    const job = jobSpread(rigs)
    for (const { socket } of rigs) socket.destroy()
    return { connections, load, alone, quiet, busy, answers, lost, job }
  })
  const { alone, quiet, busy, job } = figures
  const checks = [
    ['memory per rig, KB', (busy.memory - alone.memory) / connections / 1_024, SERVED.perRigKb],
    ['cores for jobs alone', quiet.cores - alone.cores, SERVED.core],
    ['cores for jobs and shares', busy.cores - alone.cores, SERVED.core],
    ['first to last rig with a job, p50 ms', job.p50Ms, SERVED.jobMs],
  ]
  if (json) log(JSON.stringify(figures))
  else {
    log(
      `${connections} rigs, load at the start ${load.toFixed(1)}; ${figures.answers} shares checked, ${figures.lost} rigs lost`,
    )
    log(
      `memory ${(alone.memory / MB).toFixed(0)} MB alone, ${(busy.memory / MB).toFixed(0)} MB with them; jobs ${job.requests}, p99 ${job.p99Ms.toFixed(0)} ms`,
    )
    for (const [name, value, most] of checks)
      log(`${value < most ? 'met    ' : 'NOT MET'} ${name}: ${value.toFixed(2)} (goal: under ${most})`)
  }
  return figures.lost === 0 && checks.every(([, value, most]) => value < most)
}

/** Cores used and memory held by the program over this time. */
async function cost(pid, seconds) {
  const before = cpuSeconds(pid)
  await sleep(seconds * 1_000)
  return { cores: (cpuSeconds(pid) - before) / seconds, memory: memoryBytes(pid) }
}

/** One simulated rig, which speaks EthereumStratum/1.0.0. */
class BenchRig {
  jobs = new Map()
  answers = 0
  #job = ''
  #serial = 10

  constructor(address, index) {
    const [host, port] = address.split(':')
    this.socket = connect({ host, port: Number(port), noDelay: true })
    this.socket.on('error', () => undefined)
    let text = ''
    this.loggedIn = new Promise((resolve) => {
      this.socket.on('data', (part) => {
        const lines = (text + part.toString('latin1')).split('\n')
        text = lines.pop()
        for (const line of lines) this.#line(JSON.parse(line), resolve)
      })
    })
    this.#send(1, 'mining.subscribe', ['bench/1', 'EthereumStratum/1.0.0'])
    this.#send(2, 'mining.authorize', [`rig ${index}`, 'x'])
  }

  share() {
    this.#serial += 1
    const tail = this.#serial.toString(16).padStart(12, '0')
    if (this.#job !== '') this.#send(this.#serial, 'mining.submit', ['rig', this.#job, tail])
  }

  #line({ id, method, params }, resolve) {
    if (id > 10) this.answers += 1
    if (method !== 'mining.notify') return
    this.#job = params[0]
    if (!this.jobs.has(params[2])) this.jobs.set(params[2], performance.now())
    resolve()
  }

  #send(id, method, params) {
    this.socket.write(`${JSON.stringify({ id, method, params })}\n`)
  }
}

/** From the first rig that has a job to the last, for each job that all have. */
function jobSpread(rigs) {
  const headers = [...rigs[0].jobs.keys()].filter((header) => rigs.every(({ jobs }) => jobs.has(header)))
  const spreads = headers.map((header) => {
    const times = rigs.map(({ jobs }) => jobs.get(header))
    return times.reduce((a, b) => Math.max(a, b)) - times.reduce((a, b) => Math.min(a, b))
  })
  return quantiles(spreads.slice(1)) // the first job is each rig's login
}

/**
 * The practice network, all threads mining, fifty requests a second; a server that does nothing is measured at the same
 * time.
 */
async function mining(seconds) {
  const threads = availableParallelism()
  const words = ['run', '--headless', '--cpu-threads', String(threads), '--http.port', '0', '--signer.http.port', '0']
  return withProgram(words, async ({ api }) => {
    await sleep(SETTLE_MS)
    const load = { seconds, connections: 1, pauseMs: 20 }
    const [summaries, plain] = await withPlainServer((address) =>
      Promise.all([requests(api, '/api/v1/summary', load), requests(address, '/', load)]),
    )
    return { threads, ...quantiles(summaries.times), plain: quantiles(plain.times) }
  })
}

/** What this computer gets out of any server at this moment, whatever else runs on it. */
async function withPlainServer(work) {
  const code = `require('node:http').createServer((_, r) => r.end('x'.repeat(1000))).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'ignore'] })
  try {
    const port = await new Promise((resolve) => child.stdout.once('data', (part) => resolve(String(part).trim())))
    return await work(`127.0.0.1:${port}`)
  } finally {
    await stop(child)
  }
}

/** A miner without work: only the port runs. */
async function cached(seconds) {
  const words = ['miner', '--network', 'practice', '-P', 'stratum+tcp://bench@127.0.0.1:1']
  return withProgram(words, async ({ api, pid }) => {
    await requests(api, '/api/v1/summary', { seconds: 2, connections: 16, pauseMs: 0 })
    const before = cpuSeconds(pid)
    const { times, elapsed } = await requests(api, '/api/v1/summary', { seconds, connections: 16, pauseMs: 0 })
    const busy = cpuSeconds(pid) - before
    return { perSecond: times.length / elapsed, perCoreSecond: times.length / busy, ...quantiles(times) }
  })
}

/** Rigs with eight GPUs each, polled at the default interval, while a dashboard requests them once a second. */
async function monitor(seconds) {
  const servers = await Promise.all(Array.from({ length: RIGS }, (_, index) => simulatedRig(index)))
  const folder = mkdtempSync(join(tmpdir(), 'headframe-rigs-'))
  try {
    const file = join(folder, 'rigs')
    writeFileSync(file, servers.map(({ port }, index) => `rig ${index}=127.0.0.1:${port}`).join('\n'))
    return await withProgram(['miner', '--monitor', '--rig-file', file], async ({ api, pid }) => {
      await sleep(SETTLE_MS)
      const before = cpuSeconds(pid)
      const { times, elapsed } = await requests(api, '/api/v1/rigs', { seconds, connections: 1, pauseMs: 1_000 })
      const core = (cpuSeconds(pid) - before) / elapsed
      return { rigs: RIGS, core, memoryMb: memoryBytes(pid) / MB, ...quantiles(times) }
    })
  } finally {
    for (const { server } of servers) server.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function simulatedRig(index) {
  const body = JSON.stringify(simulatedSummary(index))
  const server = createServer((_, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body) })
    response.end(body)
  })
  server.keepAliveTimeout = 15_000
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return { server, port: server.address().port }
}

function simulatedSummary(index) {
  const rate = { now: 1e7 + index, '60s': 1e7, '15m': 1e7 }
  const shares = { accepted: index, rejected: 1, failed: 0 }
  const gpu = { name: 'Simulated GPU', pci: '01:00.0', backend: 'cuda', hashrate: rate, shares, paused: false }
  const sensors = { temperature: { core: 60, hotspot: 70, memory: 80 }, fan: 55, power: 200, power_limit: 250 }
  const gpus = Array.from({ length: GPUS_PER_RIG }, (_, i) => ({
    index: i,
    ...gpu,
    pause_reason: '',
    ...sensors,
    clocks: { core: 1_500, memory: 9_000 },
  }))
  const pool = { connected: true, host: 'pool:1', url: 'stratum+tcp://pool:1', difficulty: 1, epoch: 0, block: 1 }
  return {
    control: false,
    miner: { name: 'headframe', version: '1', algorithm: 'xhash', uptime: 1 },
    pool: { ...pool, switches: 0, warning: '' },
    hashrate: { ...rate, effective: 1e7 },
    shares,
    gpus,
  }
}

/** Sends requests back to back on each connection and records how long every answer took, in ms. */
async function requests(api, path, { seconds, connections, pauseMs }) {
  const [host, port] = api.split(':')
  const text = `GET ${path} HTTP/1.1\r\nHost: ${api}\r\n\r\n`
  const times = []
  const startedAt = performance.now()
  const end = startedAt + seconds * 1_000
  await Promise.all(
    Array.from({ length: connections }, () => client({ host, port: Number(port), text, end, pauseMs, times })),
  )
  return { times, elapsed: (performance.now() - startedAt) / 1_000 }
}

/** Connections end after a thousand requests, so each client opens new ones. */
async function client({ host, port, text, end, pauseMs, times }) {
  while (performance.now() < end) {
    const socket = connect({ host, port, noDelay: true })
    const answers = wholeAnswers(socket)
    for (let sent = 0; sent < 999 && performance.now() < end; sent++) {
      const sentAt = performance.now()
      socket.write(text)
      await answers.next()
      times.push(performance.now() - sentAt)
      if (pauseMs > 0) await sleep(pauseMs)
    }
    socket.destroy()
  }
}

async function* wholeAnswers(socket) {
  let waiting = ''
  for await (const part of socket) {
    waiting += part.toString('latin1')
    for (;;) {
      const head = waiting.indexOf('\r\n\r\n')
      const length = Number(/content-length: (\d+)/i.exec(waiting)?.[1] ?? Number.NaN)
      if (head < 0 || waiting.length < head + 4 + length) break
      if (!waiting.startsWith('HTTP/1.1 200')) throw new ToolError(`answer: ${waiting.slice(0, 100)}`)
      waiting = waiting.slice(head + 4 + length)
      yield true
    }
  }
  throw new ToolError('the connection ended')
}

async function withProgram(words, work) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-api-'))
  const readyFile = join(folder, 'ready.json')
  const args = [
    ...words,
    '--datadir',
    folder,
    '--ready-file',
    readyFile,
    '--api-bind',
    '127.0.0.1:0',
    '--log.level',
    'error',
  ]
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'headframe.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part.toString('utf8')
  })
  try {
    for (let waited = 0; !existsSync(readyFile); waited += 100) {
      if (child.exitCode !== null || waited > START_LIMIT_MS)
        throw new ToolError(`${words[0]} did not start: ${errors.trim().split('\n').at(-1)}`)
      await sleep(100)
    }
    return await work(JSON.parse(readFileSync(readyFile, 'utf8')))
  } finally {
    await stop(child)
    rmSync(folder, { recursive: true, force: true })
  }
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('close', resolve))
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(late)
}

/** User and system time of the process, all threads. */
function cpuSeconds(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

function memoryBytes(pid) {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1_024
}

function quantiles(times) {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN
  return { requests: sorted.length, p50Ms: at(0.5), p99Ms: at(0.99), maxMs: at(1) }
}

function verdicts({ mining: busy, cached: alone, monitor: watching }) {
  return [
    [`p99 of the summary while mining under ${LIMITS.p99Ms} ms`, busy.p99Ms, busy.p99Ms < LIMITS.p99Ms],
    [
      `summaries a second of one core at least ${LIMITS.perCoreSecond}`,
      alone.perCoreSecond,
      alone.perCoreSecond >= LIMITS.perCoreSecond,
    ],
    [`monitor under ${LIMITS.monitorCore * 100}% of a core`, watching.core, watching.core < LIMITS.monitorCore],
    [`monitor under ${LIMITS.monitorMb} MB`, watching.memoryMb, watching.memoryMb < LIMITS.monitorMb],
  ]
}

function report(figures, log) {
  const { cpus, load, mining: busy, cached: alone, monitor: watching } = figures
  const ms = (value) => `${value.toFixed(2)} ms`
  log(`${cpus} CPUs, load at the start ${load.toFixed(1)}`)
  log(
    `summary, ${busy.threads} threads mining   p50 ${ms(busy.p50Ms)}, p99 ${ms(busy.p99Ms)}, max ${ms(busy.maxMs)} (${busy.requests} requests)`,
  )
  log(
    `a server that does nothing    p50 ${ms(busy.plain.p50Ms)}, p99 ${ms(busy.plain.p99Ms)}, max ${ms(busy.plain.maxMs)}, in the same time`,
  )
  log(
    `summary, 16 connections       ${alone.perSecond.toFixed(0)}/s, ${alone.perCoreSecond.toFixed(0)} a second of CPU time, p99 ${ms(alone.p99Ms)}`,
  )
  log(
    `monitor of ${watching.rigs} rigs           ${(watching.core * 100).toFixed(1)}% of a core, ${watching.memoryMb.toFixed(0)} MB, rigs p50 ${ms(watching.p50Ms)}, max ${ms(watching.maxMs)}`,
  )
  for (const [name, , kept] of verdicts(figures)) log(`${kept ? 'met    ' : 'NOT MET'} ${name}`)
}
