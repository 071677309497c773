// Reports on whole states, for comparing nodes: accounts changed by a block, roots between its transactions, slots in
// trie order.
import { bigintFromBytes, bytesFromBigint, equalBytes, minimalBytes } from '../../../base/bytes'
import { toBareHex, toHex } from '../../../base/hex'
import { toQuantity } from '../../../base/quantity'
import type { Keccak256 } from '../../codec/keccak'
import { decodeRlp, encodeRlp } from '../../codec/rlp'
import { decodeAccount, encodeAccount } from '../../execution/account'
import { changedAccounts } from '../../execution/state-changes'
import { slotWord } from '../../execution/state-reader'
import type { World, WorldAccount } from '../../execution/world'
import type { Block } from '../../model/block'
import { heightName } from '../../model/block-argument'
import { stateKeys } from '../../store/keys'
import type { StoreReader } from '../../store/store'
import { StoredTrie } from '../../trie/stored-trie'
import { EMPTY_TRIE_ROOT, Trie } from '../../trie/trie'
import { blockToTrace, parentOf, rerun, stageBefore, stageOf } from '../block-stage'
import { failed } from '../block-state'
import type { BlockFees } from '../kept-blocks'
import type { Asked } from '../query-wire'
import { type Answer, mustBeAwaited, type QuerySession } from '../session'
import type { ChainView } from '../snapshots'

const MAX_BLOCKS = 1024

/** JSON text. */
export function feeHistory(session: QuerySession, { at, blocks, percentiles }: Asked<'feeHistory'>): string {
  if (blocks === 0) return NOTHING
  checkPercentiles(percentiles ?? [])
  const view = session.view()
  const head = Number(view.head.header.number)
  const isPending = at.kind === 'tag' && at.tag === 'pending'
  const last = isPending ? head : at.kind === 'number' ? at.number : Number(session.blocks().find(at).header.number)
  if (last > head) throw failed(`request beyond head block: requested ${heightName(last)}, head ${head}`)
  const wanted = Math.min(blocks, MAX_BLOCKS) - (isPending ? 1 : 0)
  const count = Math.min(wanted, last + 1)
  if (count === 0) return NOTHING
  const oldest = last + 1 - count
  const found = Array.from({ length: count }, (_, i) => feesAt(session, view, oldest + i, percentiles ?? []))
  return JSON.stringify({
    oldestBlock: toQuantity(oldest),
    ...(percentiles === null || percentiles.length === 0 ? {} : { reward: found.map(({ rewards }) => rewards) }),
    baseFeePerGas: Array.from({ length: count + 1 }, () => '0x0'),
    gasUsedRatio: found.map(({ ratio }) => ratio),
  })
}

const NOTHING = '{"oldestBlock":"0x0","gasUsedRatio":null}'

function checkPercentiles(percentiles: readonly number[]): void {
  for (const [i, percentile] of percentiles.entries()) {
    if (percentile < 0 || percentile > 100) throw failed(`invalid reward percentile: ${percentile.toFixed(6)}`)
    const before = percentiles[i - 1] ?? 0
    if (percentile < before)
      throw failed(`invalid reward percentile: #${i - 1}:${before.toFixed(6)} > #${i}:${percentile.toFixed(6)}`)
  }
}

function feesAt(session: QuerySession, { reads }: ChainView, number: number, percentiles: readonly number[]) {
  const hash = reads.canonicalHash(BigInt(number))
  if (hash === null) throw notFound(number)
  return session.fees.of(hash, percentiles, () => {
    if (percentiles.length === 0) {
      const header = reads.header(hash)
      if (header === null) throw notFound(number)
      return { ratio: ratioOf(header), rewards: [] }
    }
    const block = reads.block(hash)
    if (block === null) throw notFound(number)
    return blockFees(reads, block, percentiles)
  })
}

const notFound = (number: number) => failed(`block #${number} not found`)

const ratioOf = ({ gasUsed, gasLimit }: Block['header']): number => Number(gasUsed) / Number(gasLimit)

function blockFees(reads: ChainView['reads'], block: Block, percentiles: readonly number[]): BlockFees {
  const { gasUsed } = block.header
  const receipts = reads.storedReceipts(block.hash)?.outcomes
  if (receipts === undefined) throw failed(`receipts of block ${toHex(block.hash)} not found`)
  const paid = block.transactions.flatMap((tx, i) => {
    const receipt = receipts[i]
    return tx.kind === 'supported' && receipt !== undefined
      ? [{ price: tx.gasPrice, gas: Number(receipt.gasUsed) }]
      : []
  })
  paid.sort((a, b) => (a.price < b.price ? -1 : a.price > b.price ? 1 : 0))
  return { ratio: ratioOf(block.header), rewards: rewardsAt(paid, Number(gasUsed), percentiles) }
}

/** For each percentile the price at which that share of the block's gas was paid for. @param paid cheapest first */
function rewardsAt(
  paid: readonly { readonly price: bigint; readonly gas: number }[],
  gasUsed: number,
  percentiles: readonly number[],
): string[] {
  let at = 0
  let sum = paid[0]?.gas ?? 0
  return percentiles.map((percentile) => {
    const threshold = Math.trunc((gasUsed * percentile) / 100)
    while (sum < threshold && at < paid.length - 1) sum += paid[++at]?.gas ?? 0
    return toQuantity(paid[at]?.price ?? 0n)
  })
}

/** For proofs and roots of a world that is never written. Roots are 32 bytes. */
class WorldTries {
  readonly #made = new Map<string, Uint8Array>()

  constructor(
    private readonly store: StoreReader,
    private readonly keccak256: Keccak256,
  ) {}

  /** The node with this hash, stored or created here. */
  readonly read = (hash: Uint8Array): Uint8Array | undefined =>
    this.#made.get(toBareHex(hash)) ?? this.store.get(stateKeys.node(hash))

  /** Root of the account trie. @param below root of the state under the world, 32 bytes */
  stateRoot(world: World, below: Uint8Array): Uint8Array {
    const accounts = this.#trie(below)
    for (const account of world.loaded()) {
      const key = this.keccak256(account.address)
      if (!account.exists) {
        accounts.delete(key)
        continue
      }
      const { nonce, balance, codeHash } = account
      accounts.put(key, encodeAccount({ nonce, balance, codeHash, storageRoot: this.storageRoot(account, below) }))
    }
    return this.#commit(accounts)
  }

  /** Root of an account's storage trie. @param below root of the state under the world, 32 bytes */
  storageRoot(account: WorldAccount, below: Uint8Array): Uint8Array {
    const stored = account.wiped ? null : this.#trie(below).get(this.keccak256(account.address))
    const slots = this.#trie(stored === null ? EMPTY_TRIE_ROOT : decodeAccount(stored).storageRoot)
    for (const [slot, value] of account.slots) {
      const key = this.keccak256(bytesFromBigint(slot, 32))
      if (value === 0n) slots.delete(key)
      else slots.put(key, encodeRlp(minimalBytes(value)))
    }
    return this.#commit(slots)
  }

  #trie(root: Uint8Array): Trie {
    return new Trie(root, { read: this.read, keccak256: this.keccak256 })
  }

  #commit(trie: Trie): Uint8Array {
    const { root, nodes } = trie.commit()
    for (const [hash, node] of nodes) this.#made.set(toBareHex(hash), node)
    return root
  }
}

/** JSON number: the first block from `from` (exclusive) towards `to` whose state is available. */
export const accessibleState: Answer<'accessibleState'> = (session, { from, to }, limits) => {
  const blocks = session.blocks()
  /** The pending block isn't stored: the newest block is used instead, as in prlx. */
  const heightOf = (at: typeof from): number => {
    if (at.kind === 'number') return at.number
    const isPending = at.kind === 'tag' && at.tag === 'pending'
    return Number(blocks.find(isPending ? { kind: 'tag', tag: 'latest' } : at).header.number)
  }
  const [first, last] = [heightOf(from), heightOf(to)]
  if (first === last) throw failed('from and to needs to be different')
  const { store } = session.view()
  const step = first < last ? 1 : -1
  for (let number = first; number !== last; number += step) {
    mustBeAwaited(limits)
    const found = blocks.header(number)
    if (found === null) throw failed(`missing header ${heightName(number)}`)
    const root = found.header.stateRoot
    if (equalBytes(root, EMPTY_TRIE_ROOT) || store.get(stateKeys.node(root)) !== undefined) return String(number)
  }
  throw failed('no state found')
}

/** JSON list, in trie order, of accounts that exist after `last` and differ from before `first`; null: none */
export const modifiedAccounts: Answer<'modifiedAccounts'> = (session, { first, last }, limits) => {
  const blocks = session.blocks()
  const start = blockOf(session, first, 'start')
  const [oldest, newest] = last === null ? [start - 1, start] : [start, blockOf(session, last, 'end')]
  if (oldest < 0) throw failed(`block ${start.toString(16)} has no parent`)
  if (oldest >= newest) throw failed(`start block height (${oldest}) must be less than end block height (${newest})`)
  const states = [oldest, newest].map((number) => {
    const found = blocks.header(number)
    if (found === null) throw failed(`block ${number} not found`)
    return blocks.at(found)
  })
  const candidates = new Map<string, Uint8Array>()
  for (let number = oldest + 1; number <= newest; number++) {
    mustBeAwaited(limits)
    const block = blocks.header(number)
    if (block === null) continue
    const { hash, header } = block
    for (const address of changedAccounts(session.view().store, { number: header.number, hash }))
      candidates.set(toHex(session.keccak256(address)), address)
  }
  const texts = (address: Uint8Array) => states.map(({ state }) => JSON.stringify(state.account(address), replacer))
  const modified = [...candidates].filter(([, address]) => {
    mustBeAwaited(limits)
    const [before, after] = texts(address)
    return after !== 'null' && before !== after
  })
  const names = modified.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, address]) => toHex(address))
  return JSON.stringify(names.length === 0 ? null : names)
}

/** @param id height, or hash of a canonical block: changes of side blocks aren't stored @returns its height */
function blockOf(session: QuerySession, id: number | Uint8Array, which: 'start' | 'end'): number {
  if (typeof id === 'number') {
    if (session.blocks().header(id) !== null) return id
    // prlx writes one in hex and the other in decimal.
    throw failed(`${which} block ${which === 'start' ? id.toString(16) : id} not found`)
  }
  const { reads } = session.view()
  const header = reads.header(id)
  if (header === null) throw failed(`${which} block ${toBareHex(id)} not found`)
  if (!reads.isCanonical(header.number, id)) throw failed(`${which} block ${toBareHex(id)} is not canonical`)
  return Number(header.number)
}

const replacer = (_name: string, value: unknown): unknown => (typeof value === 'bigint' ? value.toString() : value)

/** JSON list of the state roots after each transaction of a block; null when it has none, as in prlx. */
export const intermediateRoots: Answer<'intermediateRoots'> = (session, { hash }, limits) => {
  const block = blockToTrace(session, { kind: 'hash', hash, requireCanonical: false })
  const stage = stageOf(session, block)
  const tries = triesBefore(session, block)
  const roots = block.transactions.map((tx) => {
    rerun(session, stage, [tx], limits)
    return toHex(tries.stateRoot(stage.world, stage.base.header.stateRoot))
  })
  return JSON.stringify(roots.length === 0 ? null : roots)
}

/** On the state before a block; block 1's is the genesis state, which may have been made again. */
function triesBefore(session: QuerySession, block: Block): WorldTries {
  return new WorldTries(parentOf(session, block).store, session.keccak256)
}

/** In one answer; `nextKey` says where the rest begins. */
const MAX_SLOTS = 100_000

/** JSON `{storage, nextKey}`: a contract's slots before transaction `index` of a block, by the hash of their key. */
export const storageRange: Answer<'storageRange'> = (session, { hash, index, address, start, most }, limits) => {
  const block = blockToTrace(session, { kind: 'hash', hash, requireCanonical: false })
  if (index >= Math.max(1, block.transactions.length))
    throw failed(`transaction index ${index} out of range for block ${toHex(hash)}`)
  const stage = stageBefore(session, { block, index }, limits)
  const account = stage.world.account(bigintFromBytes(address))
  if (!account.exists) throw failed(`account ${toBareHex(address)} doesn't exist`)
  const tries = triesBefore(session, block)
  const root = tries.storageRoot(account, stage.base.header.stateRoot)
  const storage: Record<string, { key: null; value: string }> = {}
  let count = 0
  for (const { key, value } of new StoredTrie(root, tries.read).entriesFrom(start)) {
    if (count++ === Math.min(most, MAX_SLOTS)) return JSON.stringify({ storage, nextKey: toHex(key) })
    mustBeAwaited(limits)
    const decoded = decodeRlp(value)
    const word = decoded.ok && decoded.value instanceof Uint8Array ? slotWord(decoded.value) : value
    storage[toHex(key)] = { key: null, value: toHex(word) }
  }
  return JSON.stringify({ storage, nextKey: null })
}
