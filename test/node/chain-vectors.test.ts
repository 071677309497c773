// prlx's own chains, block by block: every root, every total difficulty, its reorg and its bad blocks.
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../../src/base/hex'
import { systemClock } from '../../src/base/time'
import type { Chain } from '../../src/node/chain/chain'
import { type Block, decodeBlock } from '../../src/node/model/block'
import { XHASH_FULL, XHASH_TEST } from '../../src/xhash/params'
import { byDepth } from '../depth'
import { engineNamed } from './engines'
import { expectedState, flatState, type StateFile } from './flat-state'
import { openVectorChain, readBlocks, readJson, type VectorChain } from './vector-chain'

interface BlockRow {
  readonly hash: string
  readonly stateRoot: string
  readonly receiptsRoot: string
  readonly totalDifficulty: string
  readonly size: number
}

interface ForkFile {
  readonly finalHead: string
  readonly forkParent: number | { readonly number: number }
  readonly insertionSteps: readonly { readonly insert: string; readonly headAfter: string; readonly reorg: boolean }[]
  readonly mainTransactionsNotInBranch: readonly string[]
}

interface InvalidFile {
  readonly parent: { readonly number: number; readonly hash: string }
  readonly cases: readonly {
    readonly name: string
    readonly block: string
    readonly headerError: string
    readonly insertError: string
  }[]
}

function blockOf(bytes: Uint8Array): Block {
  const block = decodeBlock(bytes)
  if (!block.ok) throw new Error(block.error)
  return block.value
}

const ENGINES = ['typescript', 'wasm', 'both'] as const
/** `both` executes a block in each engine and compares them, which reveals what one of them gets wrong. */
const EACH_ENGINE = byDepth<readonly (typeof ENGINES)[number][]>(['both'], ENGINES)

for (const [folder, sizes, engine] of [
  ...ENGINES.map((engine) => ['chain-small', XHASH_TEST, engine] as const),
  ...EACH_ENGINE.map((engine) => ['chain-kinds', XHASH_FULL, engine] as const),
]) {
  describe(`${folder}, engine ${engine}`, () => {
    const invalid = readJson<InvalidFile>(`${folder}/invalid.json`)
    const blocks = readBlocks(`${folder}/blocks.rlp`)
    const seen: BlockRow[] = []
    let opened: VectorChain
    const noteHead = (): void => {
      const { hash, header, totalDifficulty } = opened.chain.head
      seen.push({
        hash: toHex(hash),
        stateRoot: toHex(header.stateRoot),
        receiptsRoot: toHex(header.receiptRoot),
        totalDifficulty: String(totalDifficulty),
        size: opened.chain.reads.block(hash)?.sizeBytes ?? 0,
      })
    }
    /** The blocks that are missing, up to number `last`. */
    const importTo = async (last: number): Promise<void> => {
      for (const bytes of blocks.slice(seen.length, last)) {
        const block = blockOf(bytes)
        expect(await opened.chain.importBlock(block), `block ${block.header.number}`).toEqual({ kind: 'head' })
        noteHead()
      }
    }
    let genesis: Chain['head']
    beforeAll(async () => {
      opened = await openVectorChain(folder, sizes, systemClock(), engineNamed(engine))
      genesis = opened.chain.head
      await importTo(invalid.parent.number)
    })
    afterAll(() => opened.xhash.close())

    it.each(invalid.cases.map((entry) => [entry.name, entry] as const))('as a successor: %s', async (_name, entry) => {
      const block = blockOf(fromHex(entry.block) ?? new Uint8Array(0))
      expect(toHex(opened.chain.head.hash)).toBe(invalid.parent.hash)

      const headerFault = await opened.chain.headerFault(block.header)
      const outcome = await opened.chain.importBlock(block)
      if (outcome.kind === 'head') noteHead() // one is the next block

      expect(headerFault ?? '').toBe(entry.headerError)
      const reason = 'reason' in outcome ? outcome.reason : ''
      // prlx's message for future blocks contains the clock of its own run.
      const clockless = (text: string) => text.replace(/allowed \d+/, 'allowed T')
      expect(clockless(reason)).toBe(clockless(entry.insertError))
    })

    it('gives every block its hash, roots, size and total difficulty', async () => {
      const rows = readJson<{ blocks: readonly BlockRow[]; genesisHash: string; genesisStateRoot: string }>(
        `${folder}/blocks.json`,
      )
      expect(toHex(genesis.hash)).toBe(rows.genesisHash)
      expect(toHex(genesis.header.stateRoot)).toBe(rows.genesisStateRoot)
      await importTo(blocks.length)
      expect(seen).toEqual(
        rows.blocks.map(({ hash, stateRoot, receiptsRoot, totalDifficulty, size }) => ({
          hash,
          stateRoot,
          receiptsRoot,
          totalDifficulty,
          size,
        })),
      )
    })

    it('holds every account and slot of the head under the flat keys', async () => {
      expect(await flatState(opened.chain)).toEqual(expectedState(readJson<StateFile>(`${folder}/state.json`)))
    })

    it('reorganizes onto the competing branch exactly when prlx does', async () => {
      const fork = readJson<ForkFile>(`${folder}/fork.json`)
      const branch = readBlocks(`${folder}/fork.rlp`)
      const dropped: string[] = []
      opened.chain.events.on('headChanged', ({ removed, added }) => {
        const kept = new Set(added.flatMap((block) => block.transactions.map((tx) => toHex(tx.hash))))
        const gone = removed.flatMap((block) => block.transactions.map((tx) => toHex(tx.hash)))
        dropped.push(...gone.filter((hash) => !kept.has(hash)))
      })

      const heads: string[] = []
      for (const bytes of branch) {
        const outcome = await opened.chain.importBlock(blockOf(bytes))
        expect(['head', 'side']).toContain(outcome.kind)
        heads.push(toHex(opened.chain.head.hash))
      }

      expect(heads).toEqual(fork.insertionSteps.map((step) => step.headAfter))
      expect(heads.at(-1)).toBe(fork.finalHead)
      expect(dropped.sort()).toEqual([...fork.mainTransactionsNotInBranch].sort())
      expect(await flatState(opened.chain)).toEqual(expectedState(readJson<StateFile>(`${folder}/fork-state.json`)))
    })
  })
}

describe('chain-epoch', () => {
  it.each(['typescript', 'both'] as const)(
    'crosses an epoch, both difficulty rules and the unsigned wrap, engine %s',
    async (engine) => {
      const { chain, xhash } = await openVectorChain('chain-epoch', XHASH_TEST, systemClock(), engineNamed(engine))
      const file = readJson<{ columns: readonly string[]; rows: readonly (readonly (string | number)[])[] }>(
        'chain-epoch/blocks.json',
      )
      const seen: (string | number)[][] = []
      for (const bytes of readBlocks('chain-epoch/blocks.rlp')) {
        const block = blockOf(bytes)
        expect(await chain.importBlock(block), `block ${block.header.number}`).toEqual({ kind: 'head' })
        const { hash, header, totalDifficulty } = chain.head
        seen.push([
          Number(header.number),
          toHex(hash),
          toHex(header.stateRoot),
          Number(header.timestamp),
          Number(header.epochStartTime),
          String(header.difficulty),
          String(totalDifficulty),
        ])
      }
      await xhash.close()
      expect(seen).toEqual(file.rows)
    },
  )
})
