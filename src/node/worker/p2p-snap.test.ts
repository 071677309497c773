import { verifyMerkleRangeProof } from '@ethereumjs/mpt'
import { describe, expect, it } from 'vitest'
import { bytesFromBigint, compareBytes } from '../../base/bytes'
import { toHex } from '../../base/hex'
import { keccak256 } from '../codec/keccak'
import { decodeRlp, encodeRlp, type RlpItem, rlpInteger } from '../codec/rlp'
import { EMPTY_CODE_HASH, encodeAccount } from '../execution/account'
import { SNAP_CODES } from '../protocol/snap-messages'
import { stateKeys } from '../store/keys'
import { MemoryStore } from '../store/store'
import { EMPTY_TRIE_ROOT, noNodes, Trie } from '../trie/trie'
import { answerSnap } from './p2p-handlers'

const ZERO = new Uint8Array(32)
const LAST = new Uint8Array(32).fill(0xff)
const CODE = Uint8Array.of(0x60, 0x00)
const hashOf = (value: number): Uint8Array => keccak256(bytesFromBigint(BigInt(value), 4))

/** 4,000 accounts; the first has code and 3,000 slots. */
async function madeState() {
  const store = new MemoryStore()
  const write = async (trie: Trie) => {
    const { root, nodes } = trie.commit()
    await store.write(nodes.map(([hash, node]) => [stateKeys.node(hash), node]))
    return root
  }
  const slots = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  for (let i = 0; i < 3_000; i++) slots.put(hashOf(i), encodeRlp(rlpInteger(i + 1)))
  const storageRoot = await write(slots)
  const plain = { nonce: 1n, balance: 10n ** 18n, storageRoot: EMPTY_TRIE_ROOT, codeHash: EMPTY_CODE_HASH }
  const accounts = new Trie(EMPTY_TRIE_ROOT, { read: noNodes, keccak256 })
  for (let i = 1; i < 4_000; i++) accounts.put(hashOf(i), encodeAccount({ ...plain, balance: BigInt(i) }))
  accounts.put(hashOf(0), encodeAccount({ ...plain, storageRoot, codeHash: keccak256(CODE) }))
  await store.write([[stateKeys.code(keccak256(CODE)), CODE]])
  return { store, root: await write(accounts), storageRoot }
}

const state = await madeState()

function ask(code: number, items: readonly RlpItem[]) {
  const answer = answerSnap(state.store, code, encodeRlp([rlpInteger(7), ...items]))
  if (answer === null) return null
  const decoded = decodeRlp(answer.payload)
  if (!decoded.ok || decoded.value instanceof Uint8Array) throw new Error('not a list')
  expect(decoded.value[0]).toEqual(Uint8Array.of(7))
  return { items: decoded.value.slice(1), reads: answer.reads, bytes: answer.payload.length }
}

function listOf(item: RlpItem | undefined): readonly RlpItem[] {
  if (item === undefined || item instanceof Uint8Array) throw new Error('not a list')
  return item
}

const bytesOf = (item: RlpItem | undefined): Uint8Array => (item instanceof Uint8Array ? item : encodeRlp(item ?? []))

/** Accounts as stored in the trie. */
function fullAccount(body: RlpItem | undefined): Uint8Array {
  const [nonce = ZERO, balance = ZERO, root = ZERO, code = ZERO] = listOf(body)
  return encodeRlp([
    nonce,
    balance,
    root.length === 0 ? EMPTY_TRIE_ROOT : root,
    code.length === 0 ? EMPTY_CODE_HASH : code,
  ])
}

function accountsOf(items: readonly RlpItem[]) {
  const pairs = listOf(items[0]).map((pair) => listOf(pair))
  return {
    keys: pairs.map(([key]) => bytesOf(key)),
    values: pairs.map(([, body]) => fullAccount(body)),
    proof: listOf(items[1]).map(bytesOf),
  }
}

describe('states for other nodes', () => {
  it('come whole, piece by piece, each with a valid proof, and none costs more than its bounds', async () => {
    let origin = ZERO
    let seen = 0
    for (let isMore = true; isMore; ) {
      const answer = ask(SNAP_CODES.getAccountRange, [state.root, origin, LAST, rlpInteger(512 * 1024)])
      const { keys, values, proof } = accountsOf(answer?.items ?? [])
      const last = keys.at(-1) ?? ZERO
      isMore = await verifyMerkleRangeProof(state.root, origin, last, keys, values, proof)
      expect(answer?.reads).toBeLessThan(2_400)
      expect(keys.length).toBeGreaterThan(1_000 * (isMore ? 1 : 0))
      seen += keys.length
      origin = new Uint8Array(bytesFromBigint(BigInt(toHex(last)) + 1n, 32))
    }
    expect(seen).toBe(4_000)
  })

  it("show an account's slots from any one on, with a proof if some are omitted", async () => {
    const wanted = [rlpInteger(5_000)]
    const answer = ask(SNAP_CODES.getStorageRanges, [state.root, [hashOf(0)], hashOf(9), LAST, ...wanted])
    const [lists, proof] = answer?.items ?? []
    const pairs = listOf(listOf(lists)[0]).map((pair) => listOf(pair).map(bytesOf))
    const keys = pairs.map(([key = ZERO]) => key)
    const values = pairs.map(([, value = ZERO]) => value)
    const isMore = await verifyMerkleRangeProof(
      state.storageRoot,
      hashOf(9),
      keys.at(-1) ?? ZERO,
      keys,
      values,
      listOf(proof).map(bytesOf),
    )
    expect(keys[0]).toEqual(hashOf(9))
    expect(isMore).toBe(true)
    expect(answer?.bytes).toBeLessThan(15_000)

    const unknown = ask(SNAP_CODES.getStorageRanges, [state.root, [hashOf(-1 >>> 0), hashOf(5)], ZERO, LAST, ...wanted])
    expect(unknown?.items).toEqual([[], []])
  })

  it('have codes and trie nodes in the requested order', () => {
    const codes = ask(SNAP_CODES.getByteCodes, [[EMPTY_CODE_HASH, ZERO, keccak256(CODE)], rlpInteger(1_000)])
    expect(codes?.items).toEqual([[new Uint8Array(0), CODE]])
    const nodes = ask(SNAP_CODES.getTrieNodes, [
      state.root,
      [[Uint8Array.of(0)], [hashOf(0), Uint8Array.of(0)], [new Uint8Array(60).fill(1)], [hashOf(1), Uint8Array.of(0)]],
      rlpInteger(50_000),
    ])
    const [top = ZERO, storage = ZERO, ...others] = listOf(nodes?.items[0]).map(bytesOf)
    expect([keccak256(top), keccak256(storage)]).toEqual([state.root, state.storageRoot])
    expect(others).toEqual([new Uint8Array(0), new Uint8Array(0)])
  })

  it("are empty for a state that isn't kept, and for the root of something else", () => {
    for (const root of [hashOf(1), state.storageRoot, EMPTY_TRIE_ROOT]) {
      expect(ask(SNAP_CODES.getAccountRange, [root, ZERO, LAST, rlpInteger(4_000)])?.items).toEqual([[], []])
    }
    const nodes = [hashOf(1), [[Uint8Array.of(0)], [hashOf(2), Uint8Array.of(0)]], rlpInteger(4_000)]
    expect(ask(SNAP_CODES.getTrieNodes, nodes)?.items).toEqual([[]])
  })

  it('cost a limited number of reads whatever is requested', () => {
    const path = new Uint8Array(33).fill(0)
    const sets = Array.from({ length: 1024 }, (_, i) => [hashOf(0), path, hashOf(i)])
    expect(ask(SNAP_CODES.getTrieNodes, [state.root, sets, rlpInteger(2n ** 60n)])?.reads).toBeLessThan(2_400)
    const unknown = sets.map((_, i) => [hashOf(i + 100_000), Uint8Array.of(0)])
    expect(ask(SNAP_CODES.getTrieNodes, [state.root, unknown, rlpInteger(2n ** 60n)])?.reads).toBeLessThan(2_400)
    const accounts = Array.from({ length: 1024 }, (_, i) => hashOf(i + 1))
    const storage = [state.root, accounts, ZERO, LAST, rlpInteger(2n ** 60n)]
    expect(ask(SNAP_CODES.getStorageRanges, storage)?.reads).toBeLessThan(2_400)
  })

  it('are refused to malformed requests', () => {
    const number = rlpInteger(1)
    expect(ask(SNAP_CODES.getTrieNodes, [state.root, [[]], number])).toBeNull()
    expect(ask(SNAP_CODES.getTrieNodes, [state.root, [Uint8Array.of(0)], number])).toBeNull()
    expect(ask(SNAP_CODES.getAccountRange, [state.root, ZERO, LAST])).toBeNull()
    expect(ask(SNAP_CODES.getAccountRange, [state.root, ZERO, LAST.subarray(1), number])).toBeNull()
    expect(ask(SNAP_CODES.getByteCodes, [[LAST.subarray(1)], number])).toBeNull()
    expect(ask(SNAP_CODES.accountRange, [[], []])).toBeNull()
    expect(answerSnap(state.store, SNAP_CODES.getByteCodes, Uint8Array.of(0xc1))).toBeNull()
  })

  it('keep their order', () => {
    const answer = ask(SNAP_CODES.getAccountRange, [state.root, ZERO, ZERO, rlpInteger(0)])
    const { keys } = accountsOf(answer?.items ?? [])
    expect(keys).toHaveLength(1)
    expect([...Array(100).keys()].every((i) => compareBytes(keys[0] ?? LAST, hashOf(i)) <= 0)).toBe(true)
  })
})
