// The whole program on a simulated pool that verifies every share itself: do their counts agree, and what does the
// miner report?
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { freePort } from '../../lib/free-port.mjs'
import { ROOT } from '../../lib/project.mjs'
import { packagesFirst } from '../../lib/set-up.mjs'

await packagesFirst()
const { build } = await import('vite')

const SECONDS_A_SHARE = 2
const READY_MS = 120_000
const DRAIN_MS = 2_000
const STOP_MS = 20_000

/** @param {{ args: string[], practice: boolean, hashesPerSecond: number, seconds: number }} run */
export async function measurePool({ args, practice, hashesPerSecond, seconds }) {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-gpu-pool-'))
  try {
    const { SimulatedPool, PoolHasher, PRACTICE_SIZES } = await poolModule(folder)
    const difficulty = Math.max(1_000, Math.round(hashesPerSecond * SECONDS_A_SHARE))
    const hasher = practice ? new PoolHasher(PRACTICE_SIZES) : new PoolHasher()
    const pool = new SimulatedPool({ flavour: 'eth-proxy', difficulty }, hasher)
    await pool.start()
    const miner = await startMiner({ args, pool, folder })
    const { words, ended } = miner
    const jobs = setInterval(() => pool.broadcast(), 15_000)
    try {
      // Kernels and datasets come first.
      for (let waited = 0; waited < READY_MS && pool.judged.length === 0; waited += 500) {
        await Promise.race([sleep(500), ended])
      }
      await Promise.race([sleep(seconds * 1_000), ended])
      pool.setDifficulty(2 ** 52) // no more shares: the last ones are answered
      pool.broadcast()
      await sleep(DRAIN_MS)
      const { shares, hashrate } = await miner.summary()
      const { counts } = pool
      const agrees = counts.accepted === shares.accepted && shares.failed === 0 && counts.accepted > 0
      return { seconds, difficulty, pool: counts, miner: shares, hashesPerSecond: hashrate['60s'], agrees }
    } catch (error) {
      return { seconds, agrees: false, failed: `${error.message}: ${words.join('').trim().split('\n').at(-1)}` }
    } finally {
      clearInterval(jobs)
      await miner.stop()
      await pool.stop()
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/**
 * The real program on an eth-proxy pool, with an empty data directory.
 * @returns `words`: what it wrote, in pieces; `ended`: a promise of its end
 */
export async function startMiner({ args, pool, folder, env = process.env }) {
  const port = await freePort()
  const address = `stratum1+tcp://0x${'11'.repeat(20)}@127.0.0.1:${pool.port}`
  const own = ['-P', address, '--api-bind', `127.0.0.1:${port}`, '--datadir', join(folder, 'data')]
  const stdio = ['ignore', 'pipe', 'pipe']
  const child = spawn(process.execPath, [join(ROOT, 'bin', 'headframe.mjs'), 'miner', ...args, ...own], { stdio, env })
  const words = []
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => words.push(String(chunk)))
  const ended = new Promise((resolve) => child.once('exit', resolve))
  return {
    words,
    ended,
    summary: async () => (await fetch(`http://127.0.0.1:${port}/api/v1/summary`)).json(),
    async stop() {
      child.kill('SIGTERM')
      await Promise.race([ended, sleep(STOP_MS)])
    },
  }
}

/** @returns the simulated pool of the tests and its own hash function */
export async function poolModule(folder) {
  const names = ['pool', 'independent-xhash']
  await build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: true,
      outDir: join(folder, 'pool'),
      target: 'node20',
      rollupOptions: {
        input: Object.fromEntries(names.map((name) => [name, join(ROOT, 'test', 'miner', 'pool-sim', `${name}.ts`)])),
        output: { format: 'es', entryFileNames: '[name].mjs' },
      },
    },
  })
  const modules = names.map((name) => import(pathToFileURL(join(folder, 'pool', `${name}.mjs`)).href))
  return Object.assign({}, ...(await Promise.all(modules)))
}
