// README.md lists every line outside this folder and its tool that exists for the old Electron.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const FOLDER = 'src/old-electron/'
const TOOL = 'tools/lib/old-electron-wheel.mjs'
/** Words in which such a line speaks; the window's texts by their keys. */
const WORDS = 'old.?electron|markTitle|mayOpenWindow|oldRuntime|(HOST|PAGE)_TARGET|wheel(Cached|Install|ImageRuntime)'
const THINGS = 'node ?16|chrome ?100|chromium 108|electron ?22|22[.]3[.]25|fiftyone'

function linesOutside(): ReadonlyMap<string, number> {
  const elsewhere = ['.', `:!${FOLDER}`, `:!${TOOL}`, ':!package-lock.json', ':!CHANGELOG.md'] // what was, stays told
  const words = ['grep', '--count', '-iE', `${WORDS}|${THINGS}`, '--', ...elsewhere]
  const rows = execFileSync('git', words, { encoding: 'utf8', env: { ...process.env, LC_ALL: 'C' } })
    .trim()
    .split('\n')
  return new Map(rows.map((row) => [row.replace(/:\d+$/, ''), Number(/\d+$/.exec(row)?.[0])]))
}

it('is listed line by line, wherever the rest of the repository names it', () => {
  const table = readFileSync(join(FOLDER, 'README.md'), 'utf8').matchAll(/^\| `([^`]+)` \| (\d+) \|/gm)
  const listed = Object.fromEntries([...table].map(([, file, lines]) => [file, Number(lines)]))

  expect(listed).toEqual(Object.fromEntries(linesOutside()))
})
