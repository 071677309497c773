import { spawnSync } from 'node:child_process'
import {
  closeSync,
  constants,
  existsSync,
  lstatSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import type { NodeService } from '../../node/node-service'
import { chainFiles, existingSize, exportFile } from './export-file'

const goOn = new AbortController().signal

/** Block N is the byte N, ten times; three blocks per answer. */
const node = {
  blockRange: async (first: number, last: number) => {
    const count = Math.min(3, last - first + 1)
    const blocks = Array.from({ length: count }, (_, at) => Buffer.alloc(10, first + at))
    return { bytes: new Uint8Array(Buffer.concat(blocks)), count }
  },
}

const expected = (first: number, last: number): Buffer =>
  Buffer.concat(Array.from({ length: last - first + 1 }, (_, at) => Buffer.alloc(10, first + at)))

const folder = mkdtempSync(join(tmpdir(), 'headframe-export-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inFolder = (name: string): string => join(folder, name)
const onProgress = (): void => undefined

describe('the export of a chain', () => {
  it('writes all blocks and reports progress', async () => {
    const seen: number[] = []
    const deps = { node, onProgress: ({ blocks }: { readonly blocks: number }) => void seen.push(blocks) }

    const isComplete = await exportFile({ file: inFolder('a.rlp'), first: 0, last: 9, append: false }, deps, goOn)

    expect(isComplete).toBe(true)
    expect(readFileSync(inFolder('a.rlp'))).toEqual(expected(0, 9))
    expect(seen).toEqual([3, 6, 9, 10])
  })

  it('replaces a file once the new one is complete, and appends a range', async () => {
    const file = inFolder('b.rlp')
    writeFileSync(file, 'before')

    await exportFile({ file, first: 1, last: 4, append: false }, { node, onProgress }, goOn)
    await exportFile({ file, first: 5, last: 6, append: true }, { node, onProgress }, goOn)

    expect(readFileSync(file)).toEqual(expected(1, 6))
    expect(readdirSync(folder).filter((name) => name.endsWith('.partial'))).toEqual([])
    expect(await existingSize(file)).toBe(60)
  })

  it.skipIf(process.platform === 'win32')('writes to a pipe, which stays one', async () => {
    const file = inFolder('pipe')
    spawnSync('mkfifo', [file])
    for (const append of [false, true]) {
      const reader = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
      expect(await exportFile({ file, first: 0, last: 4, append }, { node, onProgress }, goOn)).toBe(true)
      expect(readFileSync(reader)).toEqual(expected(0, 4))
      closeSync(reader)
      expect(lstatSync(file).isFIFO()).toBe(true)
    }
  })

  it.skipIf(process.platform === 'win32')('never waits for the reader of a pipe', async () => {
    const file = inFolder('unread')
    spawnSync('mkfifo', [file])
    const options = { file, first: 0, last: 4, append: false }
    await expect(exportFile(options, { node, onProgress }, goOn)).rejects.toThrow('it is a pipe that no program reads')

    const stalled = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    const stop = new AbortController()
    const long = async () => {
      setImmediate(() => stop.abort())
      return { bytes: new Uint8Array(1 << 20), count: 1 }
    }
    expect(await exportFile(options, { node: { blockRange: long }, onProgress }, stop.signal)).toBe(false)
    closeSync(stalled)
    expect(lstatSync(file).isFIFO()).toBe(true)
  })

  it('leaves what someone has at the place of its unfinished file', async () => {
    const [file, linked, other] = [inFolder('own.rlp'), inFolder('linked.rlp'), inFolder('other')]
    for (const path of [`${file}.partial`, other]) writeFileSync(path, 'of another')
    symlinkSync(other, `${linked}.partial`)

    for (const each of [file, linked]) {
      const failed = exportFile({ file: each, first: 0, last: 4, append: false }, { node, onProgress }, goOn)
      await expect(failed).rejects.toThrow(`${each}.partial is there`)
      expect(readFileSync(`${each}.partial`, 'utf8')).toBe('of another')
      expect(existsSync(each)).toBe(false)
    }
  })

  it('compresses what ends with .gz, appended parts too', async () => {
    const file = inFolder('c.rlp.gz')

    await exportFile({ file, first: 0, last: 4, append: true }, { node, onProgress }, goOn)
    await exportFile({ file, first: 5, last: 9, append: true }, { node, onProgress }, goOn)

    expect(gunzipSync(readFileSync(file))).toEqual(expected(0, 9))
  })

  it.each([true, false])('leaves the file as it was if the chain fails (append: %s)', async (append) => {
    const file = inFolder(`d-${append}.rlp`)
    writeFileSync(file, 'before')
    const failing = {
      blockRange: async (first: number, last: number) => {
        if (first > 3) throw new Error('worker lost')
        return node.blockRange(first, last)
      },
    }

    const failed = exportFile({ file, first: 0, last: 9, append }, { node: failing, onProgress }, goOn)

    await expect(failed).rejects.toThrow('worker lost')
    expect(readFileSync(file, 'utf8')).toBe('before')
    expect(existsSync(`${file}.partial`)).toBe(false)
  })

  it.each([true, false])('leaves the file unchanged when stopped (append: %s)', async (append) => {
    const file = inFolder(`e-${append}.rlp`)
    writeFileSync(file, 'before')
    const stop = new AbortController()
    const deps = { node, onProgress: () => stop.abort() }

    expect(await exportFile({ file, first: 0, last: 9, append }, deps, stop.signal)).toBe(false)
    expect(readFileSync(file, 'utf8')).toBe('before')
  })

  it("reports when it can't write", async () => {
    const file = join(folder, 'no-folder', 'x.rlp')

    const failed = exportFile({ file, first: 0, last: 1, append: false }, { node, onProgress }, goOn)

    await expect(failed).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_UNWRITABLE', data: { file } })
    await expect(existingSize(folder)).rejects.toThrow('cannot be written: it is a folder')
    expect(await existingSize(file)).toBeNull()
  })
})

describe('a file that JSON-RPC names', () => {
  const none = { added: 0, side: 0, known: 0, transactions: 0, gas: 0n, head: { number: 9, hash: new Uint8Array(32) } }
  const report = { ...none, refused: null }
  const head = () => ({ number: 9 }) as ReturnType<NodeService['head']>
  const files = chainFiles(() => ({ ...node, head, importBlocks: async () => report }))

  it('is written whole, up to the head unless a last block is named', async () => {
    const [all, some] = [inFolder('asked.rlp'), inFolder('some.rlp')]
    await files.exportChain(all, { first: null, last: null })
    await files.exportChain(some, { first: 2, last: 4 })
    expect([all, some].map((file) => readFileSync(file))).toEqual([expected(0, 9), expected(2, 4)])
  })

  it.each([
    ['a range beyond the head', 'beyond', { first: 0, last: 10 }, 'there are no blocks 0 to 10'],
    ['a last block alone', 'alone', { first: null, last: 5 }, 'last cannot be specified without first'],
    ['a file that exists', '.', { first: 0, last: 1 }, 'cannot be written: it is a folder'],
  ])('is not written for %s', async (_why, name, range, reason) => {
    const file = inFolder(name)
    await expect(files.exportChain(file, range)).rejects.toMatchObject({
      code: 'RPC_FAILED',
      message: expect.stringContaining(reason),
    })
    expect(existsSync(inFolder('beyond'))).toBe(false)
  })

  it('is left out of the folder when the chain fails halfway', async () => {
    const failing = {
      ...node,
      head,
      importBlocks: async () => report,
      blockRange: () => Promise.reject(new Error('lost')),
    }
    const file = inFolder('half.rlp')
    await expect(chainFiles(() => failing).exportChain(file, { first: 0, last: 1 })).rejects.toThrow('lost')
    expect(existsSync(file)).toBe(false)
  })

  it('is not imported when it is empty', async () => {
    const file = inFolder('empty.rlp')
    writeFileSync(file, '')
    const refused = files.importChain(file, goOn)
    await expect(refused).rejects.toMatchObject({ code: 'RPC_FAILED', message: expect.stringContaining('is empty') })
  })
})
