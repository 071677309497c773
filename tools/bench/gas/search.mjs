// Searches for work that gas doesn't pay for, end to end: composes blocks, pools, filters and requests (test/bench/search-cases.ts),
// gives them to a running node of ours and to prlx, and climbs towards the highest ratio of CPU seconds. PEER_PROGRAMS names
// the folder of `prlx`. Each case starts where the state of the last one ended. In the folder that SEARCH_LOG names (default
// test-results/search), `log.jsonl` gets a line for each, `worst.json` the worst 40; `--worst` runs those beside this file again.
import { execFileSync, spawn } from 'node:child_process'
import {
  appendFileSync,
  createWriteStream,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../lib/free-port.mjs'
import { ROOT, ToolError } from '../../lib/project.mjs'
import { bundleProgram } from '../bundle.mjs'
import { referenceProgram } from '../import/whole-programs.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-search')
const WORST = join(import.meta.dirname, 'worst.json')
const KEPT = 40
const share = (kind, mgas, size) => ({ kind, mgas, count: 1, pieces: [], size })
const alone = (...block) => ({ block, watch: [], pool: null, ask: [] })
/** What reviews found, by name. `isFresh`: right after both programs' starts. */
const NAMED = [
  ...['EXTCODESIZE', 'EXTCODEHASH', 'BALANCE', 'EXTCODECOPY', 'CALL'].flatMap((name, operation) => [
    {
      title: `590 Mgas of ${name} of 1,200 codes of 24 KB, cold`,
      made: alone(share('codes', 590, operation)),
      isFresh: true,
    },
    {
      title: `590 Mgas of ${name} of 1,200 codes of 24 KB, warm`,
      made: alone(share('codes', 590, operation)),
      isFresh: false,
    },
  ]),
  { title: 'SELFDESTRUCT of 1,000,000 slots', made: alone(share('destroy', 1, 1_000_000)), isFresh: false },
]
/** Of those, cases of the same ingredients. */
const ALIKE = 3
const MAX_RATIO = 2
/** CPU seconds beside the empty case's that a ratio needs to mean anything. */
const LEAST_SECONDS = 0.25
/** Then both start again, so that what one case left doesn't weigh on all others. */
const CASES_PER_START = 60
const REQUEST_MS = 60_000
const START_MS = 600_000
/** A program is idle once it used less than a tenth of a core for this long. */
const QUIET_MS = 250
const MAX_QUIET_WAIT_MS = 15_000
const TICKS = 100

/** @returns {Promise<boolean>} true when no case takes us more than twice prlx's CPU time */
export async function benchSearch({ seconds, worst, only, log }) {
  await bundleProgram(join(ROOT, 'test', 'bench', 'search-cases.ts'), OUT)
  const cases = await import(pathToFileURL(join(OUT, 'search-cases.mjs')).href)
  const reference = referenceProgram()
  if (reference === null) throw new ToolError('no prlx in PEER_PROGRAMS: there is nothing to compare with')
  const folder = mkdtempSync(join(tmpdir(), 'headframe-search-'))
  const logs = process.env.SEARCH_LOG ?? join(ROOT, 'test-results', 'search')
  mkdirSync(logs, { recursive: true })
  const bench = await Bench.open({ cases, folder, reference, logs })
  try {
    log(`log: ${join(logs, 'log.jsonl')}`)
    return worst ? await repeatWorst(bench, { only, log }) : await search(bench, cases, { seconds, log })
  } finally {
    await bench.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @param only part of the titles of the cases that are run; null: all */
async function repeatWorst(bench, { only, log }) {
  let kept = true
  log('| case | ours CPU s | reference CPU s | ratio | when found |')
  log('|---|---|---|---|---|')
  const found = JSON.parse(readFileSync(WORST, 'utf8')).map((entry) => ({ ...entry, title: titleOf(entry.made) }))
  const cases = [...NAMED, ...found].filter(({ title }) => only === null || title.includes(only))
  for (const { title, made, ratio, isFresh } of cases) {
    if (isFresh) await bench.restart()
    const seen = await bench.run(made)
    if (seen.ratio > MAX_RATIO) kept = false
    log(
      `| ${title} | ${[seen.ours, seen.theirs, seen.ratio, ratio].map((value) => value?.toFixed(2) ?? '-').join(' | ')} |`,
    )
  }
  return kept
}

async function search(bench, { randomOf, randomCase, changedCase }, { seconds, log }) {
  const seed = Math.floor(Math.random() * 2 ** 31)
  const random = randomOf(seed)
  const until = performance.now() + seconds * 1_000
  let worst = []
  for (let count = 0; performance.now() < until; count++) {
    const from = worst[Math.floor(worst.length * (random.under(1_000) / 1_000) ** 2)]
    const made = from === undefined || random.under(3) === 0 ? randomCase(random) : changedCase(from.made, random)
    let seen = await bench.run(made, { seed, count })
    const isWorse = worst.length < KEPT || seen.ratio > worst.at(-1).ratio
    // What is worse than what is kept is measured again, and counts with the lower figure.
    if (seen.ratio > MAX_RATIO && isWorse) {
      const second = await bench.run(made, { seed, count, again: true })
      if (second.ratio < seen.ratio) seen = second
    }
    if (!isWorse || seen.ratio === 0) continue
    worst = withoutAlike([...worst, { made, ...seen }].sort((one, other) => other.ratio - one.ratio)).slice(0, KEPT)
    writeFileSync(
      join(bench.places.logs, 'worst.json'),
      `[\n${worst.map((entry) => JSON.stringify(entry)).join(',\n')}\n]\n`,
    )
    log(`${count} ${seen.ratio.toFixed(2)} ${seen.ours.toFixed(2)} s ${seen.where}: ${titleOf(made)}`)
  }
  return worst.every(({ ratio }) => ratio <= MAX_RATIO)
}

function withoutAlike(sorted) {
  const counts = new Map()
  return sorted.filter(({ made }) => {
    const count = counts.get(titleOf(made)) ?? 0
    counts.set(titleOf(made), count + 1)
    return count < ALIKE
  })
}

/** Names of the ingredients. */
function titleOf({ block, watch, pool, ask }) {
  const names = (list) => [...new Set(list)].sort().join(', ')
  const parts = [
    names(block.map(({ kind }) => kind)),
    names(watch),
    pool === null ? '' : 'pool',
    names(ask.map(({ kind }) => kind)),
  ]
  return parts.map((part) => part || '-').join(' / ')
}

/** Of the whole and of each step: what is cheap beside something expensive is found, too. */
function worstOf({ ours, theirs }, whole) {
  const steps = Object.entries(ours.steps).map(([name, used]) => ({ name, used, other: theirs.steps[name] ?? 0 }))
  const all = [{ name: 'whole', used: whole.ours, other: whole.theirs }, ...steps]
  const meant = all.filter(({ used }) => used >= LEAST_SECONDS)
  const ratios = meant.map(({ name, used, other }) => ({ where: name, ratio: (used + 0.05) / (other + 0.05) }))
  return ratios.reduce((one, other) => (other.ratio > one.ratio ? other : one), { where: 'none', ratio: 0 })
}

class Bench {
  #runs = 0
  #empty = { ours: 0, theirs: 0 }

  static async open({ cases, folder, reference, logs }) {
    const chain = await cases.SearchChain.open(join(ROOT, 'src'))
    const genesis = join(folder, 'genesis.json')
    writeFileSync(genesis, chain.genesis)
    const programs = {
      ours: new Program('ours', { folder, genesis, reference, logs }),
      theirs: new Program('theirs', { folder, genesis, reference, logs }),
    }
    const bench = new Bench(chain, programs, { folder, logs })
    try {
      await bench.#each((program) => program.start())
      for (const block of await chain.prepare()) await bench.#each((program) => program.take(bench.#file(block)))
      await bench.#calibrate()
      return bench
    } catch (error) {
      await bench.close()
      throw error
    }
  }

  constructor(chain, programs, places) {
    this.chain = chain
    this.programs = programs
    this.places = places
  }

  async close() {
    await this.#each((program) => program.stop())
  }

  /** CPU seconds of both beside the empty case's; ratio 0 where ours are too few to mean anything. */
  async run(made, notes = {}) {
    if (++this.#runs % CASES_PER_START === 0) await this.restart()
    const seen = await this.#measure(made)
    const [ours, theirs] = ['ours', 'theirs'].map((name) => Math.max(0, seen[name].cpu - this.#empty[name]))
    const failed = seen.ours.failed ?? seen.theirs.failed
    const { ratio, where } =
      seen.theirs.failed === undefined ? worstOf(seen, { ours, theirs }) : { ratio: 0, where: 'none' }
    const figures = { ratio, where, ours, theirs, memory: seen.ours.memory, theirMemory: seen.theirs.memory }
    appendFileSync(
      join(this.places.logs, 'log.jsonl'),
      `${JSON.stringify({ ...notes, ...figures, steps: seen.ours.steps, theirSteps: seen.theirs.steps, failed, made })}\n`,
    )
    if (failed !== undefined) await this.restart()
    return figures
  }

  async #measure(made) {
    const composed = await this.chain.compose(made)
    for (const block of composed.before) await this.#each((program) => program.take(this.#file(block)))
    const file = this.#file(composed.block)
    const seen = {}
    for (const [name, program] of Object.entries(this.programs)) seen[name] = await program.measure(file, composed)
    if (composed.after !== null) await this.#each((program) => program.take(this.#file(composed.after)))
    return seen
  }

  async #calibrate() {
    const empty = { block: [], watch: [], pool: null, ask: [] }
    const seen = [await this.#measure(empty), await this.#measure(empty)]
    for (const name of ['ours', 'theirs']) this.#empty[name] = Math.min(...seen.map((one) => one[name].cpu))
  }

  async restart() {
    await this.#each((program) => program.stop())
    await this.#each((program) => program.start())
  }

  async #each(action) {
    for (const program of Object.values(this.programs)) await action(program)
  }

  #file(block) {
    const path = join(this.places.folder, 'block.rlp')
    writeFileSync(path, block)
    return path
  }
}

/** One of the two nodes. */
class Program {
  #child = null
  #url = ''

  constructor(name, places) {
    this.name = name
    this.places = places
  }

  async start() {
    const { folder, genesis, reference, logs } = this.places
    const port = await freePort()
    const data = ['--datadir', join(folder, this.name)]
    const http = [
      '--http',
      '--http.addr',
      '127.0.0.1',
      '--http.port',
      String(port),
      '--http.api',
      'eth,net,web3,debug,txpool,admin',
    ]
    const alone = ['--fakepow', '--ipcdisable', '--nodiscover', '--maxpeers', '0', '--port', '0']
    if (this.name === 'theirs') execFileSync(reference, [...data, 'init', genesis], { stdio: 'ignore' })
    // Serving, prlx ignores --fakepow.
    const config = join(folder, 'reference.toml')
    writeFileSync(config, '[Parallax.XHash]\nPowMode = 3\n')
    const words =
      this.name === 'ours'
        ? [
            process.execPath,
            join(ROOT, 'bin', 'headframe.mjs'),
            'node',
            ...data,
            '--genesis',
            genesis,
            ...http,
            ...alone,
            '--log.level',
            'warn',
          ]
        : [
            reference,
            '--config',
            config,
            ...data,
            ...http,
            ...alone,
            '--networkid',
            '1337',
            '--syncmode',
            'full',
            '--nousb',
          ]
    const output = createWriteStream(join(logs, `${this.name}.log`), { flags: 'a' })
    this.#child = spawn(words[0], words.slice(1), { stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [this.#child.stdout, this.#child.stderr]) stream.pipe(output)
    this.#url = `http://127.0.0.1:${port}/`
    const until = performance.now() + START_MS
    while (
      !(await this.#ask('eth_blockNumber', []).then(
        () => true,
        () => false,
      ))
    ) {
      if (this.#child.exitCode !== null || performance.now() > until)
        throw new ToolError(`${words[0]} did not start: see ${logs}`)
      await sleep(200)
    }
    const entry = { started: this.name, cpu: this.#used() }
    appendFileSync(join(logs, 'log.jsonl'), `${JSON.stringify(entry)}\n`)
  }

  async stop() {
    const child = this.#child
    if (child === null || child.exitCode !== null || child.signalCode !== null) return
    const ended = new Promise((resolve) => child.once('exit', resolve))
    child.kill('SIGTERM')
    const late = setTimeout(() => child.kill('SIGKILL'), REQUEST_MS)
    await ended
    clearTimeout(late)
  }

  /** Imports a file of blocks. */
  async take(file) {
    try {
      await this.#ask('admin_importChain', [file], 10 * REQUEST_MS)
    } catch (error) {
      // prlx hangs up after 30 s, and goes on importing.
      if (!(error instanceof TypeError)) throw error
      await this.#quiet()
    }
  }

  async measure(file, { pool, filters, requests }) {
    const steps = {}
    let failed
    const begun = this.#used()
    const step = async (name, action) => {
      const before = this.#used()
      try {
        await action()
      } catch (error) {
        failed ??= `${this.name}, ${name}: ${error.message}`
      }
      steps[name] = (steps[name] ?? 0) + this.#used() - before
    }
    const ids = []
    for (const { method, params } of filters)
      await step('filters', async () => ids.push(await this.#ask(method, params)))
    for (let at = 0; at < pool.length; at += 20)
      await step('pool', () =>
        this.#batch(pool.slice(at, at + 20).map((raw) => ({ method: 'eth_sendRawTransaction', params: [raw] }))),
      )
    await step('block', async () => {
      await this.take(file)
      await this.#quiet()
    })
    for (const id of ids) await step('changes', () => this.#send({ method: 'eth_getFilterChanges', params: [id] }))
    for (const request of requests) await step(request.method, () => this.#send(request))
    await step('rest', () => this.#quiet())
    const memory = this.#memory()
    for (const id of ids) await this.#ask('eth_uninstallFilter', [id]).catch(() => undefined)
    return { cpu: this.#used() - begun, steps, memory, failed }
  }

  async #quiet() {
    const until = performance.now() + MAX_QUIET_WAIT_MS
    for (;;) {
      const before = this.#used()
      await sleep(QUIET_MS)
      if (this.#used() - before < QUIET_MS / 10_000 || performance.now() > until) return
    }
  }

  /** The result. */
  async #ask(method, params, limitMs = REQUEST_MS) {
    const answer = await this.#post({ jsonrpc: '2.0', id: 1, method, params }, limitMs)
    const { result, error } = await answer.json()
    if (error !== undefined) throw new Error(`${method}: ${error.message}`)
    return result
  }

  /** Reads the answer, whatever it is and however long. */
  async #send({ method, params }) {
    const answer = await this.#post({ jsonrpc: '2.0', id: 1, method, params })
    for await (const _part of answer.body);
  }

  async #batch(requests) {
    const answer = await this.#post(requests.map((request, id) => ({ jsonrpc: '2.0', id, ...request })))
    for await (const _part of answer.body);
  }

  #post(body, limitMs = REQUEST_MS) {
    if (this.#child?.exitCode !== null) throw new Error('the program ended')
    const headers = { 'content-type': 'application/json' }
    return fetch(this.#url, {
      method: 'POST',
      headers,
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(limitMs),
    })
  }

  /** CPU seconds of all its processes so far. */
  #used() {
    const ofOne = (pid) => {
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS
    }
    return this.#processes().reduce((sum, pid) => sum + ofOne(pid), 0)
  }

  /** Resident MB. */
  #memory() {
    const ofOne = (pid) => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1_000
    return Math.round(this.#processes().reduce((sum, pid) => sum + ofOne(pid), 0))
  }

  #processes() {
    const pid = this.#child.pid
    const threads = readdirSync(`/proc/${pid}/task`)
    return [pid, ...threads.flatMap((thread) => childrenOf(pid, thread))]
  }
}

function childrenOf(pid, thread) {
  try {
    return readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').trim().split(' ').filter(Boolean)
  } catch {
    return []
  }
}
