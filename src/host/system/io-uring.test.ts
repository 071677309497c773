import { mkdtempSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { heldRings } from '../workers/key-process-environment'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'io-uring-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

describe('a ring of io_uring', () => {
  it('is found among the open files, and nothing else is mistaken for one', () => {
    symlinkSync('anon_inode:[eventpoll]', join(folder, '3'))
    symlinkSync('/tmp/io_uring', join(folder, '4'))
    expect(heldRings(folder)).toBe('none')
    symlinkSync('anon_inode:[io_uring]', join(folder, '5'))
    expect(heldRings(folder)).toBe('held')
  })

  it("isn't taken for absent if the system lists no files", () => {
    expect(heldRings(join(folder, 'missing'))).toBe('unknown')
  })
})
