import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { concatBytes } from '../../../base/bytes'
import { encodeRlp } from '../../codec/rlp'
import type { ImportReport } from '../../worker/wire/import-shapes'
import { type BlockSource, chainFiles } from './chain-files'

const signal = new AbortController().signal
const block = (number: number) => encodeRlp([new Uint8Array(400_000).fill(number), Uint8Array.of(number)])
const blocks = Array.from({ length: 12 }, (_item, index) => block(index))

const report = (reason: string | null): ImportReport => ({
  added: 1,
  side: 0,
  known: 0,
  transactions: 0,
  gas: 0n,
  head: { number: 1, hash: new Uint8Array(32) },
  refused: reason === null ? null : { index: 0, number: null, hash: null, reason, future: false },
})

class FakeChain implements BlockSource {
  readonly taken: Uint8Array[] = []
  refusal: string | null = null

  async importBlocks(bytes: Uint8Array): Promise<ImportReport> {
    this.taken.push(bytes)
    return report(this.refusal)
  }

  async blockBytes(number: number): Promise<Uint8Array | null> {
    return blocks[number] ?? null
  }

  async headNumber(): Promise<number> {
    return blocks.length - 1
  }
}

describe('block files', () => {
  let folder = ''
  let chain = new FakeChain()
  let files = chainFiles(chain)
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'headframe-files-'))
    chain = new FakeChain()
    files = chainFiles(chain)
  })
  afterEach(() => rmSync(folder, { recursive: true }))

  it.each(['chain.rlp', 'chain.rlp.gz'])(
    'gives the blocks of %s to the chain in portions of whole blocks',
    async (name) => {
      const file = join(folder, name)
      const all = concatBytes(...blocks)
      writeFileSync(file, name.endsWith('.gz') ? gzipSync(all) : all)

      await files.importChain(file, signal)

      expect(chain.taken.length).toBeGreaterThan(1)
      expect(chain.taken.every((part) => part.length % block(0).length === 0)).toBe(true)
      expect(Buffer.concat(chain.taken).equals(all)).toBe(true)
    },
  )

  it('reports why a block was rejected, and stops there', async () => {
    const file = join(folder, 'chain.rlp')
    writeFileSync(file, concatBytes(...blocks))
    chain.refusal = 'unknown ancestor'

    await expect(files.importChain(file, signal)).rejects.toThrow('batch 0: failed to insert: unknown ancestor')
    expect(chain.taken).toHaveLength(1)
  })

  it('imports what precedes damage, and names its place', async () => {
    const file = join(folder, 'chain.rlp')
    const good = concatBytes(...blocks.slice(0, 2))
    writeFileSync(file, concatBytes(good, Uint8Array.of(0x80)))

    await expect(files.importChain(file, signal)).rejects.toThrow(`block file is broken at byte ${good.length}: wanted`)
    expect(Buffer.concat(chain.taken).equals(good)).toBe(true)

    writeFileSync(file, good.subarray(0, -1))
    await expect(files.importChain(file, signal)).rejects.toThrow('the file ends inside a block')
  })

  it("says which file isn't there", async () => {
    await expect(files.importChain(join(folder, 'none'), signal)).rejects.toThrow(/ENOENT/)
  })

  it.each(['out.rlp', 'out.rlp.gz'])('writes a range of blocks to %s', async (name) => {
    const file = join(folder, name)

    await files.exportChain(file, { first: 2, last: 4 })

    const written = name.endsWith('.gz') ? gunzipSync(readFileSync(file)) : readFileSync(file)
    expect(written.equals(concatBytes(...blocks.slice(2, 5)))).toBe(true)
  })

  it('never overwrites, and requires a first with a last', async () => {
    const file = join(folder, 'out.rlp')
    writeFileSync(file, 'mine')

    await expect(files.exportChain(file, { first: null, last: null })).rejects.toThrow(
      'location would overwrite an existing file',
    )
    await expect(files.exportChain(join(folder, 'x'), { first: null, last: 5 })).rejects.toThrow(
      'last cannot be specified without first',
    )
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })
})
