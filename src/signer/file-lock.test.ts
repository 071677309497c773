import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { systemClock } from '../base/time'
import { type HeldLock, withFileLock } from './file-lock'

const clock = systemClock()
let folder = ''
let lock = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lock-'))
  lock = join(folder, 'audit.jsonl.lock')
})

afterEach(() => rm(folder, { recursive: true, force: true }))

const locked = <T>(run: (held: HeldLock) => Promise<T>): Promise<T> =>
  withFileLock({ file: lock, clock, failure: (reason, cause) => new Error(reason, { cause }) }, run)

async function leaveLock(file: string, ageMs: number): Promise<void> {
  await writeFile(file, '')
  const seconds = (clock.now() - ageMs) / 1_000
  await utimes(file, seconds, seconds)
}

describe('withFileLock', () => {
  it('admits one at a time, and leaves nothing behind', async () => {
    let inside = 0
    let most = 0
    const visit = () =>
      locked(async () => {
        inside += 1
        most = Math.max(most, inside)
        await new Promise((resolve) => setImmediate(resolve))
        inside -= 1
      })

    await Promise.all(Array.from({ length: 10 }, visit))

    expect(most).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['of a process that died', 60_000],
    ['from before the clock was set back', -3_600_000],
  ])('takes over a lock %s', async (_what, ageMs) => {
    await leaveLock(lock, ageMs)

    await expect(locked(async () => 'done')).resolves.toBe('done')
    expect(await readdir(folder)).toEqual([])
  })

  it('takes over even if another one died while doing so', async () => {
    await leaveLock(lock, 60_000)
    await leaveLock(`${lock}.stale`, 60_000)

    await expect(locked(async () => 'done')).resolves.toBe('done')
  })

  it('notices when it was taken away, and then leaves it to its new holder', async () => {
    const isMine = await locked(async (held) => {
      const before = held.isMine()
      await rm(lock)
      await leaveLock(lock, 0)
      return [before, held.isMine()]
    })

    expect(isMine).toEqual([true, false])
    expect(await readdir(folder)).toEqual(['audit.jsonl.lock'])
  })
})
