// OpenCL on this computer, processors included: the whole dataset of epoch 0, and the search over it. Both in seconds of
// the clock and of processor time, for on a busy machine only the latter tells anything. What it finds is compared with
// the recorded searches.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../lib/project.mjs'

const DATASET_BYTES = 1_073_739_904
const CACHE_BYTES = 16_776_896
const WARM_UP_BYTES = 128 * 1_021
const LIBRARIES = { linux: 'libOpenCL.so.1', win32: 'OpenCL.dll' }

/** @returns {Promise<boolean>} false when a device found what is not so */
export async function benchOpencl({ seconds, json, log }) {
  const addon = createRequire(import.meta.url)(join(ROOT, 'native', 'build', 'Release', 'headframe.node'))
  const source = readFileSync(join(ROOT, 'resources', 'opencl', 'xhash.cl'), 'utf8')
  const awake = setInterval(() => undefined, 60_000) // questions to drivers keep nothing alive
  try {
    const driver = await addon.openOpencl(LIBRARIES[process.platform] ?? 'libOpenCL.so', source, 0)
    const devices = await addon.listGpus(driver)
    if (devices.length === 0) log('OpenCL drives no device here')
    let good = true
    for (const [index, facts] of devices.entries()) {
      const figures = await measure(addon, driver, { index, facts, seconds })
      good &&= figures.searchesRight
      log(json ? JSON.stringify(figures) : words(figures))
    }
    return good
  } finally {
    clearInterval(awake)
  }
}

async function measure(addon, driver, { index, facts, seconds }) {
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
    const cache = await addon.createCache(new Uint8Array(32), CACHE_BYTES, addon.simdLevels.at(-1))
    await addon.prepareGpu(gpu, cache, WARM_UP_BYTES) // kernels are compiled
    const dataset = await timed(() => addon.prepareGpu(gpu, cache, DATASET_BYTES))
    const search = await timed(() => Promise.race([fault, searchFor(addon, gpu, seconds)]))
    const searchesRight = await Promise.race([
      fault,
      recordedSearches(addon, gpu, found, (resolve) => {
        segmentDone = resolve
      }),
    ])
    return {
      device: facts.name,
      driver: facts.driver,
      datasetSeconds: dataset.wall,
      datasetCpuSeconds: dataset.cpu,
      hashesPerSecond: search.result / search.wall,
      hashesPerCpuSecond: search.result / search.cpu,
      searchesRight,
    }
  } finally {
    await addon.closeGpu(gpu)
  }
}

/** Hashes done in some seconds, after some that do not count. */
async function searchFor(addon, gpu, seconds) {
  const job = { startNonce: 0n, segmentBits: 60 }
  addon.setGpuJob(gpu, 1, new Uint8Array(32), new Uint8Array(32), job)
  await sleep(seconds * 1_000)
  const hashes = Number(addon.gpuHashCount(gpu))
  addon.clearGpuJob(gpu)
  return hashes
}

async function recordedSearches(addon, gpu, found, onSegmentDone) {
  const { searches } = JSON.parse(readFileSync(join(ROOT, 'test', 'vectors', 'miner', 'xhash.json'), 'utf8'))
  let token = 2
  for (const { header, start, count, target, solutions } of searches.filter(({ epoch }) => epoch === 0)) {
    found.length = 0
    const ended = new Promise((resolve) => onSegmentDone(resolve))
    const range = { startNonce: BigInt(`0x${start}`), segmentBits: 9 }
    addon.setGpuJob(gpu, token++, Buffer.from(header, 'hex'), Buffer.from(target, 'hex'), range)
    await ended
    const end = range.startNonce + BigInt(count)
    const own = found.filter((nonce) => nonce < end).map((nonce) => nonce.toString(16).padStart(16, '0'))
    if (own.sort().join() !== solutions.map(({ nonce }) => nonce).join()) return false
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
  const { device, driver, datasetSeconds, datasetCpuSeconds, hashesPerSecond, hashesPerCpuSecond, searchesRight } =
    figures
  return [
    `${device} (OpenCL ${driver})`,
    `  dataset of 1 GiB  ${datasetSeconds.toFixed(1)} s, ${datasetCpuSeconds.toFixed(1)} CPU s`,
    `  search            ${Math.round(hashesPerSecond)} H/s, ${Math.round(hashesPerCpuSecond)} H per CPU s`,
    `  recorded searches ${searchesRight ? 'found exactly' : 'NOT found as recorded'}`,
  ].join('\n')
}
