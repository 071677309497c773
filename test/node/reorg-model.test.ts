// Random trees of blocks, given to a chain in random order: its head, notifications and state must match the
// predictions of a model of a few lines.
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHex } from '../../src/base/hex'
import { keccak256 } from '../../src/node/codec/keccak'
import { headState, stateAtRoot } from '../../src/node/execution/state-reader'
import type { Block } from '../../src/node/model/block'
import { changed, openTestChain, practiceEngine, type TestChain } from '../../src/node/testing/test-chain'

/** What they keep belongs to a state, whichever chain it is of; starting one takes longer than a chain of these. */
const [makers, targets] = [practiceEngine(), practiceEngine()]
const RECEIVERS = 3
const RUNS = 40
const HOUR_MS = 3_600_000
/** Around the test chain's own start. */
const START_SECONDS = 1_770_000_000n

/** One block of a tree. */
interface Plan {
  /** How many blocks back its parent is in creation order; more than there are = genesis. */
  readonly back: number
  /** Seconds above its parent's time: decides the difficulty of its children. */
  readonly seconds: number
  /** Receiver of a transfer in it; null = it is empty. */
  readonly receiver: number | null
}

interface Member {
  readonly block: Block
  readonly parent: Member | null
  readonly totalDifficulty: bigint
  readonly plan: Plan
}

const plans: fc.Arbitrary<readonly Plan[]> = fc.array(
  fc.record({
    back: fc.oneof({ weight: 3, arbitrary: fc.integer({ min: 1, max: 3 }) }, fc.integer({ min: 1, max: 16 })),
    seconds: fc.integer({ min: 1, max: 40 }),
    receiver: fc.option(fc.integer({ min: 0, max: RECEIVERS - 1 }), { nil: null }),
  }),
  { minLength: 6, maxLength: 16 },
)

const receiverOf = (index: number): Uint8Array => new Uint8Array(20).fill(0xe0 + index)
const amountOf = ({ block, plan }: Member): bigint => block.header.number * 1_000n + BigInt(plan.receiver ?? 0)

function pathTo(member: Member | null): readonly Member[] {
  return member === null ? [] : [...pathTo(member.parent), member]
}

/** Builds the blocks of a tree: each on a chain whose head is its parent. */
async function growTree(planned: readonly Plan[]): Promise<readonly Member[]> {
  const members: Member[] = []
  const places = new Map<Member | null, TestChain>()
  for (const [index, plan] of planned.entries()) {
    const parent = members[index - plan.back] ?? null
    const place = places.get(parent) ?? (await placeAt(parent))
    places.delete(parent)
    const base = place.chain.head.totalDifficulty
    const block = await nextOf(place, plan, index)
    await place.chain.importBlock(block)
    const member = { block, parent, plan, totalDifficulty: base + block.header.difficulty }
    members.push(member)
    places.set(member, place)
  }
  return members
}

async function placeAt(tip: Member | null): Promise<TestChain> {
  const place = await openTestChain({}, {}, { engine: makers })
  place.clock.advance(HOUR_MS)
  for (const { block } of pathTo(tip)) await place.chain.importBlock(block)
  return place
}

/** A block's time doesn't affect its state, so it can be set afterwards. */
async function nextOf({ rich, chain, store, nextBlock }: TestChain, plan: Plan, tag: number): Promise<Block> {
  const { header } = chain.head
  const nonce = headState(store).account(rich.address)?.nonce ?? 0n
  const value = (header.number + 1n) * 1_000n + BigInt(plan.receiver ?? 0)
  const transactions = plan.receiver === null ? [] : [rich.sign({ nonce, to: receiverOf(plan.receiver), value })]
  const block = await nextBlock({ transactions, tag })
  const parentTime = header.number === 0n ? START_SECONDS : header.timestamp
  return changed(block, { timestamp: parentTime + BigInt(plan.seconds) })
}

/** What the rules say about the blocks imported so far. */
class Model {
  readonly #seen = new Set<Member>()
  #head: Member | null = null

  constructor(private readonly genesisDifficulty: bigint) {}

  get path(): readonly Member[] {
    return pathTo(this.#head)
  }

  /** The answer that the chain must give. */
  take(member: Member): 'known' | 'refused' | 'head' | 'side' {
    if (this.#seen.has(member)) return 'known'
    if (member.parent !== null && !this.#seen.has(member.parent)) return 'refused'
    this.#seen.add(member)
    if (!this.#beatsHead(member)) return 'side'
    this.#head = member
    return 'head'
  }

  /** More total difficulty, or the same at a lower height; otherwise the first seen stays. */
  #beatsHead({ totalDifficulty, block }: Member): boolean {
    const head = this.#head
    const headTotal = head?.totalDifficulty ?? this.genesisDifficulty
    if (totalDifficulty !== headTotal) return totalDifficulty > headTotal
    return block.header.number < (head?.block.header.number ?? 0n)
  }
}

/** The canonical chain as a listener knows it: blocks removed and added, and nothing else. */
function listenTo({ chain }: TestChain): { readonly hashes: () => readonly string[]; readonly reorgs: () => number } {
  const canonical: string[] = []
  const state = { reorgs: 0 }
  chain.events.on('headChanged', ({ head, removed, added }) => {
    const gone = removed.map((block) => toHex(block.hash))
    expect(canonical.splice(canonical.length - gone.length)).toEqual(gone)
    canonical.push(...added.map((block) => toHex(block.hash)))
    expect(canonical.at(-1)).toBe(toHex(head.hash))
    if (gone.length > 0) state.reorgs++
  })
  return { hashes: () => canonical, reorgs: () => state.reorgs }
}

const hashesOf = (path: readonly Member[]): readonly string[] => path.map(({ block }) => toHex(block.hash))

/** Index, receivers' balances and the sender's nonce match the model's chain. */
function expectState({ chain, store, rich }: TestChain, path: readonly Member[]): void {
  const top = path.at(-1)
  expect(toHex(chain.head.hash)).toBe(
    top === undefined ? toHex(chain.reads.canonicalHash(0n) ?? new Uint8Array(0)) : toHex(top.block.hash),
  )
  if (top !== undefined) expect(chain.head.totalDifficulty).toBe(top.totalDifficulty)
  for (const { block } of path) expect(chain.reads.isCanonical(block.header.number, block.hash)).toBe(true)
  expect(chain.reads.canonicalHash(BigInt(path.length + 1))).toBeNull()
  const flat = headState(store)
  const nodes = stateAtRoot(store, chain.head.header.stateRoot, keccak256)
  const transfers = path.filter(({ plan }) => plan.receiver !== null)
  for (const state of [flat, nodes]) {
    expect(state.account(rich.address)?.nonce).toBe(BigInt(transfers.length))
    for (let index = 0; index < RECEIVERS; index++) {
      const received = transfers.filter(({ plan }) => plan.receiver === index)
      const total = received.reduce((sum, member) => sum + amountOf(member), 0n)
      expect(state.account(receiverOf(index))?.balance ?? 0n).toBe(total)
    }
  }
}

describe('a chain given the blocks of a random tree', () => {
  it('one by one, in any order and some twice, follows the model at every step', async () => {
    const seen = { reorgs: 0 }
    await fc.assert(
      fc.asyncProperty(plans, fc.infiniteStream(fc.nat({ max: 15 })), async (planned, order) => {
        const members = await growTree(planned)
        const target = await openTestChain({}, {}, { engine: targets })
        target.clock.advance(HOUR_MS)
        const told = listenTo(target)
        const model = new Model(target.chain.head.totalDifficulty)
        // Any order first, where many have no parent yet; then creation order, so that all are imported in the end.
        const shuffled = [...order.take(members.length)].map((at) => members[at % members.length])
        for (const member of [...shuffled, ...members]) {
          if (member === undefined) continue
          const outcome = await target.chain.importBlock(member.block)
          expect(outcome.kind).toBe(model.take(member))
          expect(told.hashes()).toEqual(hashesOf(model.path))
        }
        expectState(target, model.path)
        seen.reorgs += told.reorgs()
      }),
      { numRuns: RUNS },
    )
    expect(seen.reorgs).toBeGreaterThan(0)
  })

  it('in batches ends where the model ends', async () => {
    await fc.assert(
      fc.asyncProperty(plans, fc.integer({ min: 1, max: 7 }), async (planned, size) => {
        const members = await growTree(planned)
        const target = await openTestChain({}, {}, { engine: targets })
        target.clock.advance(HOUR_MS)
        const told = listenTo(target)
        const model = new Model(target.chain.head.totalDifficulty)
        for (let from = 0; from < members.length; from += size) {
          const batch = members.slice(from, from + size)
          for (const member of batch) model.take(member)
          const outcome = await target.chain.importBlocks(batch.map(({ block }) => block))
          expect(outcome.refused).toBeNull()
          expect(told.hashes()).toEqual(hashesOf(model.path))
        }
        expectState(target, model.path)
      }),
      { numRuns: RUNS },
    )
  })
})
