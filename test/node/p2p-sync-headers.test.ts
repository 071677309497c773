// Headers that are verified before their blocks arrive: in rows, on stored headers and on each other.

import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../src/base/bytes'
import { keccak256 } from '../../src/node/codec/keccak'
import { encodedList } from '../../src/node/codec/rlp'
import { type BlockHeader, decodeHeader } from '../../src/node/model/header'
import type { HeadersParams } from '../../src/node/worker/wire/read-wire'
import { madeBlocks } from './made-blocks'
import { type Line, lineOf } from './p2p-sync-chain'
import { type SyncNode, syncNode } from './p2p-sync-node'
import { newFolder } from './practice-node'

const LENGTH = 200

describe('headers ahead of their blocks', () => {
  const folder = newFolder()
  let node: SyncNode
  let line: Line
  const rows = (from: Line, first: number, last: number): readonly BlockHeader[] =>
    from.blocks.slice(first, last + 1).map(({ header }) => header)
  const take = (first: number, last: number) =>
    node.chain.importBlocks(
      joinBytes(line.blocks.slice(first, last + 1).map(({ headerRlp, body }) => encodedList([headerRlp, body]))),
    )

  beforeAll(async () => {
    node = await syncNode({ folder: join(folder, 'node') })
    const [genesis = new Uint8Array(0)] = await node.chain.headers({ origin: 0n, amount: 1n, skip: 0n, reverse: false })
    line = lineOf(genesis, await madeBlocks({ count: LENGTH, tag: 1, paidEvery: 0 }))
  })
  afterAll(async () => {
    await node.stop()
    rmSync(folder, { recursive: true, force: true })
  })

  it('are valid in rows, far ahead of the chain and beside an import', async () => {
    const good = (count: number) => ({ good: count, fault: null })
    expect(await node.chain.checkHeaders(rows(line, 1, 80))).toEqual(good(80))
    const importing = take(1, 70)
    expect(await node.chain.checkHeaders(rows(line, 81, 120))).toEqual(good(40))
    expect((await importing).added).toBe(70)
    expect(await node.chain.checkHeaders(rows(line, 121, 160))).toEqual(good(40))
    expect((await take(71, 160)).added).toBe(90)
    expect(await node.chain.checkHeaders(rows(line, 161, 200))).toEqual(good(40))
    expect(node.head().number).toBe(160)
  })

  it("say how many were valid before the first that isn't", async () => {
    const badSeal = line.withHeader(190, () => ({ mixHash: new Uint8Array(32) }))
    expect(await node.chain.checkHeaders(rows(badSeal, 161, 200))).toEqual({
      good: 29,
      fault: { kind: 'fault', reason: 'invalid mix digest' },
    })
    const badGas = line.withHeader(165, () => ({ gasUsed: 2n ** 60n }))
    const verdict = await node.chain.checkHeaders(rows(badGas, 161, 200))
    expect([verdict.good, verdict.fault?.reason]).toEqual([
      4,
      'invalid gasUsed: have 1152921504606846976, gasLimit 30000000',
    ])
    const early = line.withHeader(170, () => ({ timestamp: 99_999_999_999n }))
    expect(await node.chain.checkHeaders(rows(early, 161, 200))).toEqual({
      good: 9,
      fault: { kind: 'future', reason: 'block in the future' },
    })
  })

  it('need a parent that is stored or was just verified', async () => {
    expect(await node.chain.checkHeaders(rows(line, 175, 180))).toEqual({
      good: 0,
      fault: { kind: 'unknown parent', reason: 'unknown ancestor' },
    })
    // An invalid row doesn't affect a valid one after it.
    expect(await node.chain.checkHeaders(rows(line, 161, 180))).toEqual({ good: 20, fault: null })
  })

  it("are one row at a time: two concurrent requests don't interfere", async () => {
    const badSeal = line.withHeader(195, () => ({ mixHash: new Uint8Array(32) }))
    const [first, second] = await Promise.all([
      node.chain.checkHeaders(rows(badSeal, 161, 200)),
      node.chain.checkHeaders(rows(line, 161, 200)),
    ])
    expect([first.good, second.good]).toEqual([34, 40])
  })

  it('are served to others along the chain', async () => {
    const heights = async (query: Partial<HeadersParams>): Promise<readonly number[]> => {
      const asked = { origin: 0n, amount: 3n, skip: 0n, reverse: false, ...query }
      return (await node.chain.headers(asked)).map((rlp) => {
        const header = decodeHeader(rlp)
        return header.ok ? Number(header.value.number) : -1
      })
    }
    expect(await heights({ origin: 158n, amount: 9n })).toEqual([158, 159, 160])
    expect(await heights({ origin: 161n })).toEqual([])
    expect(await heights({ origin: 2n, amount: 9n, reverse: true })).toEqual([2, 1, 0])
    expect(await heights({ origin: 10n, skip: 4n })).toEqual([10, 15, 20])
    expect(await heights({ origin: 10n, skip: 4n, reverse: true })).toEqual([10, 5, 0])
    expect(await heights({ origin: 10n, skip: 2n ** 64n - 1n })).toEqual([10])
    expect(await heights({ origin: 2n ** 64n - 1n })).toEqual([])
    expect(await heights({ origin: line.at(150).hash, amount: 2n })).toEqual([150, 151])
    expect(await heights({ origin: line.at(150).hash, skip: 9n, reverse: true })).toEqual([150, 140, 130])
    expect(await heights({ origin: line.at(190).hash })).toEqual([])
    expect(await heights({ amount: 0n })).toEqual([])
    expect((await heights({ amount: 5_000n })).length).toBe(161)
  })

  it('are served from a branch: only the block itself upwards, its parents downwards', async () => {
    const shared = joinBytes(line.blocks.slice(1, 151).map(({ headerRlp, body }) => encodedList([headerRlp, body])))
    const made = await madeBlocks({ on: shared, count: 5, tag: 9, paidEvery: 0 })
    const branch = lineOf(line.at(0).headerRlp, joinBytes([shared, made]))
    expect((await node.chain.importBlocks(made)).side).toBe(5)
    const hashes = async (query: Partial<HeadersParams>): Promise<readonly Uint8Array[]> => {
      const { hash } = branch.head
      const headers = await node.chain.headers({ origin: hash, amount: 4n, skip: 0n, reverse: false, ...query })
      return headers.map((rlp) => keccak256(rlp))
    }
    const at = (...numbers: number[]) => numbers.map((number) => branch.at(number).hash)
    expect(await hashes({})).toEqual(at(155))
    expect(await hashes({ reverse: true })).toEqual(at(155, 154, 153, 152))
    expect(await hashes({ reverse: true, skip: 2n })).toEqual(at(155, 152, 149, 146))
    expect(await hashes({ reverse: true, skip: 100n })).toEqual(at(155, 54))
  })
})
