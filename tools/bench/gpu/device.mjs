// One GPU, measured from opening to closing: are its results right, how long does a dataset take, how fast is each
// kernel, and how soon does it work on a new job?
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { ROOT } from '../../lib/project.mjs'
import { PowerMeter } from './power.mjs'

const SEGMENT_BITS = 9
const SEGMENT = 2 ** SEGMENT_BITS
const ENDLESS_BITS = 60
const ONE_IN_16 = hashOf(0x0fffffffffffffffn)
const SWITCHES = 20
const HITS_A_LAUNCH = 4n
/** Dataset and cache, plus what the driver needs. */
const SPARE_BYTES = 256 * 2 ** 20
/** GB/s from the vendors' data sheets, by a part of the name the driver reports. */
const MEMORY_SPEEDS = [
  ['H200', 4_800],
  ['H100', 3_350],
  ['A100-SXM4-80', 2_039],
  ['A100', 1_555],
  ['5090', 1_792],
  ['4090', 1_008],
  ['3090', 936],
  ['3080', 760],
  ['MI300X', 5_300],
  ['Radeon VII', 1_024],
  ['7900 XTX', 960],
  ['6800', 512],
  ['RX 580', 256],
]

/** @returns {object} figures; `right` is false where the device found what is not so, or missed what is */
export async function measureDevice(addon, driver, { kind, index, facts, plan, nvml, log }) {
  const bench = new DeviceBench(addon, driver, index)
  const { sizes, epochs, trialMs, longMs } = plan
  try {
    const openedAt = performance.now()
    await bench.prepare(sizes, 0, 128 * 1_021)
    const kernelSeconds = (performance.now() - openedAt) / 1_000
    const checked = []
    for (const epoch of epochs) {
      const bytes = addon.datasetBytes(sizes, epoch)
      if (bytes + SPARE_BYTES > facts.memoryBytes) {
        checked.push({ epoch, datasetBytes: bytes, leftOut: 'more than the device has memory' })
        continue
      }
      checked.push(await bench.checkEpoch(sizes, epoch, plan.vectors))
      log(`${facts.name}: epoch ${epoch} ${JSON.stringify(checked.at(-1))}`)
    }
    await bench.prepare(sizes, 0)
    const trials = await bench.trials(trialMs)
    const best = trials.reduce((a, b) => (b.hashesPerSecond > a.hashesPerSecond ? b : a))
    bench.shape(best)
    const power = new PowerMeter(addon, nvml, facts.pci)
    const hashesPerSecond = await bench.rate(longMs)
    const watts = await power.stop()
    const switchMs = await bench.switches()
    const speed = MEMORY_SPEEDS.find(([part]) => facts.name.includes(part))?.[1] ?? null
    return {
      kind,
      name: facts.name,
      driver: facts.driver,
      pci: facts.pci,
      memoryBytes: facts.memoryBytes,
      kernelSeconds,
      epochs: checked,
      trials,
      hashesPerSecond,
      memoryLimit: speed === null ? null : (speed * 1e9) / 8_192,
      watts,
      switchMs,
      right: checked.every(({ right }) => right !== false),
    }
  } finally {
    await addon.closeGpu(bench.gpu)
  }
}

class DeviceBench {
  #found = []
  #token = 0
  #onHit = () => undefined
  #onDone = () => undefined
  #fail = () => undefined
  #fault = new Promise((_, reject) => {
    this.#fail = reject
  })

  constructor(addon, driver, index) {
    this.addon = addon
    this.#fault.catch(() => undefined) // it is raced with what it would interrupt
    this.gpu = addon.createGpu(driver, index, {
      binaryFolder: '',
      onSolution: (token, nonce) => {
        this.#found.push(nonce)
        this.#onHit(token)
      },
      onSegmentDone: (token) => this.#onDone(token),
      onFailed: (error) => this.#fail(error),
    })
  }

  /** @returns the epoch's cache */
  async prepare(sizes, epoch, bytes = this.addon.datasetBytes(sizes, epoch)) {
    const { addon } = this
    const cache = await addon.createCache(
      addon.seedHash(epoch),
      addon.cacheBytes(sizes, epoch),
      addon.simdLevels.at(-1),
    )
    const startedAt = performance.now()
    await addon.prepareGpu(this.gpu, cache, bytes)
    this.prepareSeconds = (performance.now() - startedAt) / 1_000
    return cache
  }

  /** Items and a segment's hits against the processor, and against what is recorded of the epoch. */
  async checkEpoch(sizes, epoch, vectors) {
    const { addon } = this
    const cache = await this.prepare(sizes, epoch)
    const datasetBytes = addon.datasetBytes(sizes, epoch)
    const datasetSeconds = this.prepareSeconds
    const items = datasetBytes / 64
    const indices = Uint32Array.from({ length: 1_000 }, (_, i) => Math.floor((i * (items - 1)) / 999))
    const made = await addon.readGpuItems(this.gpu, indices)
    const itemsRight = Buffer.compare(made, addon.datasetItems(cache, indices)) === 0
    const sealHash = addon.seedHash(epoch + 1)
    const start = BigInt(epoch) << 40n
    const nonces = Array.from({ length: SEGMENT }, (_, i) => start + BigInt(i))
    const hashes = await Promise.all(nonces.map((nonce) => addon.hashLight(cache, datasetBytes, sealHash, nonce)))
    const expected = nonces.filter((_, i) => Buffer.compare(hashes[i].subarray(32, 40), ONE_IN_16.subarray(0, 8)) <= 0)
    const found = await this.#segment(sealHash, ONE_IN_16, start)
    const searchRight = expected.join() === found.join()
    const recorded = vectors ? await this.#isAsRecorded(epoch) : null
    const right = itemsRight && searchRight && recorded !== false
    return { epoch, datasetBytes, datasetSeconds, itemsRight, searchRight, hits: found.length, recorded, right }
  }

  /** Null where nothing is recorded of the epoch. */
  async #isAsRecorded(epoch) {
    const { searches, datasetItems } = JSON.parse(readFileSync(join(ROOT, 'test/vectors/miner/xhash.json'), 'utf8'))
    const rows = datasetItems.filter((row) => row.epoch === epoch)
    const jobs = searches.filter((search) => search.epoch === epoch)
    if (rows.length + jobs.length === 0) return null
    for (const { index, item } of rows) {
      const bytes = await this.addon.readGpuItems(this.gpu, Uint32Array.of(2 * index, 2 * index + 1))
      if (Buffer.from(bytes).toString('hex') !== item) return false
    }
    for (const { header, start, count, target, solutions } of jobs) {
      const first = BigInt(`0x${start}`)
      const found = await this.#segment(Buffer.from(header, 'hex'), Buffer.from(target, 'hex'), first)
      const own = found.filter((nonce) => BigInt.asUintN(64, nonce - first) < count)
      const wanted = solutions.map(({ nonce }) => BigInt(`0x${nonce}`)).sort(byValue)
      if (own.join() !== wanted.join()) return false
    }
    return true
  }

  /** Hits among 512 nonces, ascending. */
  async #segment(sealHash, target, startNonce) {
    this.#found.length = 0
    const token = ++this.#token
    const done = new Promise((resolve) => {
      this.#onDone = (ended) => ended === token && resolve()
    })
    this.addon.setGpuJob(this.gpu, token, sealHash, target, { startNonce, segmentBits: SEGMENT_BITS })
    await Promise.race([done, this.#fault])
    return [...this.#found].sort(byValue)
  }

  #work(target) {
    const token = ++this.#token
    const range = { startNonce: BigInt(token) << 32n, segmentBits: ENDLESS_BITS }
    this.addon.setGpuJob(this.gpu, token, this.addon.seedHash(token % 64), target, range)
    return token
  }

  shape({ variant, groupSize, batchHashes }) {
    const groups = Math.max(1, Math.floor(batchHashes / groupSize))
    this.addon.setGpuShape(this.gpu, { variant, groupSize, batchHashes: groups * groupSize }, false)
  }

  /** Each kernel with each group size for a moment. */
  async trials(trialMs) {
    const { current, variants, groupSizes } = this.addon.gpuShapes(this.gpu)
    const results = []
    for (let variant = 0; variant < variants; variant++) {
      for (const groupSize of groupSizes) {
        this.shape({ variant, groupSize, batchHashes: current.batchHashes })
        const hashesPerSecond = await this.rate(trialMs)
        results.push({
          variant,
          groupSize,
          batchHashes: this.addon.gpuShapes(this.gpu).current.batchHashes,
          hashesPerSecond,
        })
      }
    }
    return results
  }

  /** Hashes a second, once the kernel is compiled and its launches have found their length. */
  async rate(ms) {
    this.#work(hashOf(0n))
    await Promise.race([this.#settled(ms), this.#fault])
    const before = this.addon.gpuHashCount(this.gpu)
    const startedAt = performance.now()
    await Promise.race([sleep(ms), this.#fault])
    const hashes = Number(this.addon.gpuHashCount(this.gpu) - before)
    const rate = (hashes * 1_000) / (performance.now() - startedAt)
    this.addon.clearGpuJob(this.gpu)
    // Else the next shape seems to search while it is compiled.
    while (this.addon.gpuActivity(this.gpu) !== 'idle') await Promise.race([sleep(10), this.#fault])
    return rate
  }

  async #settled(ms) {
    while (this.addon.gpuActivity(this.gpu) !== 'searching') await sleep(10)
    await sleep(Math.max(200, ms / 2))
  }

  /** From each new job to its first result: earlier launches finish first, then its own. */
  async switches() {
    const { batchHashes } = this.addon.gpuShapes(this.gpu).current
    const target = hashOf((2n ** 64n * HITS_A_LAUNCH) / BigInt(Math.max(batchHashes, 64)))
    const times = []
    for (let i = 0; i < SWITCHES; i++) {
      const startedAt = performance.now()
      let token = 0
      const first = new Promise((resolve) => {
        this.#onHit = (of) => of === token && resolve()
      })
      token = this.#work(target)
      await Promise.race([first, this.#fault])
      times.push(performance.now() - startedAt)
      await sleep(50)
    }
    this.#onHit = () => undefined
    this.addon.clearGpuJob(this.gpu)
    times.sort((a, b) => a - b)
    return { median: times[SWITCHES / 2], most: times.at(-1) }
  }
}

const byValue = (a, b) => (a < b ? -1 : a > b ? 1 : 0)

/** A target whose first 64 bits are `top`, all others set. */
function hashOf(top) {
  const bytes = Buffer.alloc(32, 0xff)
  bytes.writeBigUInt64BE(top >= 2n ** 64n ? 2n ** 64n - 1n : top)
  return bytes
}
