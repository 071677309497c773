import { expect, it, vi } from 'vitest'
import { silentLogger } from '../../../base/logger'
import { FakeClock } from '../../../base/testing/fake-clock'
import { NativeError } from '../../../native/errors'
import type { GpuFacts, GpuKind } from '../../../native/gpu-port'
import { XHASH_TEST } from '../../../xhash/params'
import { FakeEngine } from '../../testing/fake-engine'
import { FakeGpuDrivers, gpuFacts } from '../../testing/fake-gpu'
import type { DeviceSink } from '../device-backend'
import { GpuBackend, type GpuBackendOptions } from './gpu-backend'

const { signal } = new AbortController()
const BUILD = { onProgress: () => undefined, signal }
const SILENT: DeviceSink = { solutionFound: () => undefined, segmentDone: () => undefined, failed: () => undefined }

function aRig(devices: Partial<Record<GpuKind, readonly GpuFacts[]>>) {
  const clock = new FakeClock()
  const gpus = new FakeGpuDrivers(clock, devices)
  const engine = Object.assign(new FakeEngine(), { gpus, params: XHASH_TEST })
  const backend = (options: Partial<GpuBackendOptions> = {}, preferred?: GpuBackend): GpuBackend =>
    new GpuBackend(
      { kind: 'opencl', indices: [], shape: null, ...options },
      { engine, clock, log: silentLogger, ...(preferred === undefined ? {} : { preferred }) },
    )
  return { clock, gpus, backend }
}

const namesOf = async (backend: GpuBackend): Promise<readonly string[]> =>
  (await backend.detect(signal)).map(({ info }) => info.name)

it('finds nothing where there is no driver', async () => {
  expect(await aRig({}).backend().detect(signal)).toEqual([])
})

it('leaves processors out unless they are named or asked for', async () => {
  const { backend } = aRig({ opencl: [gpuFacts({ name: 'processor', pci: '', isCpu: true }), gpuFacts()] })

  expect(await namesOf(backend())).toEqual(['Card'])
  expect(await namesOf(backend({ indices: [0] }))).toEqual(['processor'])
  expect(await namesOf(backend({ processors: true }))).toEqual(['processor', 'Card'])
})

it('uses the numbers that were given, and no others', async () => {
  const { backend } = aRig({ opencl: ['a', 'b', 'c'].map((name, i) => gpuFacts({ name, pci: `0${i}:00.0` })) })

  expect(await namesOf(backend({ indices: [2, 0] }))).toEqual(['a', 'c'])
})

it('leaves a card that the preferred driver drives to it', async () => {
  const { backend } = aRig({
    cuda: [gpuFacts({ name: 'both' })],
    opencl: [
      gpuFacts({ name: 'both' }),
      gpuFacts({ name: 'other', pci: '02:00.0' }),
      gpuFacts({ name: 'untold', pci: '', vendor: 'NVIDIA Corporation' }),
    ],
  })
  const cuda = backend({ kind: 'cuda' })
  const opencl = backend({}, cuda)

  expect(await namesOf(cuda)).toEqual(['both'])
  expect(await namesOf(opencl)).toEqual(['other'])
})

it('tells name, address, memory and driver', async () => {
  const [device] = await aRig({ opencl: [gpuFacts()] })
    .backend()
    .detect(signal)

  expect(device).toMatchObject({
    info: { name: 'Card', pci: '01:00.0', backend: 'opencl', threads: null },
    memoryBytes: 8 * 2 ** 30,
    driver: 'OpenCL 1.0',
    sensors: null,
  })
})

it('hands jobs, solutions and ends through', async () => {
  const { gpus, backend } = aRig({ opencl: [gpuFacts()] })
  const [detected] = await backend().detect(signal)
  const sink = { solutionFound: vi.fn(), segmentDone: vi.fn(), failed: vi.fn() }
  const device = detected?.open(sink)
  await device?.prepare(0, BUILD)
  const [gpu] = gpus.opened

  device?.setJob({
    token: 7,
    sealHash: new Uint8Array(32),
    target: new Uint8Array(32),
    segment: { start: 5n, bits: 9 },
  })
  gpu?.listener?.onSolution(7, 6n)
  gpu?.listener?.onSegmentDone(7)
  gpu?.listener?.onFailed('gone')

  expect(gpu?.job).toMatchObject({ token: 7, startNonce: 5n, segmentBits: 9 })
  expect(sink.solutionFound).toHaveBeenCalledWith(7, 6n)
  expect(sink.segmentDone).toHaveBeenCalledWith(7)
  expect(sink.failed).toHaveBeenCalledWith('gone')
  expect(device?.datasetBytes()).toBe(32_768)
  await device?.close()
  expect(gpu?.isClosed).toBe(true)
})

it("says in the farm's words that memory is not enough", async () => {
  const { gpus, backend } = aRig({ opencl: [gpuFacts({ memoryBytes: 1_000 })] })
  const [detected] = await backend().detect(signal)
  const device = detected?.open(SILENT)
  for (const gpu of gpus.opened) gpu.fault = new NativeError('DEVICE_GPU_MEMORY', { text: 'no' })

  await expect(device?.prepare(0, BUILD)).rejects.toMatchObject({
    code: 'DEVICE_OUT_OF_MEMORY',
    data: { freeBytes: 1_000 },
  })
  expect(device?.datasetBytes()).toBeNull()
})

it('launches as the user fixed it, and tunes nothing then', async () => {
  const { clock, gpus, backend } = aRig({ opencl: [gpuFacts()] })
  const [detected] = await backend({ shape: { groupSize: 256, groups: 100 } }).detect(signal)
  const device = detected?.open(SILENT)
  await device?.prepare(0, BUILD)
  device?.setJob({
    token: 1,
    sealHash: new Uint8Array(32),
    target: new Uint8Array(32),
    segment: { start: 0n, bits: 9 },
  })

  expect(gpus.opened[0]?.shapes().current).toEqual({ groupSize: 256, variant: 0, batchHashes: 25_600 })
  expect(gpus.opened[0]?.batch).toBe('fixed')
  expect(clock.pending).toBe(0)
})

it('leaves no timer behind when it is closed while it tunes', async () => {
  const { clock, backend } = aRig({ opencl: [gpuFacts()] })
  const [detected] = await backend().detect(signal)
  const device = detected?.open(SILENT)
  await device?.prepare(0, BUILD)
  device?.setJob({
    token: 1,
    sealHash: new Uint8Array(32),
    target: new Uint8Array(32),
    segment: { start: 0n, bits: 9 },
  })
  expect(clock.pending).toBe(1)

  await device?.close()

  expect(clock.pending).toBe(0)
})
