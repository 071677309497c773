// The first start of the real program on OpenCL, processors included, on a busy machine: kernels that nobody has compiled
// before, the full dataset of each epoch that has recorded searches, and a pool that checks every share by its own hash
// function. A restart by the watchdog, a wrong or a refused share fails it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { ROOT } from '../../lib/project.mjs'
import { poolModule, startMiner } from './pool.mjs'

/** Expected hashes of a share: seconds apart, so that the pool, which is slow at hashing, gets through them beside everything else. */
const DIFFICULTY = 1_000_000
const QUICK_DIFFICULTY = 50_000
const SHARES_AN_EPOCH = 3
/** Only ends what hangs: two busy cores take minutes for a dataset. */
const EPOCH_LIMIT_MS = 3_600_000
const LOOK_MS = 250
/** From one job to the next, as pools send them between blocks. */
const JOB_MS = 15_000
const LOAD_PROGRAM = 'for (;;);'
const OPENCL = { linux: 'libOpenCL.so.1', win32: 'OpenCL.dll' }

/**
 * @param {{ quick: boolean, log: (line: string) => void }} options `quick`: datasets of the practice network, which any
 * machine builds in seconds
 * @returns {Promise<boolean>} false when something was restarted, wrong or refused; without an OpenCL platform nothing can fail
 */
export async function benchFirstStart({ quick, log }) {
  const absence = await openclAbsence()
  if (absence !== null) {
    log(`left out: ${absence}`)
    return true
  }
  const folder = mkdtempSync(join(tmpdir(), 'headframe-first-start-'))
  // Mining gets only part of the machine: a busy thread per core, unless others keep them busy already.
  const idle = loadavg()[0] > cpus().length ? [] : cpus()
  const load = idle.map(() => new Worker(LOAD_PROGRAM, { eval: true }))
  try {
    const figures = await firstStart({ folder, quick, log })
    log(JSON.stringify(figures, null, 2))
    return figures.right
  } finally {
    await Promise.all(load.map((busy) => busy.terminate()))
    rmSync(folder, { recursive: true, force: true })
  }
}

/** @returns {Promise<string | null>} why OpenCL drives nothing here; null where it does */
async function openclAbsence() {
  const addon = createRequire(import.meta.url)(join(ROOT, 'native', 'build', 'Release', 'headframe.node'))
  const source = readFileSync(join(ROOT, 'resources', 'opencl', 'xhash.cl'), 'utf8')
  const awake = setInterval(() => undefined, 60_000) // driver calls keep nothing alive
  try {
    const driver = await addon.openOpencl(OPENCL[process.platform] ?? 'libOpenCL.so', source, 0)
    return (await addon.listGpus(driver)).length === 0 ? 'OpenCL drives no device here' : null
  } catch (error) {
    return error.message
  } finally {
    clearInterval(awake)
  }
}

async function firstStart({ folder, quick, log }) {
  const { SimulatedPool, PoolHasher, PRACTICE_SIZES } = await poolModule(folder)
  const epochs = recordedEpochs()
  const options = { flavour: 'eth-proxy', difficulty: quick ? QUICK_DIFFICULTY : DIFFICULTY, epoch: epochs[0] }
  const hasher = quick ? new PoolHasher(PRACTICE_SIZES) : new PoolHasher()
  const pool = new SimulatedPool(options, hasher)
  await pool.start()
  // Neither the driver nor the program knows the kernels.
  const env = { ...process.env, POCL_CACHE_DIR: join(folder, 'pocl') }
  // The practice network also uses the CPU's own threads: what they find proves nothing here.
  const args = ['--network', quick ? 'practice' : 'main', '-G', '--cl-cpu', '--devices', '0']
  const miner = await startMiner({ args, pool, folder, env })
  const jobs = setInterval(() => pool.broadcast(), JOB_MS)
  try {
    const steps = []
    for (const epoch of epochs) {
      hasher.prepare(epoch)
      if (epoch !== epochs[0]) pool.setEpoch(epoch)
      const step = await mineEpoch({ pool, miner, epoch })
      if (step === null) throw new Error(`the miner ended: ${miner.words.join('').trim().split('\n').at(-1)}`)
      log(`epoch ${epoch}: first share after ${step.firstShareSeconds} s, load ${step.load}`)
      steps.push(step)
    }
    const { shares } = await miner.summary()
    const restarts = miner.words.join('').split('restarting device').length - 1
    const wrong = pool.judged.filter(({ verdict }) => verdict === 'rejected' || verdict === 'duplicate')
    const right = restarts === 0 && shares.failed === 0 && wrong.length === 0
    return { epochs: steps, restarts, pool: pool.counts, miner: shares, right }
  } finally {
    clearInterval(jobs)
    await miner.stop()
    await pool.stop()
  }
}

/** From the job of an epoch to its last wanted share; null when the program ended. */
async function mineEpoch({ pool, miner, epoch }) {
  const startedAt = performance.now()
  const seconds = () => Number(((performance.now() - startedAt) / 1_000).toFixed(1))
  let ended = false
  miner.ended.then(() => {
    ended = true
  })
  const first = pool.judged.length
  let firstShareSeconds = null
  let accepted = 0
  while (accepted < SHARES_AN_EPOCH) {
    if (ended) return null
    if (performance.now() - startedAt > EPOCH_LIMIT_MS) throw new Error(`no shares of epoch ${epoch} within an hour`)
    await sleep(LOOK_MS)
    const own = pool.judged.slice(first).filter(({ job }) => pool.jobById(job)?.epoch === epoch)
    accepted = own.filter(({ verdict }) => verdict === 'accepted').length
    if (own.length > 0) firstShareSeconds ??= seconds()
  }
  return { epoch, firstShareSeconds, seconds: seconds(), accepted, load: Number(loadavg()[0].toFixed(1)) }
}

function recordedEpochs() {
  const { searches } = JSON.parse(readFileSync(join(ROOT, 'test/vectors/miner/xhash.json'), 'utf8'))
  return [...new Set(searches.map(({ epoch }) => epoch))].sort((a, b) => a - b)
}
