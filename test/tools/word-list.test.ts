// The word list is read from the document that contains it, and finds its phrases in texts for users.
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Phrase {
  readonly phrase: string
  readonly instead: string
}
type Check = (path: string, text: string) => readonly { readonly line: number; readonly message: string }[]

const { readWordList, wordChecker } = z
  .object({
    readWordList: z.custom<(document: string) => readonly Phrase[]>(),
    wordChecker: z.custom<(list: readonly Phrase[]) => Check>(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/lint/words.mjs')).href))

const LIST = "| write | not |\n|---|---|\n| again, new | `anew` |\n| isn’t | `is no address`, `isn't not` |\n"
const TEXTS = 'src/renderer/src/i18n/texts/en.json'
const check = wordChecker(readWordList(LIST))
const found = (path: string, text: string) => check(path, text).map(({ line, message }) => `${line}: ${message}`)

describe('the word list', () => {
  it('is read with each phrase and what to write instead', () => {
    expect(readWordList(LIST)).toEqual([
      { phrase: 'anew', instead: 'again, new' },
      { phrase: 'is no address', instead: 'isn’t' },
      { phrase: "isn't not", instead: 'isn’t' },
    ])
  })

  it('must exist: a document without one is an error', () => {
    expect(() => readWordList('# How Headframe speaks\n')).toThrow('docs/writing.md: no word list')
  })

  it('of this project names each phrase once', () => {
    const phrases = readWordList(readFileSync('docs/writing.md', 'utf8')).map(({ phrase }) => phrase.toLowerCase())
    expect(phrases.length).toBeGreaterThan(40)
    expect(new Set(phrases).size).toBe(phrases.length)
  })

  it('finds a phrase in a text, whatever its case and mark', () => {
    expect(found(TEXTS, "const a = {\n  'ui.x': 'Anew: this is no address',\n}")).toEqual([
      '2: "anew": write "again, new"',
      '2: "is no address": write "isn’t"',
    ])
    expect(found(TEXTS, "'ui.x': 'it isn’t not'")).toEqual(['1: "isn\'t not": write "isn’t"'])
  })

  it('leaves words alone that merely contain one', () => {
    expect(found(TEXTS, "'ui.x': 'Janewood and ban-anew'")).toEqual([])
  })

  it('checks errors too, where two phrases may stay that programs parse', () => {
    const list = '| write | not |\n|---|---|\n| again | `anew` |\n| can’t | `cannot` |\n'
    const errors = "TRY: () => 'cannot start',\nAGAIN: () => 'start anew',"
    const all = wordChecker(readWordList(list))

    expect(all('src/host/errors.ts', errors).map(({ line }) => line)).toEqual([2])
    expect(all(TEXTS, errors).map(({ line }) => line)).toEqual([1, 2])
  })

  it('checks shipped descriptions, forms and reasons that people read', () => {
    for (const path of ['resources/descriptors/a.json', '.github/ISSUE_TEMPLATE/a.yml', 'test/fixed-waits.json'])
      expect(found(path, '"reason": "Build it anew"'), path).toHaveLength(1)
    expect(found('test/vectors/a.json', '"reason": "Build it anew"')).toEqual([])
  })

  it("checks an option's help, not its other words", () => {
    const option = (field: string) => `{ ${field}: 'Build it anew' }`
    expect(found('src/config/options/miner.ts', option('help'))).toHaveLength(1)
    expect(found('src/config/options/miner.ts', option('danger'))).toHaveLength(1)
    expect(found('src/config/options/miner.ts', option('flag'))).toEqual([])
  })

  it("checks errors where they are thrown, not the program's other words", () => {
    const path = 'src/miner/farm/build.ts'
    expect(found(path, "throw new Error('start anew')")).toHaveLength(1)
    expect(found(path, 'throw new RangeError(\n  `start anew`,\n)')).toHaveLength(1)
    expect(found(path, "new HostError('HOST_X', { reason: 'start anew' })")).toHaveLength(1)
    expect(found(path, "const reason = 'start anew'")).toHaveLength(1)
    expect(found(path, "log.info('anew')")).toHaveLength(1)
    expect(found(path, "{ accepted: 'anew' }")).toHaveLength(1)
    expect(found(path, "call('anew')")).toEqual([])
    expect(found('src/miner/farm/build.test.ts', "throw new Error('start anew')")).toEqual([])
    expect(found('src/miner/farm/build.test.ts', "it('starts anew', () => {")).toHaveLength(1)
    expect(found('native/src/farm/search.cpp', '// starts anew\nanew();')).toEqual(['1: "anew": write "again, new"'])
    expect(found('src/host/errors.ts', "AGAIN: () => 'anew',")).toHaveLength(1)
    expect(found('src/main/shell/words/en.json', '"again": "Anew",')).toHaveLength(1)
  })

  it('checks documents outside code, even if a phrase spans lines', () => {
    const text = 'Start\nit anew.\n\n```sh\nanew\n```\n\nThis is\nno address; `anew` is.\n'
    for (const path of ['README.md', 'CHANGELOG.md', 'docs/guide/main.md', 'resources/cuda/README.md'])
      expect(found(path, text)).toEqual(['2: "anew": write "again, new"', '8: "is no address": write "isn’t"'])
    expect(found('docs/writing.md', text)).toEqual([])
    expect(found('test/README.md', text)).toEqual([])
  })

  it("allows documents the two phrases of errors and the code's words", () => {
    const list = '| write | not |\n|---|---|\n| again | `anew` |\n| can’t | `cannot` |\n| DAG | `dataset` |\n'
    const all = wordChecker(readWordList(list))

    expect(all('docs/house.md', 'A dataset\ncannot be built\nanew').map(({ line }) => line)).toEqual([3])
  })

  it('checks the comments of shipped files, across lines too', () => {
    expect(found('resources/server/systemd/headframe-node.service', '# It starts anew\n')).toHaveLength(1)
    expect(found('resources/server/config/node.toml', '# this is\n# no address\n')).toHaveLength(1)
  })

  it('ignores other files', () => {
    expect(found('src/base/time.ts', "'anew'")).toEqual([])
  })
})
