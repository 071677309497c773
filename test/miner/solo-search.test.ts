// The miner over the real TypeScript hashing engine at test sizes: light hashes must confirm what it finds.
import { expect, it } from 'vitest'
import { bigintFromBytes, bytesFromBigint } from '../../src/base/bytes'
import { silentLogger } from '../../src/base/logger'
import { systemClock } from '../../src/base/time'
import { TextMetrics } from '../../src/host/system/metrics-text'
import { difficultyOfTarget } from '../../src/miner/difficulty'
import { MinerService } from '../../src/miner/miner-service'
import { FakeWorkSource } from '../../src/miner/testing/fake-work-source'
import type { Job } from '../../src/miner/work-source'
import { createTypescriptEngine } from '../../src/native/typescript-engine'
import { XHASH_TEST } from '../../src/xhash/params'
import { seedHash } from '../../src/xhash/seed'
import { targetOfDifficulty } from '../../src/xhash/target'

// a few shares a second at the pace of TypeScript, so that the check keeps up
const DIFFICULTY = 3_000n

function job(id: number, epoch: number): Job {
  const target = bytesFromBigint(targetOfDifficulty(DIFFICULTY), 32)
  return {
    jobId: String(id),
    sealHash: new Uint8Array(32).fill(id),
    seedHash: seedHash(epoch),
    epoch,
    target,
    height: epoch * 720 + 1,
    difficulty: difficultyOfTarget(target),
    extranonce: null,
    cleanJobs: true,
  }
}

it('mines an easy target over two epochs, pauses and resumes', async () => {
  const engine = createTypescriptEngine(XHASH_TEST, 'test')
  const source = new FakeWorkSource()
  const metrics = new TextMetrics()
  const miner = new MinerService(
    { version: '0.0.0', cpuThreads: 1, historyFile: null, hwmonDir: '/nonexistent' },
    { source, engine, clock: systemClock(), log: silentLogger, metrics, random: () => 2n ** 64n - 100n },
  )
  const shares = async (count: number): Promise<void> => {
    while (source.shares.length < count) await new Promise((resolve) => setTimeout(resolve, 20))
  }
  await miner.start(new AbortController().signal)

  source.push(job(1, 0))
  await shares(5)
  source.push(job(2, 1))
  const before = source.shares.length
  await shares(before + 5)
  while (miner.snapshot().hashrate.now === 0) await new Promise((resolve) => setTimeout(resolve, 50))
  miner.pause(null)
  // what was found before the pause is still checked and sent; then it must stay quiet
  let atPause = -1
  while (atPause !== source.shares.length) {
    atPause = source.shares.length
    await new Promise((resolve) => setTimeout(resolve, 500))
  }

  expect(miner.devices()).toMatchObject([{ state: 'paused', paused: true, backend: 'cpu' }])
  miner.resume(0)
  await shares(atPause + 1)
  for (const { job: from, nonce, mixDigest, result } of source.shares) {
    const light = await engine.hashLight(from.epoch, from.sealHash, nonce)
    expect(light).toEqual({ mixDigest, result })
    expect(bigintFromBytes(result)).toBeLessThanOrEqual(targetOfDifficulty(DIFFICULTY))
  }
  expect(new Set(source.shares.map(({ job: { jobId }, nonce }) => `${jobId} ${nonce}`)).size).toBe(source.shares.length)
  expect(miner.summary(true)).toMatchObject({
    pool: { connected: true, difficulty: 3_000, epoch: 1, block: 721 },
    shares: { rejected: 0, failed: 0 },
  })
  expect(await metrics.text()).toContain('miner_epoch 1\n')
  await miner.stop()
  await engine.close()
})
