// The CPU behind OpenCL (pocl) for tests, or why they are skipped.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { NativeCache, NativeGpu, NativeGpuDriver } from '../../src/native/addon'
import { addon, theAddon } from './addon'

const source = readFileSync(fileURLToPath(new URL('../../resources/opencl/xhash.cl', import.meta.url)), 'utf8')

const findPocl = async (): Promise<number | null> => {
  if (addon === null || process.platform !== 'linux') return null
  // Pending addon calls keep no program alive.
  const awake = setInterval(() => undefined, 1_000)
  try {
    const driver = await addon.openOpencl('libOpenCL.so.1', source, 0)
    const index = (await addon.listGpus(driver)).findIndex(({ isCpu }) => isCpu)
    return index === -1 ? null : index
  } catch {
    return null
  } finally {
    clearInterval(awake)
  }
}

/** its index among OpenCL's devices; null if there is none */
export const poclIndex = await findPocl()

/** For test names. */
export const poclSkipReason =
  poclIndex === null ? ' (SKIPPED: no processor behind OpenCL; apt-get install pocl-opencl-icd ocl-icd-libopencl1)' : ''

/**
 * @param allocationLimit bytes of one buffer; 0: the device's own limit
 * @param byDot bytes are folded as on devices with byte-wise dot products
 */
export function openPocl(allocationLimit = 0, byDot = false): Promise<NativeGpuDriver> {
  const text = byDot ? `#define FNV_BY_DOT 1\n${source}` : source
  return theAddon().openOpencl('libOpenCL.so.1', text, allocationLimit)
}

/** An open device whose searches can be waited for. */
export class Pocl {
  readonly #hits: bigint[] = []
  #segmentDone: (token: number) => void = () => undefined
  #failed: (error: unknown) => void = () => undefined
  #token = 1
  readonly gpu: NativeGpu

  /** @param binaryFolder empty: compiled kernels aren't cached */
  constructor(driver: NativeGpuDriver, binaryFolder = '') {
    this.gpu = theAddon().createGpu(driver, poclIndex ?? 0, {
      binaryFolder,
      onSolution: (_, nonce) => this.#hits.push(nonce),
      onSegmentDone: (token) => this.#segmentDone(token),
      onFailed: (error) => this.#failed(error),
    })
  }

  prepare(cache: NativeCache, datasetBytes: number): Promise<void> {
    return theAddon().prepareGpu(this.gpu, cache, datasetBytes)
  }

  /** @returns the items `indices`, or the first `count`, joined */
  items(indices: Uint32Array | number): Promise<Uint8Array> {
    const wanted = typeof indices === 'number' ? Uint32Array.from({ length: indices }, (_, index) => index) : indices
    return theAddon().readGpuItems(this.gpu, wanted)
  }

  /** @param variant 0: one work item per nonce; 1, 2: four, eight work items per row */
  shape(variant: number, groupSize: number): void {
    theAddon().setGpuShape(this.gpu, { variant, groupSize, batchHashes: groupSize * 4 }, true)
  }

  /** Every hit among the 2^bits nonces from `start` on, ascending. */
  async search(sealHash: Uint8Array, target: Uint8Array, start: bigint, bits: number): Promise<readonly bigint[]> {
    this.#hits.length = 0
    const token = this.#token++
    await new Promise<void>((resolve, reject) => {
      this.#segmentDone = (done) => {
        if (done === token) resolve()
      }
      this.#failed = reject
      theAddon().setGpuJob(this.gpu, token, sealHash, target, { startNonce: start, segmentBits: bits })
    })
    return [...this.#hits].sort((a, b) => (a < b ? -1 : 1))
  }

  close(): Promise<void> {
    return theAddon().closeGpu(this.gpu)
  }
}
