import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { bytesOfHex, toHex } from '../../base/hex'
import { targetOfDifficulty } from '../../xhash/target'
import { keccak256 } from '../codec/keccak'
import { EMPTY_ACCOUNT } from '../execution/account'
import { applyStateChanges } from '../execution/state-changes'
import { MemoryStore, StoreLayer } from '../store/store'
import { applyPayouts } from '../testing/apply-payouts'
import { StateOverlay } from '../testing/state-overlay'
import { EMPTY_TRIE_ROOT } from '../trie/trie'
import { asertTarget, difficultyOf, nextDifficulty, retargetDifficulty } from './difficulty'
import { gasLimitFault, medianTimePast, stepGasLimit } from './header-rules'
import { type ConsensusParams, MAIN_CONSENSUS, PRACTICE_CONSENSUS } from './params'
import { payoutSlots, subsidyAt } from './rewards'

const vectors = <T>(name: string): T =>
  JSON.parse(readFileSync(new URL(`../../../test/vectors/chain/${name}.json`, import.meta.url), 'utf8')) as T

interface DifficultyFile {
  readonly retarget: readonly {
    readonly interval: number
    readonly parent: { number: number; timestamp: number; epochStartTime: number; difficulty: string }
    readonly expected: string
    readonly note: string
  }[]
  readonly asert: readonly {
    readonly anchor: { number: number; parentTimestamp: number; difficulty: string; target: string }
    readonly parent: { number: number; timestamp: number }
    readonly expectedTarget: string
    readonly expectedDifficulty: string
    readonly note: string
  }[]
  readonly conversions: readonly { difficulty: string; target: string; backToDifficulty: string }[]
  readonly timelines: readonly {
    readonly name: string
    readonly retargetIntervalBlocks: number
    readonly asertActivationHeight: number
    readonly rows: readonly (readonly [number, number, number, string])[]
  }[]
}

const header = (number: number, timestamp: number, epochStartTime: number, difficulty: string) => ({
  number: BigInt(number),
  timestamp: BigInt(timestamp),
  epochStartTime: BigInt(epochStartTime),
  difficulty: BigInt(difficulty),
})

describe('difficulty', () => {
  const file = vectors<DifficultyFile>('difficulty')

  it.each(file.retarget.map((row) => [row.note, row] as const))('retargets: %s', (_note, row) => {
    const { number, timestamp, epochStartTime, difficulty } = row.parent
    const params = { ...MAIN_CONSENSUS, retargetIntervalBlocks: row.interval }
    expect(String(retargetDifficulty(params, header(number, timestamp, epochStartTime, difficulty)))).toBe(row.expected)
  })

  it('gives the ASERT target and difficulty of every case', () => {
    const results = file.asert.map(({ anchor, parent }) => {
      const target = asertTarget(MAIN_CONSENSUS, {
        anchorTarget: targetOfDifficulty(BigInt(anchor.difficulty)),
        elapsed: BigInt(parent.timestamp - anchor.parentTimestamp),
        blocks: BigInt(parent.number - anchor.number + 1),
      })
      return [`0x${target.toString(16)}`, String(difficultyOf(target))]
    })
    expect(results).toEqual(
      file.asert.map((row) => [`0x${BigInt(row.expectedTarget).toString(16)}`, row.expectedDifficulty]),
    )
  })

  it('converts between difficulty and target through both floors', () => {
    for (const { difficulty, target, backToDifficulty } of file.conversions) {
      if (BigInt(difficulty) > 0n) expect(targetOfDifficulty(BigInt(difficulty))).toBe(BigInt(target))
      expect(String(difficultyOf(BigInt(target)))).toBe(backToDifficulty)
    }
  })

  it.each(file.timelines.map((line) => [line.name, line] as const))('follows the timeline %s', (_name, line) => {
    const params: ConsensusParams = {
      ...MAIN_CONSENSUS,
      retargetIntervalBlocks: line.retargetIntervalBlocks,
      asertActivationHeight: line.asertActivationHeight === 0 ? null : line.asertActivationHeight,
    }
    const rows = new Map(line.rows.map((row) => [BigInt(row[0]), header(...row)]))
    const checked = [...rows.values()].filter((row) => rows.has(row.number - 1n))
    expect(checked.length).toBeGreaterThan(10)
    for (const row of checked) {
      const parent = rows.get(row.number - 1n)
      if (parent === undefined) continue
      const next = nextDifficulty(params, parent, (_from, number) => rows.get(number) ?? null)
      expect(next, `height ${row.number}`).toBe(row.difficulty)
    }
  })

  describe('on the practice network', () => {
    const chain = (...timestamps: readonly number[]) => {
      const rows = timestamps.map((timestamp, number) => header(number, timestamp, 0, '100000'))
      const parent = rows.at(-1)
      if (parent === undefined) throw new Error('no rows')
      return nextDifficulty(PRACTICE_CONSENSUS, parent, (_from, number) => rows[Number(number)] ?? null)
    }

    it('keeps the difficulty of genesis for block 1', () => {
      expect(chain(1000)).toBe(100_000n)
    })

    it('keeps it if a block took the target spacing', () => {
      expect(chain(1000, 1005)).toBe(100_000n)
    })

    it('rises after a fast block and falls after a slow one', () => {
      expect(chain(1000, 1001)).toBeGreaterThan(100_000n)
      expect(chain(1000, 1030)).toBeLessThan(100_000n)
    })

    it('counts a night of sleep as one minute', () => {
      expect(chain(1000, 40_000)).toBe(chain(1000, 1060))
    })

    it('never falls below its minimum', () => {
      const low = [header(0, 1000, 0, '4096'), header(1, 9000, 0, '4096')] as const
      expect(nextDifficulty(PRACTICE_CONSENSUS, low[1], (_from, number) => low[Number(number)] ?? null)).toBe(4096n)
    })
  })
})

interface RulesFile {
  readonly medianTime: readonly {
    readonly timestampsGenesisFirst: readonly number[]
    readonly median: number
    readonly lowestValidTimestamp: number
  }[]
  readonly gasLimitCheck: readonly { parent: number; header: number; error: string }[]
  readonly gasLimitTarget: readonly { parent: number; desired: number; result: number }[]
}

describe('header rules', () => {
  const file = vectors<RulesFile>('headerrules')

  it('takes the median of the last eleven timestamps', () => {
    const medians = file.medianTime.map((row) =>
      Number(medianTimePast(row.timestampsGenesisFirst.slice(-11).map(BigInt))),
    )
    expect(medians).toEqual(file.medianTime.map((row) => row.median))
    expect(file.medianTime.map((row) => row.median + 1)).toEqual(file.medianTime.map((row) => row.lowestValidTimestamp))
  })

  it('bounds the step of the gas limit', () => {
    const faults = file.gasLimitCheck.map((row) => gasLimitFault(BigInt(row.parent), BigInt(row.header)) ?? '')
    expect(faults).toEqual(file.gasLimitCheck.map((row) => row.error))
  })

  it('moves the gas limit of a new block towards the goal', () => {
    const steps = file.gasLimitTarget.map((row) => Number(stepGasLimit(BigInt(row.parent), BigInt(row.desired))))
    expect(steps).toEqual(file.gasLimitTarget.map((row) => row.result))
  })
})

interface MaturityFile {
  readonly rewards: readonly (readonly [string, string])[]
  readonly keys: readonly (readonly [string, string, string])[]
  readonly sequences: readonly {
    readonly name: string
    readonly alloc: Readonly<Record<string, string>>
    readonly maturity: number
    readonly startRoot: string
    readonly rows: readonly (readonly [string, string, string])[]
  }[]
}

describe('rewards', () => {
  const file = vectors<MaturityFile>('maturity')

  it('halves the subsidy', () => {
    const rewards = file.rewards.map(([height]) => [height, String(subsidyAt(MAIN_CONSENSUS, BigInt(height)))])
    expect(rewards).toEqual(file.rewards)
  })

  it('names the slots of a payout', () => {
    const keys = file.keys.map(([height]) => {
      const slots = payoutSlots(BigInt(height))
      return [height, toHex(slots.address), toHex(slots.amount)]
    })
    expect(keys).toEqual(file.keys)
  })

  it.each(file.sequences.map((sequence) => [sequence.name, sequence] as const))(
    'leaves the state root of: %s',
    async (_name, sequence) => {
      const store = new MemoryStore()
      const deps = { keccak256 }
      const first = new StateOverlay(store, deps)
      for (const [address, balance] of Object.entries(sequence.alloc))
        first.setAccount(bytesOfHex(address), { ...EMPTY_ACCOUNT, balance: BigInt(balance) })
      let root: Uint8Array = EMPTY_TRIE_ROOT
      const apply = async (overlay: StateOverlay, number: bigint) => {
        const changes = await overlay.finish(root)
        const layer = new StoreLayer(store)
        applyStateChanges(layer, { number, hash: new Uint8Array(32) }, changes)
        await store.write(layer.changes())
        root = changes.stateRoot
        return toHex(root)
      }
      expect(await apply(first, 0n)).toBe(sequence.startRoot)
      const params = { ...MAIN_CONSENSUS, coinbaseMaturityBlocks: sequence.maturity }
      const seen: string[] = []
      for (const [height, coinbase] of sequence.rows) {
        const overlay = new StateOverlay(store, deps)
        applyPayouts(overlay, params, { number: BigInt(height), coinbase: bytesOfHex(coinbase) })
        seen.push(await apply(overlay, BigInt(height)))
      }
      expect(seen).toEqual(sequence.rows.map((row) => row[2]))
    },
  )
})
