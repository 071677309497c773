// What the lint of documents reports: names of files, folders, sections and decisions that don't exist, in documents
// and in comments.
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Finding {
  readonly path: string
  readonly line: number
  readonly message: string
}

const documents = z
  .object({
    documentChecker:
      z.custom<
        (files: readonly string[], read: (path: string) => string) => (path: string, text: string) => readonly Finding[]
      >(),
  })
  .parse(await import(pathToFileURL(resolve(import.meta.dirname, '../../tools/lint/documents.mjs')).href))

describe('documents', () => {
  const files = [
    'src/node/chain/chain.ts',
    'src/base/testing/fake-clock.ts',
    'docs/guide/a.md',
    'docs/decisions/0003-keys.md',
    'README.md',
  ]
  const check = documents.documentChecker(files, () => '# A\n\n## 2. The `top` of all\n')
  const found = (path: string, text: string) => check(path, text).map(({ message }) => message)

  it.each([
    ['`src/node/chain/reorg.ts`', 'src/node/chain/reorg.ts does not exist'],
    ['`src/node/rpc/`', 'src/node/rpc/ does not exist'],
    ['see [it](guide/b.md)', 'guide/b.md does not exist'],
    ['`reorg.ts`', 'reorg.ts does not exist'],
    ['as in execution.md', 'execution.md does not exist'],
    ['see `guide/b.md`', 'guide/b.md does not exist'],
    ['see [it](guide/a.md#2-the-end)', 'guide/a.md#2-the-end: there is no such section'],
    ['see [below](#below)', '#below: there is no such section'],
    ['`guide/a.md` section 3', 'section 3 of guide/a.md does not exist'],
    ['(decisions/0004)', 'decisions/0004 does not exist'],
  ])('naming %s are reported', (text, finding) => {
    expect(found('docs/x.md', text)).toEqual([finding])
  })

  it('may name what exists, other sites, and words that look like neither', () => {
    const text = '`src/node/chain/` `chain.ts` [site](https://example.org) `a/b` `x.y`'
    expect(found('docs/x.md', text)).toEqual([])
  })

  it('may name sections and decisions that exist', () => {
    const text = '[a](guide/a.md#2-the-top-of-all), [a.md](guide/a.md), section 2, decisions/0003 and guide/a.md'
    expect(found('docs/x.md', text)).toEqual([])
    expect(found('src/a.ts', '// As `docs/guide/a.md` section 2 and decisions/0003 say.')).toEqual([])
  })

  it("and comments may not name a folder, section or decision that doesn't exist", () => {
    expect(found('src/a.ts', '// as in src/node/rpc/dispatch')).toEqual(['src/node/rpc/dispatch does not exist'])
    expect(found('native/engine/src/a.rs', '/// see reorg.rs')).toEqual(['reorg.rs does not exist'])
    expect(found('tools/a.py', '# docs/guide/a.md section 4')).toEqual(['section 4 of docs/guide/a.md does not exist'])
    expect(found('src/a.ts', '/* decisions/0004 */')).toEqual(['decisions/0004 does not exist'])
    expect(found('native/binding.gyp', '# of native/prebuilds/linux-x64')).toEqual([])
  })

  it("and comments may not name a file that doesn't exist", () => {
    expect(found('src/a.ts', '// see reorg.ts and chain.ts, ./chain.ts, cuda.h')).toEqual(['reorg.ts does not exist'])
    expect(found('src/a.ts', "const x = 'reorg.ts'")).toEqual([])
    expect(found('src/a.ts', '/** As miner.md B9 says. */')).toEqual(['miner.md does not exist'])
  })

  it('describe every folder of src on the house page, except test support', () => {
    expect(found('docs/house.md', '`src/node/` `src/base/`')).toEqual(['the folder src/node/chain/ is not described'])
  })
})
