// The miner of a soak, in a separate process so that its memory can be measured: the real service on real pools, CPU
// and simulated devices.
import { randomBytes } from 'node:crypto'
import { toBareHex } from '../../../src/base/hex'
import { createLogger } from '../../../src/base/logger'
import { systemClock } from '../../../src/base/time'
import { parsePoolUrl } from '../../../src/config/values/pool-url'
import { MinerService } from '../../../src/miner/miner-service'
import { PoolSource } from '../../../src/miner/pool/pool-source'
import { JobMaker, SeedEpochs } from '../../../src/miner/pool/session/job-maker'
import { SESSION_LIMITS } from '../../../src/miner/pool/session/session'
import type { WorkSource } from '../../../src/miner/work-source'
import { createXhashEngine } from '../../../src/native/xhash-engine'
import { seedHash } from '../../../src/xhash/seed'
import { answerDriver, tellReady } from './child'
import type { Counts, MinerAsk, MinerLog, MinerSample, SentShare } from './messages'
import { sizesOf } from './sizes'
import { timedEngine } from './timed-engine'

const SIMULATED = 2
const KEPT_WARNINGS = 50

const [size, projectRoot = '.', historyFile = '', ...urls] = process.argv.slice(2)

const clock = systemClock()
const warnings: string[] = []
let shares: SentShare[] = []
const gaps: number[] = []
const sums = { accepted: 0, rejected: 0, failed: 0, stale: 0, lost: 0 }
let cutOff = 0
let epochChanges = 0
let isStopping = false

const log = createLogger('miner', {
  minLevel: 'warn',
  now: () => clock.now(),
  sink: {
    write: ({ module, message, fields }) => {
      warnings.push(`${module}: ${message} ${JSON.stringify(fields)}`)
      if (warnings.length > KEPT_WARNINGS) warnings.shift()
    },
  },
})
const engine = timedEngine(createXhashEngine(sizesOf(size).params, { searchFrom: projectRoot }), (ms) => gaps.push(ms))
const pools = buildPools()
const miner = new MinerService(
  { version: '0.0.0', cpuThreads: 1, historyFile, simulatedGpus: SIMULATED, doubleDatasets: true },
  {
    source: overheard(pools),
    engine,
    clock,
    log,
    metrics: {
      counter: () => ({ inc: () => undefined }),
      collect: () => undefined,
    },
    random: () => randomBytes(8).readBigUInt64BE(),
  },
)

function buildPools(): PoolSource {
  const nextTurn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  return new PoolSource(
    {
      pools: urls.map((text) => {
        const outcome = parsePoolUrl(text)
        if ('fault' in outcome) throw new Error(outcome.fault)
        return outcome.url
      }),
      exitAtEnd: false,
      retryDelayMs: 100,
      retryMax: 2,
      failoverMs: 15_000,
      reportHashrate: true,
    },
    {
      session: {
        clock,
        log,
        jobs: new JobMaker(new SeedEpochs(nextTurn), seedHash),
        limits: { ...SESSION_LIMITS, pollMs: 100, pollErrorMs: 200 },
        agent: 'headframe/soak',
        runId: toBareHex(randomBytes(32)),
        certificates: null,
        say: () => undefined,
      },
      clock,
      log,
      hashrate: () => miner.snapshot().hashrate.s60,
      random: () => randomBytes(1).readUInt8() / 256,
      onExit: () => undefined,
    },
  )
}

/** The same source, recording every share and its verdict. */
function overheard(source: PoolSource): WorkSource {
  return {
    events: source.events,
    state: () => source.state(),
    start: () => source.start(),
    stop: () => source.stop(),
    async submit(share, signal) {
      const verdict = await source.submit(share, signal)
      if (isStopping) cutOff += 1
      shares.push({
        header: toBareHex(share.job.sealHash),
        nonce: share.nonce.toString(16).padStart(16, '0'),
        verdict: verdict.kind,
        reason: 'reason' in verdict ? verdict.reason : '',
      })
      return verdict
    },
  }
}

/** The service's own counters, before they are gone with its stop. */
function takeCounts(): void {
  for (const { index } of miner.devices()) {
    const outcomes: Counts = miner.outcomes(index)
    for (const name of ['accepted', 'rejected', 'failed', 'stale', 'lost'] as const) sums[name] += outcomes[name]
  }
  epochChanges += miner.detail().epochChanges
}

async function stop(): Promise<void> {
  isStopping = true
  takeCounts()
  await miner.stop()
}

async function answer(ask: MinerAsk): Promise<MinerSample | MinerLog | undefined> {
  switch (ask.ask) {
    case 'pause':
      miner.pause(ask.device)
      return
    case 'resume':
      miner.resume(ask.device)
      return
    case 'restart':
      await miner.restart()
      return
    case 'stop-and-start':
      await stop()
      await new Promise((resolve) => setImmediate(resolve))
      isStopping = false
      await miner.start(new AbortController().signal)
      return
    case 'activate':
      pools.setActive(ask.pool)
      return
    case 'sample':
      return sample()
    case 'log':
      await stop()
      return { shares: takeShares(), counted: sums, cutOff, epochChanges, gapsMs: gaps, warnings }
  }
}

function takeShares(): SentShare[] {
  const taken = shares
  shares = []
  return taken
}

function sample(): MinerSample {
  global.gc?.()
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  const { shares: counts } = miner.snapshot()
  return {
    rssBytes: rss,
    heapBytes: heapUsed + arrayBuffers,
    mining: miner.devices().filter(({ state }) => state === 'mining').length,
    accepted: sums.accepted + counts.accepted,
    shares: takeShares(),
  }
}

async function main(): Promise<void> {
  answerDriver(answer)
  await miner.start(new AbortController().signal)
  tellReady(null)
}

void main()
