import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { folderCheck } from './doctor'

const dir = mkdtempSync(join(tmpdir(), 'headframe-doctor-'))
const file = join(dir, 'file')
writeFileSync(file, '', { mode: 0o700 })
afterAll(() => rmSync(dir, { recursive: true, force: true }))

it.each([
  [dir, 'ok', 'writable'],
  [join(dir, 'a', 'b'), 'ok', 'not there yet; the first start creates it'],
  [file, 'fault', `${file} is not a folder`],
  [join(file, 'below'), 'fault', `${file} is not a folder`],
])('finds out whether %s can be the data folder: %s', (path, state, found) => {
  expect(folderCheck(path)).toMatchObject({ state, found })
})
