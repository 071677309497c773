// `npm run bench -- --signer-limits`: what the signer does at its limits. How long others wait while a caller sends the
// longest documents and calls without pause; what a log of a million records costs to verify; and a policy's decision
// after a million uses.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { closeSync, existsSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../lib/free-port.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { bundleProgram } from './bundle.mjs'

const PROGRAM = join(ROOT, 'bin', 'headframe.mjs')
const START_LIMIT_MS = 120_000
const GOAL_P99_MS = 100
const GOAL_DECISION_MS = 5
const VALUES = 400_000
const NESTED_BYTES = 600_000
const RECORDS = 1_000_000
const FULL_BYTES = 64 * 1024 * 1024
const ADDRESS = `0x${'1'.repeat(40)}`

/** @returns {Promise<boolean>} true when every goal was met */
export async function measureSignerLimits({ seconds, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-bench-limits-'))
  try {
    log(`load ${loadavg()[0]?.toFixed(1)}`)
    const isFast = await besideHostile(join(folder, 'hostile'), { seconds, log })
    verifyMillion(folder, log)
    return (await decideAfterMillion(join(folder, 'decisions'), log)) && isFast
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function besideHostile(folder, { seconds, log }) {
  const [signer, node, ui] = [await freePort(), await freePort(), await freePort()]
  const program = await start(folder, { signer, node, ui })
  try {
    const hostile = { document: hostileDocument(), calls: hostileCalls() }
    let isFast = true
    for (const [name, sent] of [['nobody else', null], ...Object.entries(hostile)]) {
      const over = new AbortController()
      const senders = sent === null ? [] : [keepSending(signer, sent.signer, over), keepSending(node, sent.node, over)]
      const until = performance.now() + seconds * 1_000
      const [version, head] = await Promise.all([
        waits(signer, ['account_version', []], until),
        waits(node, ['eth_blockNumber', []], until),
      ])
      over.abort()
      const counts = await Promise.all(senders)
      const text = `account_version p50 ${version.p50} p99 ${version.p99} ms, eth_blockNumber p50 ${head.p50} p99 ${head.p99} ms`
      log(`beside ${name}${sent === null ? '' : ` (${counts.join(' and ')} sent)`}: ${text}`)
      isFast &&= version.p99 < GOAL_P99_MS && head.p99 < GOAL_P99_MS
    }
    return isFast
  } finally {
    await stop(program)
  }
}

async function start(folder, ports) {
  const ready = join(folder, 'ready.json')
  const args = ['run', '--headless', '--datadir', folder, '--ready-file', ready, '--api-bind', `127.0.0.1:${ports.ui}`]
  args.push('--signer.http', '--signer.http.port', String(ports.signer), '--http', '--http.port', String(ports.node))
  args.push('--nodiscover', '--maxpeers', '0', '--port', '0', '--log.level', 'error')
  const child = spawn(process.execPath, [PROGRAM, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors = `${errors}${part}`.slice(-4_000)
  })
  for (let waited = 0; !existsSync(ready); waited += 50) {
    if (child.exitCode !== null || waited > START_LIMIT_MS) {
      await stop(child)
      throw new ToolError(`the program did not start: ${errors.trim().split('\n').at(-1)}`)
    }
    await sleep(50)
  }
  return child
}

async function stop(child) {
  if (child.exitCode !== null) return
  const ended = new Promise((done) => child.once('exit', done))
  child.kill('SIGTERM')
  await ended
}

function hostileDocument() {
  const types = { EIP712Domain: [{ name: 'chainId', type: 'uint256' }], M: [{ name: 'a', type: 'uint256[]' }] }
  const message = { a: Array.from({ length: VALUES }, () => '1') }
  const document = { types, primaryType: 'M', domain: { chainId: '2110' }, message }
  return {
    signer: body('account_signTypedData', [ADDRESS, document]),
    node: body('eth_signTypedData_v4', [ADDRESS, document]),
  }
}

/** Selectors of multicall(bytes[]), each of which may begin another call. */
function hostileCalls() {
  const data = `0x${'ac9650d8'.repeat(NESTED_BYTES / 4)}`
  const transaction = { from: ADDRESS, to: ADDRESS, gas: '0x5208', gasPrice: '0x1', value: '0x0', nonce: '0x0', data }
  return {
    signer: body('account_signTransaction', [transaction]),
    node: body('eth_signTransaction', [transaction]),
  }
}

const body = (method, params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

/** Two at a time, again as soon as they are answered. @returns how many */
async function keepSending(port, text, over) {
  const agent = new Agent({ keepAlive: true })
  let count = 0
  const send = async () => {
    while (!over.signal.aborted) {
      await post(port, text, { agent, signal: over.signal }).catch(() => undefined)
      count++
    }
  }
  await Promise.all([send(), send()])
  agent.destroy()
  return count
}

async function waits(port, [method, params], until) {
  const agent = new Agent({ keepAlive: true })
  const times = []
  while (performance.now() < until) {
    const startedAt = performance.now()
    await post(port, body(method, params), { agent })
    times.push(performance.now() - startedAt)
    await sleep(5)
  }
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share) =>
    Number((times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN).toFixed(1))
  return { p50: at(0.5), p99: at(0.99) }
}

function post(port, text, { agent, signal }) {
  return new Promise((done, fail) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }
    const sent = request({ host: '127.0.0.1', port, method: 'POST', agent, headers, signal })
    sent.on('error', fail)
    sent.on('response', (response) => {
      response.on('error', fail)
      response.on('end', done)
      response.resume()
    })
    sent.end(text)
  })
}

async function decideAfterMillion(folder, log) {
  await bundleProgram(join(ROOT, 'src', 'signer', 'rules', 'testing', 'decision-bench.ts'), folder)
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(folder, 'decision-bench.mjs')], {
    encoding: 'utf8',
  })
  if (status !== 0) throw new ToolError(`the decisions ended with ${status}: ${stderr}`)
  const { uses, after, first } = JSON.parse(stdout)
  log(`a policy's decision: ${after.toFixed(2)} ms of CPU time after ${uses} uses, ${first.toFixed(2)} ms after none`)
  return after < GOAL_DECISION_MS
}

/** As long as lines of calls are. */
function verifyMillion(folder, log) {
  const file = join(folder, 'audit.log')
  const bytes = writeLog(file)
  const time = ['-c', 'exec /usr/bin/env time -f "%U %S %M" "$0" "$@"', process.execPath, PROGRAM]
  const args = ['audit', 'verify', '--datadir', join(folder, 'data'), '--signer.auditlog', file]
  const startedAt = performance.now()
  const { status, stdout, stderr } = spawnSync('sh', [...time, ...args], { encoding: 'utf8' })
  const [user = 0, system = 0, kilobytes = 0] = (stderr.trim().split('\n').at(-1) ?? '').split(' ').map(Number)
  if (status !== 0) throw new ToolError(`audit verify ended with ${status}: ${stdout}${stderr}`)
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  const used = `${(user + system).toFixed(1)} s of CPU time, ${seconds} s, ${Math.round(kilobytes / 1_000)} MB`
  log(`audit verify, ${RECORDS} records, ${Math.round(bytes / 1e6)} MB: ${used}`)
}

function writeLog(file) {
  let [hash, text, size, total, full] = ['0'.repeat(64), '', 0, 0, 0]
  let descriptor = openSync(file, 'w', 0o600)
  for (let seq = 0; seq < RECORDS; seq++) {
    const line = `t=2026-11-29T10:00:00+0000 lvl=info msg=SignTransaction type=request metadata="{}" tx="${seq}"`
    const record = JSON.stringify({ seq, time: 1_700_000_000_000 + seq, type: 'call', line, previous: hash })
    hash = createHash('sha256').update(record).digest('hex')
    text += `${record.slice(0, -1)},"hash":"${hash}"}\n`
    if (text.length < 1e6 && seq < RECORDS - 1) continue
    writeSync(descriptor, text)
    size += text.length
    total += text.length
    text = ''
    if (size < FULL_BYTES) continue
    closeSync(descriptor)
    full += 1
    renameSync(file, `${file}.${String(full).padStart(4, '0')}`)
    descriptor = openSync(file, 'w', 0o600)
    size = 0
  }
  closeSync(descriptor)
  return total
}
