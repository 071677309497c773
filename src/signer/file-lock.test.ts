import { mkdir, mkdtemp, readdir, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../base/testing/fake-clock'
import { systemClock } from '../base/time'
import { type HeldLock, KeptLock, withFileLock } from './file-lock'

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

describe('a kept lock', () => {
  const KEEP_MS = 20
  const failure = (reason: string, cause?: unknown): Error => new Error(reason, { cause })
  const kept = (clockOf: FakeClock): KeptLock => new KeptLock({ file: lock, clock: clockOf, failure }, KEEP_MS)
  const identity = async (): Promise<bigint> => (await stat(lock, { bigint: true })).mtimeNs

  it('is one file for all uses that follow each other, and gone once it was left alone', async () => {
    const time = new FakeClock()
    const one = kept(time)

    const held = [await one.run(async (mine) => mine), await one.run(async (mine) => mine)]
    const before = await readdir(folder)
    time.advance(KEEP_MS)
    await one.run(async () => undefined)
    time.advance(KEEP_MS)
    await one.close()

    expect(held[0]).toBe(held[1])
    expect(before).toEqual(['audit.jsonl.lock'])
    expect(await readdir(folder)).toEqual([])
  })

  it('is created again long before others may take it for abandoned', async () => {
    const time = new FakeClock()
    const one = kept(time)
    const first = await one.run(identity)
    for (let used = 0; used < 100; used++) {
      time.advance(KEEP_MS / 2)
      await one.run(async () => undefined)
    }

    expect(await one.run(identity)).not.toBe(first)
    await one.close()
  })

  it('goes to a process that asks for it, although its holder never rests', async () => {
    const busy = new KeptLock({ file: lock, clock, failure }, 60_000)
    const other = new KeptLock({ file: lock, clock, failure }, 0)
    let isOver = false
    await busy.run(async () => undefined)
    const work = (async () => {
      while (!isOver) {
        await busy.run(async () => undefined)
        await new Promise((resolve) => setImmediate(resolve))
      }
    })()

    await expect(other.run(async (held) => held.isMine())).resolves.toBe(true)
    isOver = true
    await work
    await busy.close()
    expect(await readdir(folder)).toEqual([])
  })

  it('left by one that died is taken over by the next keeper at once', async () => {
    const dead = kept(new FakeClock())
    await dead.run(async () => undefined)
    const time = new FakeClock(clock.now())
    const next = kept(time)

    await expect(next.run(async (held) => held.isMine())).resolves.toBe(true)
    expect(time.pending).toBe(1) // its own rest: it didn't wait
    await next.close()
    expect(await readdir(folder)).toEqual([])
  })

  it('stays one when the wish for it is something else than a file', async () => {
    const time = new FakeClock(1_000)
    const one = kept(time)
    await mkdir(`${lock}.wanted`)
    time.advance(KEEP_MS)

    await expect(one.run(async () => 'done')).resolves.toBe('done')
    time.advance(KEEP_MS)
    await expect(one.run(async () => 'again')).resolves.toBe('again')
    await one.close()
    expect(await readdir(folder)).toEqual(['audit.jsonl.lock.wanted'])
  })

  it("isn't used any more once it was taken away", async () => {
    const one = kept(new FakeClock())
    const first = await one.run(async (held) => held)
    await rm(lock)

    const second = await one.run(async (held) => held)

    expect(second).not.toBe(first)
    await one.close()
    expect(await readdir(folder)).toEqual([])
  })
})
