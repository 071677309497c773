// CUDA from TypeScript down to the driver's functions: the real addon, the real host code, the shipped PTX's names, and
// our own driver library, which runs the kernels on the CPU and fails on command.
import { spawnSync } from 'node:child_process'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Gpu, GpuDriver } from '../../src/native/gpu-port'
import { loadAddon } from '../../src/native/loader'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { XHASH_TEST } from '../../src/xhash/params'
import { until } from './pool-harness'

const searchFrom = fileURLToPath(new URL('.', import.meta.url))
const native = (path: string): string => fileURLToPath(new URL(`../../native/test/${path}`, import.meta.url))
const SOURCES = ['fake-cuda/fake_cuda.cpp', 'cuda-host/kernels.cpp', 'cuda-host/warp.cpp']
const compiler = ['c++', 'g++', 'clang++'].find((name) => spawnSync(name, ['--version']).status === 0)
const canRun = compiler !== undefined && process.platform === 'linux' && 'addon' in loadAddon({ searchFrom })

const SEAL_HASH = new Uint8Array(32).fill(7)
/** one nonce in 32 */
const TARGET = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 0x07 : 0xff))
const START = 2n ** 64n - 100n
const SEGMENT_BITS = 8
const NO_PROGRESS = { onProgress: () => undefined, signal: new AbortController().signal }

let folder = ''
let library = ''
let engine: XhashEngine
let driver: GpuDriver
const open: Gpu[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'headframe-cuda-'))
  library = join(folder, 'libfake-cuda.so')
  if (!canRun || compiler === undefined) return
  const flags = ['-std=c++20', '-O1', '-shared', '-fPIC', '-fvisibility=hidden', '-pthread']
  const built = spawnSync(compiler, [...flags, '-o', library, ...SOURCES.map(native)], { encoding: 'utf8' })
  if (built.status !== 0) throw new Error(built.stderr)
  process.env.FAKE_CUDA_FAULTS = join(folder, 'faults')
})
afterAll(async () => {
  delete process.env.FAKE_CUDA_FAULTS
  await rm(folder, { recursive: true, force: true })
})

/** In one step: the library may be reading. */
async function fault(words: string): Promise<void> {
  const next = join(folder, 'next')
  await writeFile(next, words)
  await rename(next, join(folder, 'faults'))
}

async function openDriver(): Promise<GpuDriver> {
  const opened = await engine.gpus?.open('cuda', { library })
  if (opened === undefined || 'absent' in opened) throw new Error(opened?.absent ?? 'no addon')
  return opened
}

/** What one device has reported so far. */
interface Heard {
  readonly nonces: bigint[]
  readonly failures: unknown[]
  finished: number
}

function openGpu(index: number): { readonly gpu: Gpu; readonly heard: Heard } {
  const heard: Heard = { nonces: [], failures: [], finished: 0 }
  const gpu = driver.open(index, {
    onSolution: (_token, nonce) => heard.nonces.push(nonce),
    onSegmentDone: () => {
      heard.finished++
    },
    onFailed: (error) => heard.failures.push(error),
  })
  open.push(gpu)
  return { gpu, heard }
}

const startJob = (gpu: Gpu, token: number): void =>
  gpu.setJob({ token, sealHash: SEAL_HASH, target: TARGET, startNonce: START, segmentBits: SEGMENT_BITS })

/** By the light hash, in ascending order. */
async function expectedNonces(): Promise<bigint[]> {
  const nonces = Array.from({ length: 2 ** SEGMENT_BITS }, (_, i) => BigInt.asUintN(64, START + BigInt(i)))
  const hashes = await Promise.all(nonces.map((nonce) => engine.hashLight(0, SEAL_HASH, nonce)))
  return nonces.filter((_, i) => (hashes[i]?.result[0] ?? 255) <= (TARGET[0] ?? 0)).sort(byNumber)
}

const byNumber = (a: bigint, b: bigint): number => (a < b ? -1 : 1)

describe.skipIf(!canRun)('CUDA (skipped without a C++ compiler, the addon or Linux)', () => {
  beforeEach(async () => {
    await fault('')
    engine = createXhashEngine(XHASH_TEST, { searchFrom })
    driver = await openDriver()
  })
  afterEach(async () => {
    await fault('')
    await Promise.all(open.splice(0).map((gpu) => gpu.close()))
    await engine.close()
  })

  it('lists the cards as the driver knows them', async () => {
    const [first, second] = await driver.list()

    expect(first).toEqual({
      name: 'Fake GPU 0',
      vendor: 'NVIDIA',
      driver: 'CUDA 12.9',
      pci: '0a:00.0',
      memoryBytes: 2 ** 30,
      computeUnits: 1,
      isCpu: false,
    })
    expect(second?.pci).toBe('0001:01:00.0')
  })

  it('builds the dataset, and finds with every kernel exactly what is there', async () => {
    const { gpu, heard } = openGpu(0)
    const expected = await expectedNonces()
    await gpu.prepare(0, NO_PROGRESS)
    const indices = Uint32Array.from([0, 1, 255, 511])
    expect(await gpu.readItems(indices)).toEqual(await engine.datasetItems(0, indices))
    expect(gpu.shapes()).toMatchObject({ variants: 4, groupSizes: [64, 128, 256] })

    for (const variant of [0, 1, 2, 3]) {
      gpu.setShape({ groupSize: 64, variant, batchHashes: 64 }, 'fixed')
      startJob(gpu, variant + 1)
      await until('the segment', () => heard.finished === variant + 1, 240_000)
      expect(heard.nonces.splice(0).sort(byNumber)).toEqual(expected)
    }
    expect(gpu.hashCount()).toBe(4n * 2n ** BigInt(SEGMENT_BITS))
    expect(expected.length).toBeGreaterThan(1)
  })

  it('reports memory and kernel failures in the driver’s words', async () => {
    await fault('memory=9999')
    await expect(openGpu(0).gpu.prepare(0, NO_PROGRESS)).rejects.toMatchObject({
      code: 'DEVICE_GPU_MEMORY',
      message: expect.stringContaining('cuMemAlloc: CUDA_ERROR_OUT_OF_MEMORY (2), 1 MiB for the dataset'),
    })
    await fault('jit')
    await expect(openGpu(0).gpu.prepare(0, NO_PROGRESS)).rejects.toMatchObject({
      code: 'DEVICE_GPU_BUILD',
      message: expect.stringContaining('line 9; error : refused'),
    })
  })

  it('reports a lost card, which works when opened again', async () => {
    const { gpu, heard } = openGpu(0)
    await gpu.prepare(0, NO_PROGRESS)
    await fault('launch')
    startJob(gpu, 1)
    await until('the failure', () => heard.failures.length > 0, 240_000)
    expect(heard.failures).toMatchObject([{ code: 'DEVICE_GPU_LOST' }])
    await gpu.close()
    await fault('')

    const again = openGpu(0)
    await again.gpu.prepare(0, NO_PROGRESS)
    again.gpu.setShape({ groupSize: 64, variant: 0, batchHashes: 64 }, 'fixed')
    startJob(again.gpu, 2)
    await until('the segment', () => again.heard.finished === 1, 240_000)

    expect(again.heard.nonces.length).toBeGreaterThan(1)
  })

  it('keeps the other cards working when one hangs', async () => {
    const hung = openGpu(0)
    const healthy = openGpu(1)
    await Promise.all([hung.gpu.prepare(0, NO_PROGRESS), healthy.gpu.prepare(0, NO_PROGRESS)])
    await fault('hang')
    for (const { gpu } of [hung, healthy]) {
      gpu.setShape({ groupSize: 64, variant: 0, batchHashes: 64 }, 'fixed')
      startJob(gpu, 1)
    }
    await until('the healthy card', () => healthy.heard.finished === 1, 240_000)

    expect(hung.heard).toEqual({ nonces: [], failures: [], finished: 0 })
    expect(hung.gpu.hashCount()).toBe(0n)
  })

  it('refuses to close a card a second time, before and after it was released', async () => {
    const loaded = loadAddon({ searchFrom })
    if ('error' in loaded) throw new Error(loaded.error)
    const { addon } = loaded
    const opened = await addon.openCuda(library, folder, 0)
    const unheard = { onSolution: () => undefined, onSegmentDone: () => undefined, onFailed: () => undefined }
    const gpu = addon.createGpu(opened, 0, { binaryFolder: '', ...unheard })
    const closing = addon.closeGpu(gpu)

    expect(() => addon.closeGpu(gpu)).toThrow('closed already')
    await closing
    expect(() => addon.closeGpu(gpu)).toThrow('closed already')
    await expect(addon.readGpuItems(gpu, new Uint32Array(1))).rejects.toThrow('the device was closed')
  })

  it('is absent, with the reason, without driver or card', async () => {
    await fault('no-device')
    expect(await engine.gpus?.open('cuda', { library })).toEqual({ absent: 'cuInit: CUDA_ERROR_NO_DEVICE (100)' })
    const missing = await engine.gpus?.open('cuda', { library: '/nonexistent/libcuda.so.1' })
    expect(missing).toEqual({ absent: expect.stringContaining('/nonexistent/libcuda.so.1') })
  })
})
