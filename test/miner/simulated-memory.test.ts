// Forty minutes of sixteen devices with jobs, pauses, faults and epochs, on a clock turned by hand: memory stays flat.
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, it } from 'vitest'
import { silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { MinerService } from '../../src/miner/miner-service'
import { aJob, FakeWorkSource } from '../../src/miner/testing/fake-work-source'
import { QuickEngine } from '../../src/miner/testing/quick-engine'

const GROWTH_BYTES = 10 * 2 ** 20

function collectedHeap(): number {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  collect()
  return process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers
}

it('grows by less than 10 MB in half an hour of mining, pausing, failing and changing epochs', async () => {
  const clock = new FakeClock()
  const source = new FakeWorkSource()
  const miner = new MinerService(
    { version: '1.2.3', cpuThreads: null, historyFile: null, simulatedGpus: 16 },
    {
      source,
      engine: new QuickEngine(),
      clock,
      log: silentLogger,
      metrics: {
        counter: () => ({ inc: () => undefined }),
        collect: () => undefined,
      },
      random: () => 7n,
    },
  )
  await miner.start(new AbortController().signal)
  let job = 0
  const minutes = async (count: number): Promise<void> => {
    for (let second = 0; second < count * 60; second++) {
      if (second % 5 === 0) source.push(aJob(++job, { epoch: Math.floor(job / 100) }))
      const device = second % 16
      if (second % 7 === 0) miner.pause(device, 3)
      if (second % 601 === 0) miner.simulateFault(device, 'error')
      for (let part = 0; part < 4; part++) {
        clock.advance(250)
        await new Promise((resolve) => setImmediate(resolve))
      }
    }
  }
  await minutes(10)
  const before = collectedHeap()
  await minutes(30)
  const growth = collectedHeap() - before

  expect(growth).toBeLessThan(GROWTH_BYTES)
  expect(miner.devices().every(({ state }) => state === 'mining' || state === 'paused')).toBe(true)
  await miner.stop()
  expect(clock.pending).toBe(0)
})
