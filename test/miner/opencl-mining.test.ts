// A CPU behind OpenCL (pocl) as a device of the farm: found, built, verified, mined with, and released.
import { afterEach, describe, expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { GpuBackend } from '../../src/miner/farm/backends/gpu-backend'
import { checkDataset } from '../../src/miner/farm/datasets/dataset-preparer'
import type { DeviceSink, MiningDevice } from '../../src/miner/farm/device-backend'
import { createXhashEngine, type XhashEngine } from '../../src/native/xhash-engine'
import { XHASH_PRACTICE, XHASH_TEST, type XhashParams } from '../../src/xhash/params'
import { poclIndex, poclSkipReason } from '../xhash/pocl'
import { until } from './pool-harness'

const LIMIT_MS = 240_000
const { signal } = new AbortController()
const BUILD = { onProgress: () => undefined, signal }
const SILENT: DeviceSink = { solutionFound: () => undefined, segmentDone: () => undefined, failed: () => undefined }
const sealHash = new Uint8Array(32).fill(3)
const target = new Uint8Array(32).fill(0xff)
target[0] = 3

interface Mining {
  readonly engine: XhashEngine
  readonly device: MiningDevice
}
const running: Mining[] = []
afterEach(async () => {
  for (const { engine, device } of running.splice(0)) {
    await device.close()
    await engine.close()
  }
})

async function mining(params: XhashParams, sink: DeviceSink): Promise<Mining> {
  const engine = createXhashEngine(params, { searchFrom: import.meta.dirname })
  const options = { kind: 'opencl', indices: [poclIndex ?? 0], shape: null } as const
  const [detected] = await new GpuBackend(options, { engine, clock: systemClock(), log: silentLogger }).detect(signal)
  if (detected === undefined) throw new Error('the processor behind OpenCL is gone')
  const started = { engine, device: detected.open(sink) }
  running.push(started)
  return started
}

describe.skipIf(poclIndex === null)(`mining by OpenCL${poclSkipReason}`, () => {
  it(
    'finds what light hashes confirm, counts every nonce, and reports when the segment is done',
    async () => {
      const found: bigint[] = []
      const ended: number[] = []
      const { engine, device } = await mining(XHASH_TEST, {
        ...SILENT,
        solutionFound: (_, nonce) => found.push(nonce),
        segmentDone: (token) => ended.push(token),
      })
      const fractions: number[] = []
      await device.prepare(0, { onProgress: (fraction) => fractions.push(fraction), signal })
      await checkDataset(device, 0, { engine, random: () => BigInt(fractions.length * 7 + 1) })

      device.setJob({ token: 4, sealHash, target, segment: { start: 40n, bits: 9 } })
      await until('the end of the segment', () => ended.length > 0)

      const hashes = await Promise.all(
        Array.from({ length: 512 }, (_, i) => engine.hashLight(0, sealHash, 40n + BigInt(i))),
      )
      const expected = hashes.flatMap(({ result }, i) => (Buffer.compare(result, target) <= 0 ? [40n + BigInt(i)] : []))
      expect(found.sort((a, b) => Number(a - b))).toEqual(expected)
      expect(expected.length).toBeGreaterThan(0)
      expect(ended).toEqual([4])
      expect(device.hashCount()).toBe(512n)
      expect(fractions.at(-1)).toBe(1)
      expect(device.datasetBytes()).toBe(32_768)
    },
    LIMIT_MS,
  )

  it(
    'changes jobs while it searches, rests without one, and switches to another epoch',
    async () => {
      const ended: number[] = []
      const { device } = await mining(XHASH_TEST, { ...SILENT, segmentDone: (token) => ended.push(token) })
      await device.prepare(0, BUILD)

      device.setJob({ token: 1, sealHash, target: new Uint8Array(32), segment: { start: 0n, bits: 60 } })
      await until('the first hashes', () => device.hashCount() > 0n)
      device.setJob({ token: 2, sealHash, target: new Uint8Array(32), segment: { start: 0n, bits: 8 } })
      await until('the end of the segment', () => ended.length > 0)
      await device.prepare(1, BUILD)
      device.setJob({ token: 3, sealHash, target: new Uint8Array(32), segment: { start: 0n, bits: 8 } })
      await until('the end of the last segment', () => ended.length > 1)

      expect(ended).toEqual([2, 3])
    },
    LIMIT_MS,
  )

  it(
    'builds the next dataset during the search, and switches to it immediately',
    async () => {
      const ended: number[] = []
      const found: bigint[] = []
      const { engine, device } = await mining(XHASH_TEST, {
        ...SILENT,
        solutionFound: (_, nonce) => found.push(nonce),
        segmentDone: (token) => ended.push(token),
      })
      await device.prepare(0, BUILD)
      device.setJob({ token: 1, sealHash, target: new Uint8Array(32), segment: { start: 0n, bits: 60 } })
      await until('the first hashes', () => device.hashCount() > 0n)

      await device.prepareAhead?.(1, BUILD)
      const before = device.hashCount()
      await until('hashes beside it', () => device.hashCount() > before)
      const atSwap = device.hashCount()
      await device.prepare(1, BUILD)
      await checkDataset(device, 1, { engine, random: () => 7n })
      device.setJob({ token: 2, sealHash, target, segment: { start: 40n, bits: 8 } })
      await until('the end of the segment', () => ended.length > 0)

      const nonces = Array.from({ length: 256 }, (_, i) => 40n + BigInt(i))
      const hashes = await Promise.all(nonces.map((nonce) => engine.hashLight(1, sealHash, nonce)))
      const expected = nonces.filter((_, i) => Buffer.compare(hashes[i]?.result ?? target, target) <= 0)
      expect([ended, found.sort((a, b) => Number(a - b))]).toEqual([[2], expected])
      expect(device.hashCount()).toBeGreaterThanOrEqual(atSwap + 256n)
    },
    LIMIT_MS,
  )

  it(
    "drops a build that isn't needed anymore, and closes in the middle of one",
    async () => {
      const { device } = await mining(XHASH_PRACTICE, SILENT)
      const stop = new AbortController()
      const reason = new Error('not needed')
      const built = device.prepare(0, { signal: stop.signal, onProgress: () => stop.abort(reason) })
      await expect(built).rejects.toBe(reason)
      expect(device.datasetBytes()).toBeNull()

      const second = device.prepare(0, BUILD).then(
        () => 'built',
        () => 'refused',
      )
      await device.close()

      expect(await second).toBe('refused')
    },
    LIMIT_MS,
  )

  it("isn't a device if the library is missing", async () => {
    const engine = createXhashEngine(XHASH_TEST, { searchFrom: import.meta.dirname })

    const driver = await engine.gpus?.open('opencl', { library: 'libheadframe-is-not-here.so' })
    await engine.close()

    expect(driver).toEqual({ absent: expect.stringContaining('libheadframe-is-not-here.so') })
  })
})
