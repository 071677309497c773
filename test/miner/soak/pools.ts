// The pools of a soak, in their own process: one of each dialect, all on the same chain.
import { PoolHasher } from '../pool-sim/independent-xhash'
import { type Flavour, SimulatedPool } from '../pool-sim/pool'
import { answerDriver, tellReady } from './child'
import type { PoolLog, PoolsAsk, PoolsReady } from './messages'
import { sizesOf } from './sizes'

const SCHEMES: readonly (readonly [Flavour, string])[] = [
  ['stratum2', 'stratum3+tcp'], // first, since it reports heights, which announce the next epoch
  ['stratum', 'stratum+tcp'],
  ['nicehash', 'stratum2+tcp'],
  ['eth-proxy', 'stratum1+tcp'],
  ['getwork', 'getwork'],
]

const { pool: sizes, difficulty } = sizesOf(process.argv[2])
const hasher = new PoolHasher(sizes)
const pools = SCHEMES.map(([flavour]) => new SimulatedPool({ flavour, difficulty }, hasher))

function poolAt(index: number): SimulatedPool {
  const pool = pools[index]
  if (pool === undefined) throw new Error(`there is no pool ${index}`)
  return pool
}

async function answer(ask: PoolsAsk): Promise<PoolLog | undefined> {
  switch (ask.ask) {
    case 'height':
      for (const pool of pools) pool.setHeight(ask.height)
      return
    case 'difficulty':
      for (const pool of pools) pool.setDifficulty(Math.round(difficulty * ask.times))
      return
    case 'moods': {
      const { rejectEvery, staleEvery } = ask
      const moods = { ...(rejectEvery > 0 && { rejectEvery }), ...(staleEvery > 0 && { staleEvery }) }
      for (const pool of pools) {
        const { closeOnConnect = false } = pool.faults
        pool.faults = { closeOnConnect, ...moods }
      }
      return
    }
    case 'drop':
      poolAt(ask.pool).drop()
      return
    case 'away': {
      const pool = poolAt(ask.pool)
      pool.faults = { ...pool.faults, closeOnConnect: ask.isAway }
      if (ask.isAway) pool.drop()
      return
    }
    case 'log':
      return {
        // EthereumStratum/2 answers a late share with a code of the 200s: it counts.
        pools: pools.map(({ flavour, judged }) => ({ lateCounts: flavour === 'stratum2', judged: [...judged] })),
      }
  }
}

async function main(): Promise<void> {
  answerDriver(answer)
  for (const pool of pools) await pool.start()
  const urls = SCHEMES.map(
    ([, scheme], index) => `${scheme}://0x${'11'.repeat(20)}.rig:x@127.0.0.1:${poolAt(index).port}?diff=hashes`,
  )
  const ready: PoolsReady = { urls }
  tellReady(ready)
}

void main()
