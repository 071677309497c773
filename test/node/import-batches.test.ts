// prlx's chains again, imported as whole files: batches must have the same result as single blocks.
import { afterEach, describe, expect, it } from 'vitest'
import { concatBytes, joinBytes } from '../../src/base/bytes'
import { toHex } from '../../src/base/hex'
import { systemClock } from '../../src/base/time'
import type { HeadChanged } from '../../src/node/chain/chain'
import { createBlock, decodeBlock, encodeBlock } from '../../src/node/model/block'
import { placesFault } from '../../src/node/testing/test-places'
import { importBytes } from '../../src/node/worker/import-bytes'
import { XHASH_FULL, XHASH_TEST } from '../../src/xhash/params'
import { type EngineName, engineNamed } from './engines'
import { expectedState, flatState } from './flat-state'
import { openVectorChain, readBlocks, readJson, readVector, type VectorChain } from './vector-chain'

let opened: VectorChain | null = null
afterEach(async () => {
  await opened?.xhash.close()
  opened = null
})

const open = async (folder: string, sizes: typeof XHASH_FULL, engine: EngineName = 'typescript') => {
  opened = await openVectorChain(folder, sizes, systemClock(), engineNamed(engine))
  const changes: HeadChanged[] = []
  opened.chain.events.on('headChanged', (change) => changes.push(change))
  return { chain: opened.chain, changes }
}

describe('a file of blocks', () => {
  it.each([
    ['chain-small', XHASH_TEST],
    ['chain-kinds', XHASH_FULL],
  ] as const)(
    '%s is imported with few changes of the head, exports the same bytes, and its branch wins',
    async (folder, sizes) => {
      const { chain, changes } = await open(folder, sizes)
      const file = readVector(`${folder}/blocks.rlp`)
      const blocks = readBlocks(`${folder}/blocks.rlp`).length

      const report = await importBytes(chain, file)

      expect(report).toMatchObject({ added: blocks, side: 0, known: 0, refused: null, head: { number: blocks } })
      expect(changes.length).toBeLessThan(5)
      expect(changes.flatMap((change) => change.added)).toHaveLength(blocks)
      const stored = Array.from({ length: blocks }, (_, index) => {
        const block = chain.reads.block(chain.reads.canonicalHash(BigInt(index + 1)) ?? new Uint8Array(0))
        return block === null ? new Uint8Array(0) : encodeBlock(block)
      })
      expect(Buffer.compare(joinBytes(stored), file)).toBe(0)

      const fork = readJson<{ readonly finalHead: string }>(`${folder}/fork.json`)
      const branch = await importBytes(chain, concatBytes(file, readVector(`${folder}/fork.rlp`)))
      expect(branch).toMatchObject({ known: blocks, refused: null })
      expect(branch.side).toBeGreaterThan(0)
      expect(toHex(chain.head.hash)).toBe(fork.finalHead)
      expect(changes.filter((change) => change.removed.length > 0)).toHaveLength(1)
    },
  )

  it.each(['typescript', 'wasm'] as const)(
    'that many others follow leaves its last state alone, and is taken back completely (%s)',
    async (engine) => {
      const { chain } = await open('chain-kinds', XHASH_FULL, engine)
      const genesis = toHex(chain.head.header.stateRoot)
      const flat = await flatState(chain)

      const report = await importBytes(chain, readVector('chain-kinds/blocks.rlp'), 1_000)

      expect(report.refused).toBeNull()
      expect(Number(chain.statesFrom)).toBe(report.head.number)
      expect(await placesFault(chain.store, chain.head.header.stateRoot)).toBeNull()
      expect(await flatState(chain)).toEqual(expectedState(readJson('chain-kinds/state.json')))

      expect(await chain.goBackTo(0n)).toBeNull()
      expect(toHex(chain.head.header.stateRoot)).toBe(genesis)
      expect(await placesFault(chain.store, chain.head.header.stateRoot)).toBeNull()
      expect(await flatState(chain)).toEqual(flat)
    },
  )

  it('is imported up to the first bad seal, which is named; nothing after garbage is imported', async () => {
    const { chain } = await open('chain-small', XHASH_TEST)
    const blocks = readBlocks('chain-small/blocks.rlp')
    const eleventh = decodeBlock(blocks[10] ?? new Uint8Array(0))
    if (!eleventh.ok) throw new Error(eleventh.error)
    const { header, transactions } = eleventh.value
    const bad = createBlock({ ...header, nonce: header.nonce ^ 1n }, transactions)
    const file = joinBytes([...blocks.slice(0, 10), encodeBlock(bad), ...blocks.slice(11)])

    const report = await importBytes(chain, file)

    expect(report).toMatchObject({ added: 10, head: { number: 10 } })
    expect(report.refused).toEqual({
      index: 10,
      number: 11n,
      hash: bad.hash,
      reason: 'invalid mix digest',
      future: false,
    })
    expect(chain.bad.list().map((entry) => entry.reason)).toEqual(['invalid mix digest'])

    const broken = await importBytes(chain, concatBytes(joinBytes(blocks.slice(0, 12)), Uint8Array.of(0xc0)))
    expect(broken).toMatchObject({ known: 10, added: 2, refused: { index: 12, number: null, hash: null } })
    expect(await importBytes(chain, Uint8Array.of(0xf8))).toMatchObject({ added: 0, refused: { index: 0 } })
  })

  it('arriving in several calls at once is imported in order', async () => {
    const { chain } = await open('chain-small', XHASH_TEST)
    const blocks = readBlocks('chain-small/blocks.rlp')
    const parts = [0, 1, 2].map((part) => joinBytes(blocks.slice(part * 40, (part + 1) * 40)))
    const reports = await Promise.all(parts.map((part) => importBytes(chain, part)))
    expect(reports.map(({ added, head }) => [added, head.number])).toEqual([
      [40, 40],
      [40, 80],
      [40, 120],
    ])
  })
})
