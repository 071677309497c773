import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { joinBytes } from '../../base/bytes'
import { rlpSlices } from '../../node/codec/rlp'
import type { ImportReport } from '../../node/worker/wire/import-shapes'
import { readBlockFile } from './block-source'
import { type ImportProgress, importFile } from './import-file'

const BLOCKS = readFileSync(
  join(import.meta.dirname, '..', '..', '..', 'test', 'vectors', 'chain', 'chain-small', 'blocks.rlp'),
)
const ALL = piecesOf(BLOCKS)
const goOn = new AbortController().signal

function piecesOf(bytes: Uint8Array): readonly Uint8Array[] {
  return [...rlpSlices(bytes)].map((part) => {
    if (!part.ok) throw new Error(part.error)
    return part.value.encoded
  })
}

/** As it was found: of one that is gone since, more than nothing. */
const sizeOf = (file: string): number => statSync(file, { throwIfNoEntry: false })?.size ?? 1

/** A chain that accepts every block, or rejects one by its place among all. */
class FakeChain {
  readonly taken: Uint8Array[] = []
  underWay = 0
  maxUnderWay = 0

  constructor(private readonly refuse: { readonly at: number; readonly number: bigint | null } | null = null) {}

  async importBlocks(bytes: Uint8Array): Promise<ImportReport> {
    this.maxUnderWay = Math.max(this.maxUnderWay, ++this.underWay)
    await new Promise((resolve) => setImmediate(resolve))
    this.underWay--
    const blocks = piecesOf(bytes)
    const place = this.refuse === null ? -1 : this.refuse.at - this.taken.length
    const isBad = place >= 0 && place < blocks.length
    const good = isBad ? blocks.slice(0, place) : blocks
    this.taken.push(...good)
    const head = { number: this.taken.length, hash: new Uint8Array(32) }
    const counts = { added: good.length, side: 0, known: 0, transactions: 0, gas: 5n, head }
    if (!isBad) return { ...counts, refused: null }
    const refused = { index: place, number: this.refuse?.number ?? null, hash: null, reason: 'because', future: false }
    return { ...counts, refused }
  }
}

describe.each([false, true])('the import of a block file, on this thread: %s', (isHere) => {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-blocks-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const fileOf = (name: string, bytes: Uint8Array): string => {
    const file = join(folder, name)
    writeFileSync(file, bytes)
    return file
  }
  const imported = async (file: string, node: FakeChain, signal = goOn) => {
    const progress: ImportProgress[] = []
    const isComplete = await importFile(
      file,
      { node, onProgress: (state) => void progress.push(state), plainBytes: isHere ? sizeOf(file) : 0 },
      signal,
    )
    return { isComplete, last: progress.at(-1), progress }
  }

  it.each([
    ['plain.rlp', BLOCKS],
    ['packed.rlp.gz', gzipSync(BLOCKS)],
    ['two-members.rlp.gz', joinBytes([gzipSync(BLOCKS.subarray(0, 5_000)), gzipSync(BLOCKS.subarray(5_000))])],
  ])('passes on all blocks of %s in order, a few batches ahead', async (name, bytes) => {
    const node = new FakeChain()

    const { isComplete, last } = await imported(fileOf(name, bytes), node)

    expect(isComplete).toBe(true)
    expect(Buffer.compare(joinBytes(node.taken), BLOCKS)).toBe(0)
    expect(last).toMatchObject({ added: 130, bytesRead: bytes.length, head: { number: 130 } })
    expect(node.maxUnderWay).toBeLessThanOrEqual(3)
  })

  it('stops at a rejected block, and names its place in the file', async () => {
    const offset = joinBytes(ALL.slice(0, 77)).length

    const failed = imported(fileOf('refused.rlp', BLOCKS), new FakeChain({ at: 77, number: 78n }))

    await expect(failed).rejects.toMatchObject({ code: 'HOST_BLOCK_REFUSED', data: { offset, block: '78' } })
    await expect(failed).rejects.toThrow(/block 78 at byte \d+ was rejected: because$/)
  })

  it("recognizes a foreign genesis, and names the place of bytes that aren't a block", async () => {
    const genesis = imported(fileOf('genesis.rlp', BLOCKS), new FakeChain({ at: 0, number: 0n }))
    await expect(genesis).rejects.toThrow('block 0 at byte 0 was rejected: it is the genesis of another chain')

    const spoilt = imported(fileOf('spoilt.rlp', BLOCKS), new FakeChain({ at: 3, number: null }))
    await expect(spoilt).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_BROKEN', data: { reason: 'because' } })
  })

  it('imports what precedes damage, then names the damage', async () => {
    const node = new FakeChain()
    const good = joinBytes(ALL.slice(0, 40))

    const failed = imported(fileOf('damaged.rlp', joinBytes([good, Uint8Array.of(0x05), BLOCKS])), node)

    await expect(failed).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_BROKEN', data: { offset: good.length } })
    expect(node.taken).toHaveLength(40)
  })

  it('imports what a truncated compressed file still holds', async () => {
    const node = new FakeChain()
    const packed = gzipSync(BLOCKS)

    const failed = imported(fileOf('cut.rlp.gz', packed.subarray(0, packed.length / 2)), node)

    await expect(failed).rejects.toThrow(/no block at byte \d+: cannot be decompressed: unexpected end of file$/)
    expect(node.taken.length).toBeGreaterThan(10)
  })

  it.each([
    ['a file that is not there', () => join(folder, 'none.rlp'), 'cannot be read: no such file or folder'],
    ['a folder', () => folder, 'cannot be read: it is a folder'],
    [
      'a .gz that is none',
      () => fileOf('no.gz', BLOCKS),
      'no block at byte 0: cannot be decompressed: incorrect header check',
    ],
  ])('fails on %s', async (_name, file, message) => {
    await expect(imported(file(), new FakeChain())).rejects.toThrow(message)
  })

  it('finishes the current batch when stopped, and reports that it is incomplete', async () => {
    const stop = new AbortController()
    stop.abort()

    const { isComplete, last } = await imported(fileOf('stopped.rlp', BLOCKS), new FakeChain(), stop.signal)

    expect([isComplete, last]).toEqual([false, undefined])
  })
})

describe('a block file as a stream', () => {
  it('is cut into batches of bounded work', async () => {
    const file = join(import.meta.dirname, '..', '..', '..', 'test', 'vectors', 'chain', 'chain-epoch', 'blocks.rlp')
    for (const plainBytes of [0, sizeOf(file)]) {
      const sizes: number[] = []
      for await (const batch of readBlockFile(file, plainBytes)) sizes.push(batch.offsets.length)

      expect(sizes).toEqual([512, 228])
    }
  })

  it.skipIf(process.platform === 'win32')(
    'waits for what a pipe brings, without blocking the thread that brings it',
    async () => {
      const pipe = join(tmpdir(), `headframe-blocks-${process.pid}.pipe`)
      execFileSync('mkfifo', [pipe])
      try {
        const brought = open(pipe, 'w').then(async (handle) => {
          await handle.write(BLOCKS)
          await handle.close()
        })
        let count = 0
        for await (const batch of readBlockFile(pipe, sizeOf(pipe))) count += batch.offsets.length
        await brought

        expect(count).toBe(ALL.length)
      } finally {
        rmSync(pipe)
      }
    },
  )
})
