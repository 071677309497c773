// @vitest-environment node
// The page turns round with its language: no rule names a side that is the other one where lines run from right to left.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const SOURCE = join(import.meta.dirname, '..')
const SIDES =
  /(?:^|[;{\s])(?:(?:margin|padding|border)-(?:left|right)[\w-]*|(?:left|right)|border-(?:top|bottom)-(?:left|right)-radius)\s*:|(?:text-align|float|clear)\s*:\s*(?:left|right)\b/

const faultsOf = (css: string) =>
  css
    .replace(/\/\*[\s\S]*?\*\//g, '')
    .split('\n')
    .filter((line) => SIDES.test(line))

it.each(['  margin-left: 1px;', 'a { left: 0 }', 'text-align: right;', 'border-top-left-radius: 4px', 'float:left'])(
  'finds a rule that names a side: %s',
  (rule) => expect(faultsOf(rule)).toHaveLength(1),
)

it.each(['margin-inline-start: 1px', 'inset-inline: 0', 'text-align: end', '--left: 1px', '/* left: 0 */'])(
  'accepts a rule that names none: %s',
  (rule) => expect(faultsOf(rule)).toEqual([]),
)

it('no stylesheet names a side', () => {
  const files = readdirSync(SOURCE, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.css'))

  expect(files.length).toBeGreaterThan(50)
  const faults = files.flatMap((file) =>
    faultsOf(readFileSync(join(SOURCE, file), 'utf8')).map((line) => `${file}: ${line.trim()}`),
  )
  expect(faults).toEqual([])
})
