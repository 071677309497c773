import { describe, expect, it } from 'vitest'
import { PoolWatch } from './pool-watch'

const A = 'a.example:4444'
const B = 'b.example:4444'

/** Blocks `first`..`last`, of which the first `own` are paid to `miner`. */
function blocks(first: number, last: number, own = 0, miner = 'aa'): { number: number; miner: string }[] {
  return Array.from({ length: last - first + 1 }, (_, i) => ({ number: first + i, miner: i < own ? miner : 'zz' }))
}

function recognised(pool = A, miner = 'aa'): PoolWatch {
  const watch = new PoolWatch(720)
  watch.jobGiven({ pool, sealHash: 'h1', epoch: 0, height: null })
  watch.sealSeen('h1', miner)
  return watch
}

describe("a pool's part of the chain", () => {
  it('warns over half of the last 1008 blocks, and clears under 45%', () => {
    const watch = recognised()
    watch.blocksJoined(blocks(1, 1_008, 615))
    const first = watch.warning(A, false)
    watch.blocksJoined(blocks(1_009, 1_108)) // 100 of its blocks leave the window: 515 of 1008
    const over = watch.warning(A, false)
    watch.blocksJoined(blocks(1_109, 1_158)) // 465: 46.1%
    const between = watch.warning(A, false)
    watch.blocksJoined(blocks(1_159, 1_178)) // 445: 44.1%
    const cleared = watch.warning(A, false)
    watch.blocksJoined(blocks(1_179, 1_198, 20))
    const again = watch.warning(A, false)

    expect(first).toBe('This pool found 61% of the last 1008 blocks. Consider another pool.')
    expect(over).toContain('51%')
    expect(between).toContain('46%')
    expect([cleared, again]).toEqual(['', ''])
  })

  it('says nothing at exactly half', () => {
    const watch = recognised()
    watch.blocksJoined(blocks(1, 200, 100))

    expect(watch.warning(A, false)).toBe('')
  })

  it('needs 144 blocks', () => {
    const watch = recognised()
    watch.blocksJoined(blocks(1, 143, 143))
    const few = watch.warning(A, false)
    watch.blocksJoined(blocks(144, 144, 1))

    expect(few).toBe('')
    expect(watch.warning(A, false)).toContain('100% of the last 144 blocks')
  })

  it('adds up all coinbases of a pool, and blames no other pool', () => {
    const watch = recognised()
    watch.jobGiven({ pool: A, sealHash: 'h2', epoch: 0, height: null })
    watch.sealSeen('h2', 'bb')
    watch.sealSeen('unknown', 'zz')
    watch.blocksJoined([...blocks(1, 100, 50), ...blocks(101, 200, 60, 'bb')])

    expect(watch.warning(A, false)).toContain('55%')
    expect(watch.warning(B, false)).toBe('')
  })

  it('forgets blocks that left the chain', () => {
    const watch = recognised()
    watch.blocksJoined(blocks(1, 300, 160))
    watch.blocksLeft(blocks(100, 159))

    expect(watch.warning(A, false)).toBe('') // 100 of 240
  })

  it('recognizes blocks by the last 512 jobs only', () => {
    const watch = recognised()
    watch.jobGiven({ pool: A, sealHash: 'old', epoch: 0, height: null })
    for (let i = 0; i < 512; i++) watch.jobGiven({ pool: A, sealHash: `later-${i}`, epoch: 0, height: null })
    watch.sealSeen('old', 'bb')
    watch.blocksJoined(blocks(1, 200, 150, 'bb'))

    expect(watch.warning(A, false)).toBe('')
  })
})

describe('the chain that a pool works on', () => {
  it('warns of a pool ten blocks behind, by the height of its jobs', () => {
    const watch = new PoolWatch(720)
    watch.blocksJoined(blocks(1, 100))
    watch.jobGiven({ pool: A, sealHash: 'x', epoch: 0, height: 92 })
    const nine = watch.warning(A, true)
    watch.blocksJoined(blocks(101, 101))

    expect(nine).toBe('')
    expect(watch.warning(A, true)).toBe(
      'This pool is 10 blocks behind the chain of your own node. Consider another pool.',
    )
    expect(watch.warning(A, false)).toBe('') // our own node may be behind
    expect(watch.warning(B, true)).toBe('')
  })

  it('uses the blocks since its last job if it reports no heights', () => {
    const watch = new PoolWatch(720)
    watch.blocksJoined(blocks(1, 100))
    watch.jobGiven({ pool: A, sealHash: 'x', epoch: 0, height: null })
    watch.blocksJoined(blocks(101, 109))
    watch.jobGiven({ pool: A, sealHash: 'x', epoch: 0, height: null }) // a repetition isn't news
    const nine = watch.warning(A, true)
    watch.blocksJoined(blocks(110, 110))
    const ten = watch.warning(A, true)
    watch.jobGiven({ pool: A, sealHash: 'y', epoch: 0, height: null })

    expect(nine).toBe('')
    expect(ten).toContain('10 blocks behind')
    expect(watch.warning(A, true)).toBe('')
  })

  it("warns of jobs in an epoch that the chain isn't in, and of heights it doesn't have", () => {
    const watch = new PoolWatch(720)
    watch.blocksJoined(blocks(1, 715))
    watch.jobGiven({ pool: A, sealHash: 'x', epoch: 1, height: null })
    const soon = watch.warning(A, true)
    watch.jobGiven({ pool: A, sealHash: 'y', epoch: 7, height: null })
    const foreign = watch.warning(A, true)
    watch.jobGiven({ pool: A, sealHash: 'z', epoch: 1, height: 726 })
    const ahead = watch.warning(A, true)
    watch.jobGiven({ pool: A, sealHash: 'v', epoch: 0, height: 716 })

    expect(soon).toBe('')
    expect(foreign).toBe(
      'This pool works in epoch 7, the chain of your own node is at height 715, epoch 0: one of them follows another chain.',
    )
    expect(ahead).toContain('at height 726, epoch 1')
    expect(watch.warning(A, true)).toBe('')
  })

  it('says that a pool before the boundary is behind, not foreign', () => {
    const watch = new PoolWatch(720)
    watch.blocksJoined(blocks(1, 800))
    watch.jobGiven({ pool: A, sealHash: 'x', epoch: 0, height: 700 })

    expect(watch.warning(A, true)).toContain('101 blocks behind')
  })
})

it('ignores work that is old because the pool was away, until it sends some again', () => {
  const watch = new PoolWatch(720)
  const job = { pool: A, sealHash: 'h1', epoch: 0, height: null }
  watch.blocksJoined(blocks(100, 100))
  watch.jobGiven(job)
  watch.workLost()
  watch.blocksJoined(blocks(101, 120))
  const away = watch.warning(A, true)
  watch.jobGiven(job)

  expect(away).toBe('')
  expect(watch.warning(A, true)).toContain('20 blocks behind')
})
