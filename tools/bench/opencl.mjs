// OpenCL on this computer, processors included: the whole dataset of epoch 0, and the search over it. Both in seconds of
// the clock and of processor time, for on a busy machine only the latter tells anything. What it finds is compared with
// the recorded searches, with --all of every recorded epoch, and so are the recorded items.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../lib/project.mjs'

/** The public networks' rule. Source, src/xhash/params.ts */
const SIZES = {
  cacheBytesInit: 2 ** 24,
  cacheBytesGrowth: 2 ** 17,
  datasetBytesInit: 2 ** 30,
  datasetBytesGrowth: 2 ** 23,
}
const WARM_UP_BYTES = 128 * 1_021
const LIBRARIES = { linux: 'libOpenCL.so.1', win32: 'OpenCL.dll' }

/** @returns {Promise<boolean>} false when a device found what is not so */
export async function benchOpencl({ seconds, all = false, json, log }) {
  const addon = createRequire(import.meta.url)(join(ROOT, 'native', 'build', 'Release', 'headframe.node'))
  const source = readFileSync(join(ROOT, 'resources', 'opencl', 'xhash.cl'), 'utf8')
  const awake = setInterval(() => undefined, 60_000) // driver calls keep nothing alive
  try {
    const driver = await addon.openOpencl(LIBRARIES[process.platform] ?? 'libOpenCL.so', source, 0)
    const devices = await addon.listGpus(driver)
    if (devices.length === 0) log('OpenCL drives no device here')
    let good = true
    for (const [index, facts] of devices.entries()) {
      const figures = await measure(addon, driver, { index, facts, seconds, epochs: all ? recordedEpochs() : [0] })
      good &&= Object.values(figures.right).every((isRight) => isRight)
      log(json ? JSON.stringify(figures) : words(figures))
    }
    return good
  } finally {
    clearInterval(awake)
  }
}

async function measure(addon, driver, { index, facts, seconds, epochs }) {
  const found = []
  let segmentDone = () => undefined
  let failed = () => undefined
  const fault = new Promise((_, reject) => {
    failed = reject
  })
  fault.catch(() => undefined) // it is raced with what it would interrupt
  const gpu = addon.createGpu(driver, index, {
    binaryFolder: '',
    onSolution: (_, nonce) => found.push(nonce),
    onSegmentDone: () => segmentDone(),
    onFailed: (error) => failed(error),
  })
  try {
    const cacheOf = (epoch) =>
      addon.createCache(addon.seedHash(epoch), addon.cacheBytes(SIZES, epoch), addon.simdLevels.at(-1))
    const first = await cacheOf(0)
    await addon.prepareGpu(gpu, first, WARM_UP_BYTES) // kernels are compiled
    const dataset = await timed(() => addon.prepareGpu(gpu, first, addon.datasetBytes(SIZES, 0)))
    const search = await timed(() => Promise.race([fault, searchFor(addon, gpu, seconds)]))
    const right = {}
    for (const epoch of epochs) {
      if (epoch > 0) await addon.prepareGpu(gpu, await cacheOf(epoch), addon.datasetBytes(SIZES, epoch))
      const check = { epoch, found, onSegmentDone: (resolve) => (segmentDone = resolve) }
      right[epoch] = await Promise.race([fault, isAsRecorded(addon, gpu, check)])
      process.stderr.write(`epoch ${epoch}: ${right[epoch] ? 'as recorded' : 'NOT as recorded'}\n`)
    }
    return {
      device: facts.name,
      driver: facts.driver,
      datasetSeconds: dataset.wall,
      datasetCpuSeconds: dataset.cpu,
      hashesPerSecond: search.result / search.wall,
      hashesPerCpuSecond: search.result / search.cpu,
      right,
    }
  } finally {
    await addon.closeGpu(gpu)
  }
}

/** Hashes in some seconds, after a warm-up. */
async function searchFor(addon, gpu, seconds) {
  const job = { startNonce: 0n, segmentBits: 60 }
  addon.setGpuJob(gpu, 1, new Uint8Array(32), new Uint8Array(32), job)
  await sleep(seconds * 1_000)
  const hashes = Number(addon.gpuHashCount(gpu))
  addon.clearGpuJob(gpu)
  return hashes
}

function recorded() {
  return JSON.parse(readFileSync(join(ROOT, 'test', 'vectors', 'miner', 'xhash.json'), 'utf8'))
}

function recordedEpochs() {
  return [...new Set(recorded().searches.map(({ epoch }) => epoch))]
}

/** Rows of 128 bytes and searches of this epoch. */
async function isAsRecorded(addon, gpu, { epoch, found, onSegmentDone }) {
  const { searches, datasetItems } = recorded()
  for (const { index, item } of datasetItems.filter((row) => row.epoch === epoch)) {
    const bytes = await addon.readGpuItems(gpu, Uint32Array.of(2 * index, 2 * index + 1))
    if (Buffer.from(bytes).toString('hex') !== item) return false
  }
  let token = 1_000 * (epoch + 1) // unlike any other
  for (const { header, start, count, target, solutions } of searches.filter((search) => search.epoch === epoch)) {
    found.length = 0
    const ended = new Promise((resolve) => onSegmentDone(resolve))
    const range = { startNonce: BigInt(`0x${start}`), segmentBits: 9 }
    addon.setGpuJob(gpu, token++, Buffer.from(header, 'hex'), Buffer.from(target, 'hex'), range)
    await ended
    const own = found
      .filter((nonce) => BigInt.asUintN(64, nonce - range.startNonce) < count)
      .map((nonce) => nonce.toString(16).padStart(16, '0'))
    if (own.sort().join() !== [...solutions.map(({ nonce }) => nonce)].sort().join()) return false
  }
  return true
}

async function timed(work) {
  const startedAt = performance.now()
  const before = process.cpuUsage()
  const result = await work()
  const { user, system } = process.cpuUsage(before)
  return { result, wall: (performance.now() - startedAt) / 1_000, cpu: (user + system) / 1e6 }
}

function words(figures) {
  const { device, driver, datasetSeconds, datasetCpuSeconds, hashesPerSecond, hashesPerCpuSecond, right } = figures
  return [
    `${device} (OpenCL ${driver})`,
    `  dataset of 1 GiB  ${datasetSeconds.toFixed(1)} s, ${datasetCpuSeconds.toFixed(1)} CPU s`,
    `  search            ${Math.round(hashesPerSecond)} H/s, ${Math.round(hashesPerCpuSecond)} H per CPU s`,
    ...Object.entries(right).map(
      ([epoch, isRight]) =>
        `  epoch ${epoch.padEnd(12)} ${isRight ? 'items and searches as recorded' : 'NOT as recorded'}`,
    ),
  ].join('\n')
}
