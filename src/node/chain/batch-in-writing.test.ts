import { beforeAll, describe, expect, it } from 'vitest'
import { StoreError } from '../errors'
import type { ExecutionEngine } from '../execution/engine'
import type { Block } from '../model/block'
import { numberOf, openTestChain, practiceEngine } from '../testing/test-chain'

const COUNT = 140
/** Blocks of the first batch. */
const BATCH = 128
const ENOUGH_FOLLOW = 500

/** Tells when a block begins to be executed. */
class WatchedEngine {
  readonly #engine = practiceEngine()
  readonly #waiting = new Map<bigint, () => void>()
  readonly kind = 'watched'
  readonly buildBlock = this.#engine.buildBlock.bind(this.#engine)
  readonly executeBlock: ExecutionEngine['executeBlock'] = (context, transactions) => {
    this.#waiting.get(context.header.number)?.()
    return this.#engine.executeBlock(context, transactions)
  }

  begins(number: number): Promise<void> {
    return new Promise((done) => this.#waiting.set(BigInt(number), done))
  }
}

describe('a batch that is being written', () => {
  const blocks: Block[] = []
  let later = 0
  beforeAll(async () => {
    const { chain, clock, nextBlock } = await openTestChain()
    for (let i = 0; i < COUNT; i++) {
      clock.advance(5000)
      const block = await nextBlock()
      await chain.importBlock(block)
      blocks.push(block)
    }
    later = clock.monotonic()
  })

  /** A chain whose next writes end when they are told to. */
  async function held() {
    const engine = new WatchedEngine()
    const opened = await openTestChain({}, {}, { engine })
    const { chain, clock, store } = opened
    clock.advance(later)
    const ends: ((error: Error | null) => void)[] = []
    const write = store.write.bind(store)
    store.write = async (changes) => {
      const error = await new Promise<Error | null>((done) => ends.push(done))
      if (error !== null) throw error
      return write(changes)
    }
    const heads: number[] = []
    chain.events.on('headChanged', ({ head }) => heads.push(numberOf(head)))
    const release = (): void => {
      store.write = write
      for (const end of ends.splice(0)) end(null)
    }
    const fail = (): void => {
      store.write = write
      for (const end of ends.splice(0))
        end(new StoreError('STORE_DISK_LOW', { folder: '/', freeBytes: 0, neededBytes: 1 }))
    }
    return { ...opened, engine, heads, release, fail }
  }

  it('does not keep the next one from being executed; the head changes once it is written', async () => {
    const { chain, engine, heads, release } = await held()
    const next = engine.begins(BATCH + 1)
    const running = chain.importBlocks(blocks)
    await next

    expect([numberOf(chain.head), heads]).toEqual([0, []])
    release()
    expect(await running).toMatchObject({ added: COUNT, refused: null })
    expect([numberOf(chain.head), heads]).toEqual([COUNT, [BATCH, COUNT]])
  })

  it("lets the next call's blocks be executed, and known ones be recognized; each call ends when its own are written", async () => {
    const { chain, engine, release } = await held()
    const ended: string[] = []
    const next = engine.begins(11)
    const first = chain.importBlocks(blocks.slice(0, 10), ENOUGH_FOLLOW).then((outcome) => {
      ended.push('first')
      return outcome
    })
    const second = chain.importBlocks(blocks.slice(8, 12), ENOUGH_FOLLOW)
    await next

    expect(ended).toEqual([])
    release()
    expect(await first).toMatchObject({ added: 10, known: 0, refused: null })
    expect(await second).toMatchObject({ added: 2, known: 2, refused: null })
    expect(numberOf(chain.head)).toBe(12)
  })

  it('that fails fails the call and the next one, and the same blocks can be imported again', async () => {
    const { chain, engine, heads, fail } = await held()
    const next = engine.begins(11)
    const calls = [
      chain.importBlocks(blocks.slice(0, 10), ENOUGH_FOLLOW),
      chain.importBlocks(blocks.slice(10, 12), ENOUGH_FOLLOW),
    ]
    const outcomes = Promise.allSettled(calls)
    await next
    fail()

    const failed = { status: 'rejected', reason: { code: 'STORE_DISK_LOW' } }
    expect(await outcomes).toMatchObject([failed, failed])
    expect([numberOf(chain.head), heads]).toEqual([0, []])
    expect(await chain.importBlocks(blocks)).toMatchObject({ added: COUNT, known: 0, refused: null })
    expect(numberOf(chain.head)).toBe(COUNT)
  })

  it('is waited for by everything else: a way back, a reader with the chain for itself, the end', async () => {
    const { chain, engine, heads, release } = await held()
    const next = engine.begins(10)
    const running = chain.importBlocks(blocks.slice(0, 10), ENOUGH_FOLLOW)
    await next
    const seen: number[] = []
    const others = [
      chain.exclusive(async () => void seen.push(numberOf(chain.head))),
      chain.goBackTo(4n),
      chain.close().then(() => void seen.push(numberOf(chain.head))),
    ]
    release()
    await Promise.all([running, ...others.slice(2)])

    expect(seen.at(-1)).toBe(10)
    expect(heads).toEqual([10])
    await Promise.allSettled(others)
  })

  it('gives way to a block of another branch that comes next', async () => {
    const { chain, clock, engine, release, nextBlock } = await held()
    clock.advance(5000)
    const other = await nextBlock({ tag: 7 })
    const next = engine.begins(10)
    const running = chain.importBlocks(blocks.slice(0, 10), ENOUGH_FOLLOW)
    await next
    const sideways = chain.importBlocks([other])
    release()

    expect(await running).toMatchObject({ added: 10, refused: null })
    expect(await sideways).toMatchObject({ side: 1, refused: null })
    expect(numberOf(chain.head)).toBe(10)
  })
})
