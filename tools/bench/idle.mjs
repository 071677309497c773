// The cost of a quiet practice network's host process: event-loop delay, memory, and that blocks keep coming.
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT, ToolError } from '../lib/project.mjs'

const START_LIMIT_MS = 60_000
const STOP_LIMIT_MS = 15_000
const P99_LIMIT_MS = 50
const MEMORY_LIMIT_MB = 500
const MB = 1_000_000

/** @returns {Promise<boolean>} true when every promise is kept */
export async function measureIdle({ seconds, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-idle-'))
  try {
    const program = await start(folder)
    try {
      return report(await watch(program, seconds), seconds, log)
    } finally {
      await stop(program.child)
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function start(folder) {
  const readyFile = join(folder, 'ready.json')
  const args = ['run', '--headless', '--datadir', folder, '--ready-file', readyFile, '--api-bind', '127.0.0.1:0']
  args.push('--http.port', '0', '--signer.http.port', '0', '--log.level', 'warn')
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'headframe.mjs'), ...args], {
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors += part.toString('utf8')
  })
  for (let waited = 0; !existsSync(readyFile); waited += 100) {
    if (child.exitCode !== null || waited > START_LIMIT_MS) {
      await stop(child)
      throw new ToolError(`the practice network did not start: ${errors.trim().split('\n').at(-1)}`)
    }
    await sleep(100)
  }
  return { child, api: JSON.parse(readFileSync(readyFile, 'utf8')).api }
}

/** Samples once a second: the highest memory counts, and the delay of the whole run. */
async function watch({ api }, seconds) {
  const first = await metrics(api)
  let last = first
  let memory = 0
  for (let second = 0; second < seconds; second++) {
    await sleep(1_000)
    last = await metrics(api)
    memory = Math.max(memory, last.get('host_memory_bytes') ?? Number.NaN)
  }
  const delay = (quantile) => (last.get(`host_event_loop_delay_seconds{quantile="${quantile}"}`) ?? Number.NaN) * 1_000
  const head = (sample) => sample.get('node_head_number') ?? 0
  return { p50: delay('0.5'), p99: delay('0.99'), max: delay('1'), memory, blocks: head(last) - head(first) }
}

function report({ p50, p99, max, memory, blocks }, seconds, log) {
  const verdict = (kept) => (kept ? 'ok' : 'NOT KEPT')
  const keeps = [p99 < P99_LIMIT_MS, memory < MEMORY_LIMIT_MB * MB, blocks > 0]
  log(`practice network, headless, ${seconds} s`)
  log(
    `event-loop delay  p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(1)} ms   (p99 under ${P99_LIMIT_MS} ms: ${verdict(keeps[0])})`,
  )
  log(`memory (RSS)      ${(memory / MB).toFixed(0)} MB   (under ${MEMORY_LIMIT_MB} MB: ${verdict(keeps[1])})`)
  log(`blocks mined      ${blocks}   (more than 0: ${verdict(keeps[2])})`)
  return keeps.every(Boolean)
}

/** The samples of /metrics by name with labels. */
async function metrics(api) {
  const text = await get(`http://${api}/metrics`)
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  return new Map(
    lines.map((line) => [line.slice(0, line.lastIndexOf(' ')), Number(line.slice(line.lastIndexOf(' ') + 1))]),
  )
}

function get(url) {
  return new Promise((resolve, reject) => {
    const call = request(url, { agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8')
      response.on('data', (part) => {
        text += part
      })
      response.on('end', () =>
        response.statusCode === 200 ? resolve(text) : reject(new Error(`${url}: ${response.statusCode}`)),
      )
    })
    call.on('error', reject)
    call.end()
  })
}

async function stop(child) {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  const timer = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS)
  await ended
  clearTimeout(timer)
}
