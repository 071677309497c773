// Block files as requested by a user: what is refused, the progress, and the end.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { FakeClock } from '../../../base/testing/fake-clock'
import { BlockFileJobs, type FiledNode } from './node-control-handlers'

const folder = mkdtempSync(join(tmpdir(), 'headframe-jobs-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Blocks are single bytes, two per answer; the answer waits for `gate`. */
function nodeOf(head: number, gate: Promise<void> = Promise.resolve()): FiledNode {
  return {
    head: () => ({ number: head }) as ReturnType<FiledNode['head']>,
    blockRange: async (first, last) => {
      await gate
      const count = Math.min(2, last - first + 1)
      return { bytes: Uint8Array.from({ length: count }, (_, at) => first + at), count }
    },
    importBlocks: async () => {
      throw new Error('the disk is full')
    },
  }
}

function ended(jobs: BlockFileJobs): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (jobs.job() === null || jobs.job()?.state === 'running') return
      handle.dispose()
      resolve()
    }
    const handle = jobs.events.on('changed', look)
    look()
  })
}

describe('jobs for block files', () => {
  it('writes a range up to the head and reports progress', async () => {
    const jobs = new BlockFileJobs(new FakeClock())
    const file = join(folder, 'a.rlp')
    const shares: number[] = []
    jobs.events.on('changed', () => shares.push(jobs.job()?.share ?? -1))

    await jobs.exportBlocks(nodeOf(4), file, { first: 1, last: null })
    await ended(jobs)

    expect(jobs.job()).toMatchObject({ kind: 'export', file, state: 'done', blocks: 4, share: 1, error: '' })
    expect(shares).toEqual([0, 0.5, 1, 1])
    expect([...readFileSync(file)]).toEqual([1, 2, 3, 4])
  })

  it("doesn't change an existing file", async () => {
    const file = join(folder, 'b.rlp')
    writeFileSync(file, 'mine')

    const refused = new BlockFileJobs(new FakeClock()).exportBlocks(nodeOf(4), file, { first: 0, last: 1 })

    await expect(refused).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_UNWRITABLE' })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  })

  it.each(['chain.rlp', join(folder, 'notes.txt'), join(folder, '.ssh'), `${folder}/a\0.rlp`])(
    'touches nothing named %j',
    async (file) => {
      const jobs = new BlockFileJobs(new FakeClock())

      await expect(jobs.exportBlocks(nodeOf(4), file, { first: 0, last: 1 })).rejects.toMatchObject({
        code: 'HOST_BLOCK_FILE_NAME',
      })
      await expect(jobs.importBlocks(nodeOf(4), file)).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_NAME' })
      expect(jobs.job()).toBeNull()
    },
  )

  it.each([
    [3, 2],
    [0, 5],
    [5, null],
  ])('rejects blocks %s to %s above the head or backwards', async (first, last) => {
    const refused = new BlockFileJobs(new FakeClock()).exportBlocks(nodeOf(4), join(folder, 'c.rlp'), { first, last })

    await expect(refused).rejects.toMatchObject({ code: 'HOST_BLOCK_RANGE' })
  })

  it('does one thing at a time, and stops when told to', async () => {
    let open: () => void = () => undefined
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    const jobs = new BlockFileJobs(new FakeClock())
    const file = join(folder, 'd.rlp')
    await jobs.exportBlocks(nodeOf(4, gate), file, { first: 0, last: null })

    const second = jobs.exportBlocks(nodeOf(4), join(folder, 'e.rlp'), { first: 0, last: null })
    await expect(second).rejects.toMatchObject({ code: 'HOST_BLOCK_JOB_RUNS' })
    jobs.cancel()
    open()
    await ended(jobs)

    expect(jobs.job()).toMatchObject({ state: 'cancelled', file })
    expect(existsSync(file)).toBe(false)
  })

  it('reports why an import failed', async () => {
    const jobs = new BlockFileJobs(new FakeClock())
    const file = join(import.meta.dirname, '../../../../test/vectors/chain/chain-small/blocks.rlp')

    await jobs.importBlocks(nodeOf(4), file)
    await ended(jobs)

    expect(jobs.job()).toMatchObject({ kind: 'import', state: 'failed', error: 'the disk is full' })
    const missing = jobs.importBlocks(nodeOf(4), join(folder, 'none.rlp'))
    await expect(missing).rejects.toMatchObject({ code: 'HOST_BLOCK_FILE_UNREADABLE' })
  })
})
