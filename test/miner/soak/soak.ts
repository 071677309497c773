// A soak: a miner on five pools for a while, with everything happening to it that happens in a week; in the end its
// records and its memory are checked. Started by tools/bench/soak.mjs, which builds it.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Comparison, compare } from './compare'
import {
  type MinerAsk,
  type MinerSample,
  minerLog,
  minerSample,
  type PoolsAsk,
  poolLog,
  poolsReady,
  type SentShare,
} from './messages'
import { SoakProcess } from './process'
import type { SizeName } from './sizes'

export interface SoakOptions {
  readonly seconds: number
  readonly sizes: SizeName
  /** where the processes' scripts are, absolute */
  readonly scripts: string
  /** where the search for the addon starts, absolute */
  readonly projectRoot: string
  readonly log: (line: string) => void
}

export interface SoakReport extends Comparison {
  readonly seconds: number
  readonly cycles: number
  /** that received shares */
  readonly poolsUsed: number
  readonly epochChanges: number
  readonly shares: number
  /** growth of the medians from after the warm-up to the end, bytes */
  readonly growth: { readonly rss: number; readonly heap: number }
  readonly gapsMs: readonly number[]
  readonly warnings: readonly string[]
}

interface World {
  readonly pools: SoakProcess<PoolsAsk>
  readonly miner: SoakProcess<MinerAsk>
}

const LONGEST_CYCLE_S = 60
const BLOCKS_A_CYCLE = 30
/** Part of the time before memory is measured. */
const WARM_UP = 0.2
/** Part of the time whose samples make a figure. */
const LOOK = 0.15
const EPOCH = 720

type Step = (world: World, cycle: number) => Promise<unknown>

/** Events of a cycle: part of its time, and the action. */
const STEPS: readonly (readonly [number, Step])[] = [
  [0.1, ({ miner }) => miner.ask({ ask: 'pause', device: 1 })],
  [0.15, ({ pools }, cycle) => pools.ask({ ask: 'drop', pool: cycle % 5 })],
  [0.2, ({ pools }) => pools.ask({ ask: 'moods', rejectEvery: 5, staleEvery: 7 })],
  [0.25, ({ miner }) => miner.ask({ ask: 'resume', device: 1 })],
  [0.35, ({ miner }) => miner.ask({ ask: 'pause', device: null })],
  [0.38, ({ miner }) => miner.ask({ ask: 'resume', device: null })],
  [0.4, ({ pools }) => pools.ask({ ask: 'moods', rejectEvery: 0, staleEvery: 0 })],
  [0.6, ({ miner }, cycle) => miner.ask({ ask: 'activate', pool: (cycle + 1) % 5 })],
  [0.65, ({ pools }) => pools.ask({ ask: 'difficulty', times: 0.6 })],
  [0.7, ({ pools }, cycle) => pools.ask({ ask: 'away', pool: (cycle + 1) % 5, isAway: true })],
  [0.75, ({ miner }) => miner.ask({ ask: 'restart' })],
  [0.8, ({ pools }) => pools.ask({ ask: 'difficulty', times: 1 })],
  [0.83, ({ pools }, cycle) => pools.ask({ ask: 'away', pool: (cycle + 1) % 5, isAway: false })],
  [0.88, ({ miner }) => miner.ask({ ask: 'stop-and-start' })],
  [0.99, ({ miner }) => miner.ask({ ask: 'activate', pool: 0 })],
]

/**
 * The chain's height by cycle and part of it: near the end of an epoch, then in the next; every second cycle back to
 * the first.
 */
function heightAt(cycle: number, part: number): number {
  const first = (cycle % 2) * EPOCH
  const block = Math.floor(part * BLOCKS_A_CYCLE)
  return part < 0.45 ? first + EPOCH - 36 + block : first + EPOCH + block
}

export async function runSoak(options: SoakOptions): Promise<SoakReport> {
  const { scripts, sizes, projectRoot } = options
  const folder = mkdtempSync(join(tmpdir(), 'headframe-soak-'))
  const pools = new SoakProcess<PoolsAsk>('pools', join(scripts, 'pools.mjs'), [sizes])
  const open: { close(): void }[] = [pools]
  try {
    const { urls } = poolsReady.parse(await pools.ready())
    const words = [sizes, projectRoot, join(folder, 'history.bin'), ...urls]
    const miner = new SoakProcess<MinerAsk>('miner', join(scripts, 'miner.mjs'), words)
    open.push(miner)
    await miner.ready()
    return await drive({ pools, miner }, options)
  } finally {
    for (const each of open) each.close()
    rmSync(folder, { recursive: true, force: true })
  }
}

async function drive(world: World, { seconds, log }: SoakOptions): Promise<SoakReport> {
  const { pools, miner } = world
  const cycleSeconds = Math.min(LONGEST_CYCLE_S, seconds)
  const cycles = Math.round(seconds / cycleSeconds)
  const samples: MinerSample[] = []
  const shares: SentShare[] = []
  const startedAt = performance.now()
  for (let cycle = 0; cycle < cycles; cycle++) {
    const from = startedAt + cycle * cycleSeconds * 1_000
    for (const [part, step] of timeline(cycle)) {
      await sleep(Math.max(0, from + part * cycleSeconds * 1_000 - performance.now()))
      await step(world, cycle)
    }
    const sample = minerSample.parse(await miner.ask({ ask: 'sample' }))
    samples.push(sample)
    shares.push(...sample.shares)
    const { rssBytes, heapBytes, accepted, mining } = sample
    const memory = `${mb(rssBytes)} MB, heap ${mb(heapBytes)} MB`
    log(`cycle ${cycle + 1} of ${cycles}: ${accepted} shares accepted, ${mining} devices mine, ${memory}`)
  }
  const miners = minerLog.parse(await miner.ask({ ask: 'log' }))
  shares.push(...miners.shares)
  const theirs = poolLog.parse(await pools.ask({ ask: 'log' }))
  return {
    ...compare({ ...miners, shares }, theirs),
    seconds,
    cycles,
    poolsUsed: theirs.pools.filter(({ judged }) => judged.length > 0).length,
    epochChanges: miners.epochChanges,
    shares: shares.length,
    growth: { rss: growthOf(samples, 'rssBytes'), heap: growthOf(samples, 'heapBytes') },
    gapsMs: miners.gapsMs,
    warnings: miners.warnings,
  }
}

/** Actions and new blocks of one cycle in time order. */
function timeline(cycle: number): readonly (readonly [number, Step])[] {
  const blocks = Array.from({ length: BLOCKS_A_CYCLE }, (_, block): readonly [number, Step] => {
    const part = block / BLOCKS_A_CYCLE
    return [part, ({ pools }) => pools.ask({ ask: 'height', height: heightAt(cycle, part) })]
  })
  return [...blocks, ...STEPS].sort(([a], [b]) => a - b)
}

/** From the median after the warm-up to that of the end; 0 if there are too few samples. */
function growthOf(samples: readonly MinerSample[], name: 'rssBytes' | 'heapBytes'): number {
  const values = samples.map((sample) => sample[name]).slice(Math.floor(samples.length * WARM_UP))
  const look = Math.ceil(samples.length * LOOK)
  return median(values.slice(-look)) - median(values.slice(0, look))
}

function median(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1] ?? 0
}

function mb(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}
