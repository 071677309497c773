// How many signatures per second the signer makes over its real HTTP interface, with a program that approves everything
// on its standard streams; and the same for clef, when available.
import { spawn } from 'node:child_process'
import { createCipheriv, scryptSync } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../lib/free-port.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { packagesFirst } from '../lib/set-up.mjs'

await packagesFirst()
const { keccak_256 } = await import('@noble/hashes/sha3.js')

const KEYSTORES = join(ROOT, 'test', 'vectors', 'signer', 'keystores')
/** As `--lightkdf` makes them. */
const LIGHT = {
  address: '0x5a17650BE84F28Ed583e93E6ed0C99b1D1FC1b34',
  password: 'light scrypt key',
  secret: Buffer.from(`${'46'.repeat(31)}47`, 'hex'),
}
const STANDARD = { address: '0xcC4489447e235d0f8a6beE5E06c8f4A515DCeC83', password: 'standard scrypt key' }
const OTHER = '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826'
const START_LIMIT_MS = 30_000
const MB = 1_000_000
/** Of a program's columns. */
const WIDTH = 44
/** Processor time is counted in hundredths of a second. */
const TICK_MS = 10

/** Measured ones; `share` of the seconds of a run. Cheap ones first run unmeasured for as long, until compilers are done. */
const MEASURES = [
  { name: 'account_version', share: 0.5, callers: 1, isCheap: true, call: () => ['account_version', []] },
  { name: 'denied transaction', share: 0.5, callers: 1, isCheap: true, deny: true, call: (n) => transaction(LIGHT, n) },
  { name: 'transaction, light key', share: 1, callers: 1, call: (n) => transaction(LIGHT, n) },
  { name: 'text, light key', share: 1, callers: 1, call: (n) => text(LIGHT, n) },
  { name: 'typed data, light key', share: 1, callers: 1, call: (n) => typedData(LIGHT, n) },
  { name: 'transaction, light key, 4 callers', share: 1, callers: 4, call: (n) => transaction(LIGHT, n) },
  { name: 'transaction, standard key', share: 1, callers: 1, call: (n) => transaction(STANDARD, n) },
]

/** @returns {Promise<void>} */
export async function measureSigner({ seconds, log }) {
  const programsIn = process.env.PEER_PROGRAMS
  const reference = programsIn === undefined ? null : resolve(ROOT, programsIn, 'clef')
  const programs = [{ name: 'headframe', start: startOurs }]
  if (reference !== null && existsSync(reference))
    programs.push({ name: 'reference', start: (place) => startReference(reference, place) })
  else log(`no reference in PEER_PROGRAMS (${programsIn ?? 'not set'}): only our own figures`)
  log(`signer over HTTP, approved over standard streams, ${seconds} s a measure; load ${loadavg()[0]?.toFixed(1)}`)
  log(`${''.padEnd(36)}${programs.map(({ name }) => `${name} /s   p50 ms   p99 ms   CPU ms`.padStart(WIDTH)).join('')}`)
  const folder = mkdtempSync(join(tmpdir(), 'headframe-bench-'))
  const running = []
  try {
    for (const program of programs) running.push(await open(program, join(folder, program.name)))
    for (const measure of MEASURES) await row(running, measure, seconds, log)
    const memory = running.map((one) => `${(one.peakMemory() / MB).toFixed(0)} MB`.padStart(WIDTH)).join('')
    log(`${'highest memory (RSS)'.padEnd(36)}${memory}`)
  } finally {
    for (const one of running) await one.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Programs take turns, so that other load affects all of them. */
async function row(running, { name, share, callers, isCheap = false, deny = false, call }, seconds, log) {
  const times = running.map(() => [])
  const busy = running.map(() => 0)
  const computed = running.map(() => 0)
  for (const one of isCheap ? running : []) {
    one.deny = deny
    const until = performance.now() + seconds * share * 1_000
    while (performance.now() < until) await one.call(...call(one.next()), deny)
  }
  for (let round = 0; round < 2; round++) {
    for (const [index, one] of running.entries()) {
      one.deny = deny
      const until = performance.now() + (seconds * share * 1_000) / 2
      const startedAt = performance.now()
      const computedBefore = one.processorMs()
      const worker = async () => {
        do {
          const at = performance.now()
          await one.call(...call(one.next()), deny)
          times[index].push(performance.now() - at)
        } while (performance.now() < until)
      }
      await Promise.all(Array.from({ length: callers }, worker))
      busy[index] += performance.now() - startedAt
      computed[index] += one.processorMs() - computedBefore
    }
  }
  const cells = running.map((_one, index) => {
    const sorted = times[index].sort((a, b) => a - b)
    const at = (part) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN
    const rate = (sorted.length * 1_000) / busy[index]
    const latencies = [at(0.5).toFixed(1), at(0.99).toFixed(1), (computed[index] / sorted.length).toFixed(2)]
    return [rate.toFixed(rate < 10 ? 2 : 0), ...latencies.map((text) => text.padStart(6))].join('   ')
  })
  log(`${name.padEnd(36)}${cells.map((cell) => cell.padStart(WIDTH)).join('')}`)
}

async function open({ start }, folder) {
  mkdirSync(folder, { recursive: true })
  const keystore = join(folder, 'keystore')
  for (const name of ['main', 'kdf']) cpSync(join(KEYSTORES, name), keystore, { recursive: true })
  writeFileSync(join(keystore, 'light'), lightKeyFile(), { mode: 0o600 })
  const port = await freePort()
  const child = start({ folder, keystore, port })
  let errors = ''
  child.stderr.on('data', (part) => {
    errors = `${errors}${part.toString('utf8')}`.slice(-4_000)
  })
  const one = new Running(child, port)
  for (let waited = 0; !(await one.isUp()); waited += 50) {
    if (child.exitCode !== null || waited > START_LIMIT_MS) {
      await one.stop()
      throw new ToolError(`the signer did not start: ${errors.trim().split('\n').at(-1)}`)
    }
    await sleep(50)
  }
  return one
}

function startOurs({ folder, keystore, port }) {
  const args = [
    'signer',
    '--stdio-ui',
    '--datadir',
    folder,
    '--keystore',
    keystore,
    '--configdir',
    join(folder, 'config'),
  ]
  args.push('--chainid', '2110', '--lightkdf', '--http', '--http.addr', '127.0.0.1', '--http.port', String(port))
  args.push('--log.level', 'warn', '--auditlog', join(folder, 'audit.log'))
  return spawn(process.execPath, [join(ROOT, 'bin', 'headframe.mjs'), ...args], { cwd: folder, stdio: 'pipe' })
}

function startReference(file, { folder, keystore, port }) {
  const args = ['--stdio-ui', '--suppress-bootwarn', '--nousb', '--lightkdf', '--keystore', keystore]
  args.push('--configdir', join(folder, 'config'), '--chainid', '2110', '--http', '--http.addr', '127.0.0.1')
  args.push('--http.port', String(port), '--loglevel', '1')
  return spawn(file, args, { cwd: folder, stdio: 'pipe' })
}

class Running {
  deny = false
  #count = 0
  #child
  #port
  #agent = new Agent({ keepAlive: true })
  #peak = 0
  #sampler

  constructor(child, port) {
    this.#child = child
    this.#port = port
    let rest = ''
    child.stdout.on('data', (part) => {
      rest += part.toString('utf8')
      const lines = rest.split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) this.#answer(JSON.parse(line))
    })
    this.#sampler = setInterval(() => this.#sample(), 100)
  }

  next() {
    this.#count += 1
    return this.#count
  }

  peakMemory() {
    return this.#peak
  }

  /** User and system time of the program and of those that it started, ms; Linux only, elsewhere the figure stays 0. */
  processorMs() {
    const own = processorTicks(this.#child.pid)
    return [own, ...childrenOf(this.#child.pid).map(processorTicks)].reduce((sum, ticks) => sum + ticks, 0) * TICK_MS
  }

  async isUp() {
    try {
      await this.call('account_version', [])
      return true
    } catch {
      return false
    }
  }

  async call(method, params, isDenied = false) {
    const answer = await this.#post(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }))
    const parsed = JSON.parse(answer)
    const isRight = isDenied ? parsed.error?.message === 'request denied' : parsed.result !== undefined
    if (!isRight) throw new ToolError(`${method} was answered with ${answer.slice(0, 300)}`)
  }

  async stop() {
    clearInterval(this.#sampler)
    this.#agent.destroy()
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const ended = new Promise((done) => this.#child.once('exit', done))
    this.#child.kill('SIGTERM')
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 10_000)
    await ended
    clearTimeout(timer)
  }

  #answer({ id, method, params: [body] = [] }) {
    if (id === undefined) return
    this.#child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, result: this.#resultOf(method, body) })}\n`)
  }

  #resultOf(method, body) {
    if (method === 'ui_approveTx') return { transaction: body.transaction, approved: !this.deny }
    if (method !== 'ui_onInputRequired') return { approved: !this.deny }
    const isStandard = body.prompt.includes(STANDARD.address)
    return { text: (isStandard ? STANDARD : LIGHT).password }
  }

  #post(body) {
    return new Promise((done, fail) => {
      const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) }
      const sent = request({ host: '127.0.0.1', port: this.#port, method: 'POST', agent: this.#agent, headers })
      sent.on('response', (response) => {
        let answer = ''
        response.setEncoding('utf8')
        response.on('data', (part) => {
          answer += part
        })
        response.on('end', () => done(answer))
      })
      sent.on('error', fail)
      sent.end(body)
    })
  }

  /** Linux only; elsewhere the figure stays 0. */
  #sample() {
    try {
      const pages = Number(readFileSync(`/proc/${this.#child.pid}/statm`, 'utf8').split(' ')[1])
      this.#peak = Math.max(this.#peak, pages * 4_096)
    } catch {
      clearInterval(this.#sampler)
    }
  }
}

/** Fields behind the name: state, parent, ...; the 12th and 13th are user and system time. Empty where the process is gone. */
function statOf(pid) {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ').at(-1).split(' ')
  } catch {
    return []
  }
}

function processorTicks(pid) {
  const fields = statOf(pid)
  return Number(fields[11] ?? 0) + Number(fields[12] ?? 0)
}

function childrenOf(pid) {
  if (!existsSync('/proc/self/stat')) return []
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && statOf(name)[1] === String(pid))
}

/** A file of the version 3 (Web3 Secret Storage). */
function lightKeyFile() {
  const [salt, iv] = [Buffer.alloc(32, 1), Buffer.alloc(16, 2)]
  const kdfparams = { n: 4096, r: 8, p: 6, dklen: 32, salt: salt.toString('hex') }
  const derived = scryptSync(LIGHT.password, salt, 32, { N: kdfparams.n, r: kdfparams.r, p: kdfparams.p })
  const cipher = createCipheriv('aes-128-ctr', derived.subarray(0, 16), iv)
  const ciphertext = Buffer.concat([cipher.update(LIGHT.secret), cipher.final()])
  const mac = Buffer.from(keccak_256(Buffer.concat([derived.subarray(16), ciphertext]))).toString('hex')
  const cipherparams = { iv: iv.toString('hex') }
  const crypto = {
    cipher: 'aes-128-ctr',
    ciphertext: ciphertext.toString('hex'),
    cipherparams,
    kdf: 'scrypt',
    kdfparams,
    mac,
  }
  const id = '5fd1a4b6-3c64-4b8b-9d7c-8a3c5a1c9a52'
  return JSON.stringify({ address: LIGHT.address.slice(2).toLowerCase(), crypto, id, version: 3 })
}

function transaction({ address }, n) {
  const nonce = `0x${n.toString(16)}`
  return [
    'account_signTransaction',
    [{ from: address, to: OTHER, gas: '0x5208', gasPrice: '0x3b9aca00', value: '0x1', nonce }],
  ]
}

function text({ address }, n) {
  return ['account_signData', ['text/plain', address, `0x${Buffer.from(`message ${n}`).toString('hex')}`]]
}

function typedData({ address }, n) {
  const person = [
    { name: 'name', type: 'string' },
    { name: 'wallet', type: 'address' },
  ]
  const document = {
    types: {
      EIP712Domain: [
        { name: 'name', type: 'string' },
        { name: 'version', type: 'string' },
        { name: 'chainId', type: 'uint256' },
        { name: 'verifyingContract', type: 'address' },
      ],
      Person: person,
      Mail: [
        { name: 'from', type: 'Person' },
        { name: 'to', type: 'Person' },
        { name: 'contents', type: 'string' },
      ],
    },
    primaryType: 'Mail',
    domain: { name: 'Ether Mail', version: '1', chainId: '2110', verifyingContract: OTHER },
    message: { from: { name: 'Cow', wallet: OTHER }, to: { name: 'Bob', wallet: OTHER }, contents: `Hello ${n}` },
  }
  return ['account_signTypedData', [address, document]]
}
