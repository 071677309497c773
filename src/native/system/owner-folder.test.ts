import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { makeOwnerFolder } from './owner-folder'

let dir = ''
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'headframe-owner-'))
})
afterEach(() => rmSync(dir, { recursive: true, force: true }))

function system(answer: string) {
  const asked: string[] = []
  const protectFolder = (path: string): string => {
    expect(existsSync(path)).toBe(true)
    asked.push(path)
    return answer
  }
  return { asked, protectFolder, protectPipe: () => '', processStart: () => 0n }
}

it.skipIf(process.platform === 'win32')('creates a folder that only its owner may enter', () => {
  expect(makeOwnerFolder(join(dir, 'a', 'b'))).toBe('')
  expect(statSync(join(dir, 'a', 'b')).mode & 0o777).toBe(0o700)
})

it('has Windows lock others out of a folder it created, once', () => {
  const windows = system('')
  const path = join(dir, 'a', 'b')

  expect(makeOwnerFolder(path, windows)).toBe('')
  expect(makeOwnerFolder(path, windows)).toBe('')

  expect(windows.asked).toEqual([path])
})

it("reports the file system's error", () => {
  expect(makeOwnerFolder(join(dir, 'stick'), system('error 50 of Windows'))).toBe('error 50 of Windows')
})

it.skipIf(process.platform !== 'linux')('ends where the system denies every folder', () => {
  expect(() => makeOwnerFolder('/proc/headframe/data')).toThrow('ENOENT')
})
