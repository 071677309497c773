import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { printLine } from './print-line'

const SOURCES = join(import.meta.dirname, '..')
/** Questions and bars of the program's own words. */
const OWN_WORDS = ['cli/ask-secret.ts', 'cli/index.ts']
/** Standard output is its channel to the program. */
const NO_TERMINAL = 'host/workers/key-process-environment.ts'

describe('printing', () => {
  it('gives a terminal nothing of a stranger that it would obey or that moves the rest of the row', () => {
    const stream = new PassThrough({ encoding: 'utf8' })

    printLine(stream, 'pool \u001b[2Jשלום 100, not connected')

    expect(stream.read()).toBe(`${String.raw`pool \u001b[2J\u05e9\u05dc\u05d5\u05dd 100, not connected`}\n`)
  })

  it('is how all text gets to standard output and standard error', () => {
    const files = readdirSync(SOURCES, { recursive: true, encoding: 'utf8' }).map((path) => path.replaceAll('\\', '/'))
    const direct = files.filter((path) => {
      if (!path.endsWith('.ts') || /\.test\.ts$|\/testing\/|^renderer\//.test(path)) return false
      const text = readFileSync(join(SOURCES, path), 'utf8')
      return /std(?:out|err)\.write\(|^\s*console\.(?:log|error|warn|info)\(/m.test(text)
    })

    expect(direct.sort()).toEqual([...OWN_WORDS, NO_TERMINAL])
  })
})
