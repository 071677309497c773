import { describe, expect, it, vi } from 'vitest'
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

it('finds nothing without a driver', async () => {
  expect(await aRig({}).backend().detect(signal)).toEqual([])
})

it('omits processors unless they are named or requested', async () => {
  const { backend } = aRig({ opencl: [gpuFacts({ name: 'processor', pci: '', isCpu: true }), gpuFacts()] })

  expect(await namesOf(backend())).toEqual(['Card'])
  expect(await namesOf(backend({ indices: [0] }))).toEqual(['processor'])
  expect(await namesOf(backend({ processors: true }))).toEqual(['processor', 'Card'])
})

it('uses the given numbers, and no others', async () => {
  const { backend } = aRig({ opencl: ['a', 'b', 'c'].map((name, i) => gpuFacts({ name, pci: `0${i}:00.0` })) })

  expect(await namesOf(backend({ indices: [2, 0] }))).toEqual(['a', 'c'])
})

it('leaves a card to the preferred driver if that drives it', async () => {
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

it('reports name, address, memory and driver', async () => {
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

it('passes on jobs, solutions and ends', async () => {
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

it("says in the farm's words that memory is too small", async () => {
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

it('launches as the user fixed it, and then tunes nothing', async () => {
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

it('leaves no timer behind if it is closed while tuning', async () => {
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

describe('the dataset of the next epoch', () => {
  async function aCard(facts = gpuFacts()) {
    const { backend, gpus, clock } = aRig({ opencl: [facts] })
    const [detected] = await backend().detect(signal)
    const sink = { ...SILENT, solutionFound: vi.fn() }
    const device = detected?.open(sink)
    if (device?.prepareAhead === undefined) throw new Error('no card')
    await device.prepare(0, BUILD)
    return { device, ahead: device.prepareAhead.bind(device), gpus, clock, sink }
  }

  it('is built by a second opening of the GPU while the first one searches, and taken over at once', async () => {
    const { device, ahead, gpus, sink } = await aCard()
    device.setJob({
      token: 1,
      sealHash: new Uint8Array(32),
      target: new Uint8Array(32),
      segment: { start: 0n, bits: 8 },
    })
    await ahead(1, BUILD)
    const [first, second] = gpus.opened
    expect([first?.job?.token, first?.isClosed, gpus.opened.length]).toEqual([1, false, 2])
    second?.listener?.onSolution(1, 5n)
    expect(sink.solutionFound).not.toHaveBeenCalled()

    await device.prepare(1, BUILD)
    first?.listener?.onSolution(1, 6n)
    second?.listener?.onSolution(2, 7n)

    expect([first?.job, first?.isClosed, second?.isClosed, gpus.opened.length]).toEqual([null, true, false, 2])
    expect(sink.solutionFound.mock.calls).toEqual([[2, 7n]])
    expect(device.datasetBytes()).toBe(32_768)
  })

  it('is dropped if a different epoch came, or the GPU is closed', async () => {
    const { device, ahead, gpus } = await aCard()
    await ahead(1, BUILD)
    await device.prepare(5, BUILD)
    expect(gpus.opened.map(({ isClosed }) => isClosed)).toEqual([false, true])
    await ahead(6, BUILD)

    await device.close()

    expect(gpus.opened.map(({ isClosed }) => isClosed)).toEqual([true, true, true])
  })

  it("leaves the search alone if it fails, isn't wanted anymore, or has no room", async () => {
    const { device, ahead, gpus } = await aCard()
    const stop = new AbortController()
    const building = ahead(1, { signal: stop.signal, onProgress: () => stop.abort(new Error('not wanted')) })
    await expect(building).rejects.toThrow('not wanted')
    expect(gpus.opened.map(({ isClosed }) => isClosed)).toEqual([false, true])
    await device.prepare(1, BUILD)
    expect(gpus.opened.map(({ isClosed }) => isClosed)).toEqual([false, true])

    const small = await aCard(gpuFacts({ memoryBytes: 500 * 2 ** 20 }))
    await expect(small.ahead(1, BUILD)).rejects.toMatchObject({ code: 'DEVICE_OUT_OF_MEMORY' })
    expect(small.gpus.opened).toHaveLength(1)
  })

  it('never lets the hash count decrease', async () => {
    const { device, ahead, clock } = await aCard()
    await ahead(1, BUILD)
    clock.advance(1_000)
    const before = device.hashCount()
    await device.prepare(1, BUILD)

    expect(device.hashCount()).toBeGreaterThanOrEqual(before)
  })
})
