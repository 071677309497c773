// How fast a whole chain is taken from one peer on this computer: ours and prlx as giver and as taker, in turn.
// A run counts from the first step of the sync until all blocks but the last two are executed: prlx holds those two
// back and asks for them again every 3 s. CPU seconds are the taker's (Linux only): what else the computer does hardly moves them.
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../lib/free-port.mjs'
import { ROOT, ToolError } from '../lib/project.mjs'
import { bundleProgram } from './bundle.mjs'
import { median } from './median.mjs'

const OUT = join(ROOT, 'node_modules', '.cache', 'bench-sync')
const DOOR = join(ROOT, 'bin', 'headframe.mjs')
export const NETWORK_ID = '4716'
const RUNS = 3
const HELD_BACK = 2
const LIMIT_MS = 300_000
const START_LIMIT_MS = 60_000
const POLL_MS = 20

const CHAINS = [
  { name: 'busy', title: '100 transfers and ERC-20 calls a block', blocks: 500, transactions: 100 },
  { name: 'empty', title: 'empty blocks', blocks: 1_500, transactions: 0 },
]

/** @returns {Promise<boolean>} true when we are not slower from ourselves than prlx from itself */
export async function benchSync({ json, only, quick, log }) {
  const programsIn = process.env.PEER_PROGRAMS
  const reference = programsIn === undefined ? null : resolve(ROOT, programsIn, 'prlx')
  const programs = { ours: startOurs }
  if (reference !== null && existsSync(reference)) programs.theirs = (place) => startReference(reference, place)
  else log(`no reference in PEER_PROGRAMS (${programsIn ?? 'not set'}): only our own figures`)
  const runs = quick ? 1 : RUNS
  log(`sync from one peer on this computer, ${runs} runs each in turn, medians; load ${loadavg()[0]?.toFixed(1)}`)
  await bundleProgram(join(ROOT, 'test', 'bench', 'sync-chain.ts'), OUT)
  let kept = true
  for (const chain of CHAINS.filter(({ name }) => only === null || only === name))
    kept = (await benchChain(chain, programs, { json, runs, log })) && kept
  return kept
}

async function benchChain(chain, programs, { json, runs, log }) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-sync-'))
  const givers = {}
  try {
    makeChain(folder, chain)
    const place = (name) => ({ folder: join(folder, name), genesis: join(folder, 'genesis.json') })
    for (const [name, start] of Object.entries(programs))
      givers[name] = await start({ ...place(`giver-${name}`), blocks: join(folder, 'chain.rlp') })
    const pairs = Object.keys(programs).flatMap((taker) => Object.keys(programs).map((giver) => ({ taker, giver })))
    const seen = pairs.map(() => [])
    for (let run = 0; run < runs; run++)
      for (const [index, { taker, giver }] of pairs.entries()) {
        const fresh = place(`taker-${run}-${index}`)
        seen[index].push(await takeChain(programs[taker], fresh, givers[giver], chain.blocks))
        rmSync(fresh.folder, { recursive: true, force: true })
      }
    return report(chain, pairs, seen, { json, log })
  } finally {
    for (const giver of Object.values(givers)) await giver.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}

function report({ name, title, blocks, transactions }, pairs, seen, { json, log }) {
  const rates = {}
  if (!json) log(`${title}: ${blocks} blocks, ${blocks * transactions} transactions`)
  for (const [index, { taker, giver }] of pairs.entries()) {
    const seconds = seen[index].map((run) => run.seconds)
    const cpuSeconds = median(seen[index].map((run) => run.cpuSeconds))
    const rate = (blocks - HELD_BACK) / median(seconds)
    rates[`${taker} from ${giver}`] = rate
    if (json) log(JSON.stringify({ chain: name, taker, giver, blocksPerSecond: rate, cpuSeconds, seconds }))
    else {
      const runs = `${seconds.map((one) => one.toFixed(2)).join(' ')} s, CPU ${cpuSeconds.toFixed(1)} s`
      log(`  ${`${taker} from ${giver}`.padEnd(20)}${rate.toFixed(0).padStart(6)} blocks/s   (${runs})`)
    }
  }
  const [own, other] = [rates['ours from ours'], rates['theirs from theirs']]
  if (other === undefined) return true
  if (!json)
    log(`  goal: not slower than prlx: ${own >= other ? 'ok' : `MISSED, ${((100 * own) / other).toFixed(0)}%`}`)
  return own >= other
}

async function takeChain(start, place, giver, blocks) {
  const taker = await start(place)
  try {
    const begun = taker.begins()
    await taker.rpc('admin_addPeer', giver.enode)
    const startedAt = await begun
    const cpuBefore = cpuSecondsOf(taker.pid)
    const end = startedAt + LIMIT_MS
    while (Number(await taker.rpc('eth_blockNumber')) < blocks - HELD_BACK) {
      if (performance.now() > end)
        throw new ToolError(`no end of the sync within ${LIMIT_MS / 1_000} s:\n${taker.log()}`)
      await sleep(POLL_MS)
    }
    const seconds = (performance.now() - startedAt) / 1_000
    return { seconds, cpuSeconds: cpuSecondsOf(taker.pid) - cpuBefore }
  } finally {
    await taker.stop()
  }
}

/** A node of ours with the chain in `blocks`. @param more further words of its command line */
export async function startOurs({ folder, genesis, blocks, more = [] }) {
  mkdirSync(folder, { recursive: true })
  const words = ['--datadir', folder, '--genesis', genesis, '--networkid', NETWORK_ID]
  if (blocks !== undefined) execFileSync(process.execPath, [DOOR, 'import', blocks, ...words], { stdio: 'ignore' })
  const port = await freePort()
  const child = spawn(process.execPath, [
    ...[DOOR, 'node', ...words, '--http', '--http.port', String(port), '--http.api', 'eth,admin', '--ipcdisable'],
    ...['--p2p.addr', '127.0.0.1', '--port', '0', '--nat', 'none', '--nodiscover', '--log.level', 'debug'],
    ...more,
  ])
  return running(child, port, /peer joined/)
}

async function startReference(program, { folder, genesis, blocks }) {
  // A taker with room for one does not wait for more peers before it syncs.
  const most = blocks === undefined ? 1 : 10
  mkdirSync(folder, { recursive: true })
  const words = ['--datadir', folder]
  execFileSync(program, [...words, 'init', genesis], { stdio: 'ignore' })
  if (blocks !== undefined)
    execFileSync(program, [...words, '--syncmode', 'full', 'import', blocks], { stdio: 'ignore' })
  const [port, rpcPort, authPort] = [await freePort(), await freePort(), await freePort()]
  const config = join(folder, 'config.toml')
  const network = `[Node.P2P]\nMaxPeers = ${most}\nNoDiscovery = true\nBootstrapNodes = []\nListenAddr = "127.0.0.1:${port}"\n`
  writeFileSync(config, network)
  const child = spawn(program, [
    ...[...words, '--config', config, '--networkid', NETWORK_ID, '--nodiscover', '--nat', 'none', '--bootnodes', ''],
    ...['--syncmode', 'full', '--ipcdisable', '--authrpc.port', String(authPort)],
    ...['--http', '--http.addr', '127.0.0.1', '--http.port', String(rpcPort), '--http.api', 'eth,admin'],
  ])
  return running(child, rpcPort, /Block synchronisation started/)
}

/** @param {RegExp} mark what its log says when a sync begins */
async function running(child, port, mark) {
  let text = ''
  const waiting = []
  child.stdout.resume()
  child.stderr.on('data', (part) => {
    const now = performance.now()
    text += part.toString('utf8')
    if (mark.test(text)) for (const done of waiting.splice(0)) done(now)
  })
  const rpc = async (method, ...params) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })
    const headers = { 'content-type': 'application/json' }
    const answer = await (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body })).json()
    if (answer.error !== undefined) throw new ToolError(`${method}: ${answer.error.message}`)
    return answer.result
  }
  const stop = () =>
    new Promise((done) => {
      if (child.exitCode !== null) return done()
      child.once('exit', done)
      child.kill('SIGTERM')
    })
  const end = performance.now() + START_LIMIT_MS
  let info = null
  while (info === null) {
    if (child.exitCode !== null || performance.now() > end) throw new ToolError(`a node did not start:\n${text}`)
    info = await rpc('admin_nodeInfo').catch(() => null)
    if (info === null) await sleep(POLL_MS)
  }
  const begins = () => new Promise((done) => waiting.push(done))
  return { rpc, stop, begins, pid: child.pid, log: () => text.slice(-4_000), enode: info.enode.replace(/\?.*$/, '') }
}

/** User and system time of a process with all its threads; ticks are of 10 ms. */
export function cpuSecondsOf(pid) {
  try {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')
    return (Number(fields[11]) + Number(fields[12])) / 100
  } catch {
    return Number.NaN
  }
}

/** In a separate process, so that its memory is gone before the first run. */
function makeChain(folder, { blocks, transactions }) {
  const module = pathToFileURL(join(OUT, 'sync-chain.mjs')).href
  const args = [folder, { blocks, transactions }, join(ROOT, 'src')].map((arg) => JSON.stringify(arg)).join(', ')
  const script = `import(${JSON.stringify(module)}).then((bench) => bench.writeChain(${args}))`
  execFileSync(process.execPath, ['-e', script], { cwd: ROOT, stdio: ['ignore', 'inherit', 'inherit'] })
}
