import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { DataDirLock, lockHolder } from './lock'

describe('the lock of a data directory', () => {
  let dir = ''
  const lock = (pid = process.pid) => new DataDirLock({ dir, file: join(dir, 'headframe.lock'), pid })

  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-lock-'))
  })
  afterEach(() => rmSync(dir, { recursive: true, force: true }))

  it('holds the pid while held and nothing afterwards', async () => {
    const held = lock()

    await held.start()
    expect(readFileSync(join(dir, 'headframe.lock'), 'utf8').split('\n')[0]).toBe(String(process.pid))
    await held.stop()

    expect(existsSync(join(dir, 'headframe.lock'))).toBe(false)
  })

  it('refuses a second holder and names the pid of the first', async () => {
    const first = lock()
    await first.start()

    await expect(lock().start()).rejects.toMatchObject({
      code: 'HOST_DATA_DIR_IN_USE',
      data: { dir, pid: process.pid },
    })
    await first.stop()
  })

  it('takes over the lock of a process that is gone', async () => {
    const child = spawn(process.execPath, ['-e', ''])
    await once(child, 'exit')
    writeFileSync(join(dir, 'headframe.lock'), `${child.pid}\n\n`)
    const held = lock()

    await held.start()

    expect(readFileSync(join(dir, 'headframe.lock'), 'utf8').split('\n')[0]).toBe(String(process.pid))
    await held.stop()
  })

  it.runIf(existsSync('/proc/self/stat'))('takes over a lock whose pid now belongs to another process', async () => {
    writeFileSync(join(dir, 'headframe.lock'), `${process.pid}\n1\n`)
    const held = lock()

    await expect(held.start()).resolves.toBeUndefined()
    await held.stop()
  })

  it('takes over a file that is not a lock', async () => {
    writeFileSync(join(dir, 'headframe.lock'), 'garbage')
    const held = lock()

    await expect(held.start()).resolves.toBeUndefined()
    await held.stop()
  })

  it('leaves a lock that it cannot read, like one of another user, whose program may run', async () => {
    const file = join(dir, 'headframe.lock')
    symlinkSync('headframe.lock', file) // a link to itself: nobody can read it, root included

    await expect(lock().start()).rejects.toMatchObject({
      code: 'HOST_DATA_DIR_UNUSABLE',
      data: { dir, reason: expect.stringContaining(`its lock ${file} cannot be read: `) },
    })
    expect(() => lockHolder(file)).toThrow('cannot be read')
    expect(lstatSync(file).isSymbolicLink()).toBe(true)
  })

  it('names a data directory that cannot be written', async () => {
    const missing = new DataDirLock({ dir: '/nowhere', file: join(dir, 'no', 'headframe.lock'), pid: process.pid })

    await expect(missing.start()).rejects.toMatchObject({ code: 'HOST_DATA_DIR_UNUSABLE', data: { dir: '/nowhere' } })
  })
})
