// @vitest-environment node
// The first piece of the program that a page loads has every text that its modules name: the others are not there yet.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { languageTags } from '../../../base/language/languages'
import { english } from './english'
import firstTexts from './texts/en-first.json'

const SOURCE = join(import.meta.dirname, '..')

/** Files that `start` imports statically, itself included; not those it loads later. */
function loadedWith(start: string): readonly string[] {
  const found = new Set<string>()
  const follow = (file: string): void => {
    if (found.has(file)) return
    found.add(file)
    for (const [, kind, path = ''] of readFileSync(file, 'utf8').matchAll(
      /^(?:import|export)\s+(type\s+)?(?:[^;'"]*?from\s+)?'(\.[^']+)'/gm,
    )) {
      const target = join(dirname(file), path)
      const module = [target, `${target}.ts`, `${target}.tsx`].find((name) => existsSync(name))
      if (kind === undefined && module !== undefined) follow(module)
    }
  }
  follow(start)
  return [...found]
}

/** All code of the window except tests and texts. */
function windowCode(): readonly string[] {
  return readdirSync(SOURCE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.|^testing\//.test(file))
    .map((file) => readFileSync(join(SOURCE, file), 'utf8'))
}

it('every text is shown somewhere', () => {
  const code = windowCode()
  const named = new Set(
    code.flatMap((text) => [...text.matchAll(/['"](ui\.[\w. -]+)['"]/g)].map(([, key = '']) => key)),
  )
  const begins = code.flatMap((text) => [...text.matchAll(/`(ui\.[\w.-]+\.)\$/g)].map(([, begin = '']) => begin))
  // built from the ids of the health rules, and recognized by said.ts
  begins.push('ui.health.', 'ui.said.')

  expect(begins.length).toBeGreaterThan(50)
  expect(
    Object.keys(english).filter((key) => !named.has(key) && !begins.some((begin) => key.startsWith(begin))),
  ).toEqual([])
})

describe('the first texts', () => {
  const files = loadedWith(join(SOURCE, 'main.tsx'))

  it('are those of the shell and the overview, not all', () => {
    const names = files.map((file) => file.slice(SOURCE.length + 1))

    expect(names).toEqual(
      expect.arrayContaining(['app/App.tsx', 'screens/Overview/Overview.tsx', 'i18n/texts/en-first.json']),
    )
    expect(names).not.toContain('i18n/texts/en.json')
    expect(Object.keys(firstTexts).length).toBeLessThan(Object.keys(english).length / 3)
  })

  it('have every key that one of their modules names or may construct', () => {
    const missing = files.flatMap((file) => {
      const text = readFileSync(file, 'utf8')
      const named = [...text.matchAll(/'(ui\.[\w.-]+)'/g)].map(([, key = '']) => key)
      // `ui.${…}` itself is built from the health rules' ids
      const begins = [...text.matchAll(/`(ui\.[\w.-]*)\$/g)].map(([, begin = '']) =>
        begin === 'ui.' ? 'ui.health.' : begin,
      )
      const made = Object.keys(english).filter((key) => begins.some((begin) => key.startsWith(begin)))
      return [...named, ...made].filter((key) => key in english && !(key in firstTexts))
    })

    expect(missing).toEqual([])
  })
})

describe.each(languageTags)('the texts of %s', (tag) => {
  it('have each key in one file only: the last of two would hide the other', () => {
    const folder = join(import.meta.dirname, 'texts')
    const files = readdirSync(folder).filter((file) => file.startsWith(tag.slice(0, 2)))
    const keys = files.flatMap((file) =>
      [...readFileSync(join(folder, file), 'utf8').matchAll(/^ {2}"(ui\.[^"]+)":/gm)].map(([, key]) => key),
    )
    expect(keys.length).toBeGreaterThan(1_000)
    expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([])
  })
})
