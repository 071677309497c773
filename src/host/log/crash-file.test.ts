import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { LogRecord } from '../../base/logger'
import { CrashFile } from './crash-file'
import { humanLine } from './log-format'

const crash = (message: string, stack: unknown = 'Error: x\n    at y'): LogRecord => ({
  time: 1_700_000_000_000,
  level: 'error',
  module: 'host',
  message,
  fields: { stack },
})

describe('crash reports', () => {
  let dir = ''
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'headframe-crash-'))
  })
  afterEach(() => rmSync(dir, { recursive: true }))
  const opened = (): CrashFile => {
    const file = new CrashFile({ dir, format: humanLine })
    file.open()
    return file
  }

  it('are errors with a stack, one per line, and outlive the run', () => {
    const file = opened()
    file.write(crash('worker ended'))
    file.write({ ...crash('a pool refused'), fields: { error: 'no stack' } })
    file.close()
    file.write(crash('after the end'))

    expect(opened().read()).toEqual([humanLine(crash('worker ended'))])
    expect(statSync(join(dir, 'crashes.log')).mode & 0o777).toBe(0o600)
  })

  it('make room for new ones at 64 KiB', () => {
    const file = opened()
    for (let index = 0; index < 60; index++) file.write(crash(`crash ${index}`, 'x'.repeat(1_900)))

    const reports = file.read()
    expect(reports.at(-1)).toContain('crash 59')
    expect(reports[0]).not.toContain('crash 0 ')
    expect(readFileSync(join(dir, 'crashes.log')).length).toBeLessThanOrEqual(64 * 1024)
  })

  it("are empty at first, and don't block if the folder is gone", () => {
    const file = new CrashFile({ dir: join(dir, 'gone'), format: humanLine })
    file.open()

    file.write(crash('nowhere'))

    expect(file.read()).toEqual([])
  })
})
