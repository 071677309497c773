// Limits of package sizes.
import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { z } from 'zod'

const FILE = resolve(import.meta.dirname, '../../tools/lib/package-size.mjs')
const { checkPackageSize } = z
  .object({ checkPackageSize: z.custom<(file: string, kind: string, log: (line: string) => void) => void>() })
  .parse(await import(pathToFileURL(FILE).href))

/** A sparse file of that length. */
function packageOf(bytes: number): string {
  const folder = mkdtempSync(join(tmpdir(), 'headframe-size-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'made.deb')
  writeFileSync(file, '')
  truncateSync(file, bytes)
  return file
}

it('says how large a package is and may be, and rejects one byte more', () => {
  const said: string[] = []
  checkPackageSize(packageOf(11_000_000), 'macos', (line) => said.push(line))

  expect(said).toEqual(['made.deb: 11.0 MB, at most 11.0'])
  expect(() => checkPackageSize(packageOf(11_000_001), 'macos', () => undefined)).toThrow(
    /made\.deb has 11000001 bytes: at most 11000000$/,
  )
})
