// The section of `npm run conformance`: from a vitest report to the text.
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'

interface Section {
  readonly name: string
  readonly title: string
  readonly text: string
  readonly parts: readonly { readonly file: string; readonly what: string }[]
}

interface Row {
  readonly what: string
  readonly passed: number
  readonly failed: number
  readonly notRun: number
}

interface SectionResult {
  readonly rows: readonly Row[]
  readonly failed: readonly string[]
  readonly notRun: readonly string[]
}

const ROOT = resolve(import.meta.dirname, '../..')
const load = (file: string) => import(pathToFileURL(join(ROOT, 'tools/conformance', file)).href)
const { sectionResult } = z
  .object({ sectionResult: z.custom<(section: Section, report: object, root: string) => SectionResult>() })
  .parse(await load('results.mjs'))
const { conformanceSection } = z
  .object({ conformanceSection: z.custom<(about: object, sections: readonly SectionResult[]) => string>() })
  .parse(await load('page.mjs'))

const section: Section = {
  name: 'x',
  title: 'Two things',
  text: 'What they are.',
  parts: [
    { file: 'test/many.test.ts', what: 'many' },
    { file: 'test/each.test.ts', what: 'each' },
  ],
}

function result(file: string, tests: readonly object[]) {
  return { name: join(ROOT, ...file.split('/')), assertionResults: tests }
}

const many = result('test/many.test.ts', [
  { status: 'passed', fullName: 'all | of them', title: 'all', meta: { cases: 13_625 } },
  { status: 'passed', fullName: 'the rest', title: 'the rest', meta: { cases: 0, leftOut: ['one: takes minutes'] } },
  { status: 'failed', fullName: 'one that fails', title: 'one', meta: { cases: 9 } },
])
const each = result('test/each.test.ts', [
  { status: 'passed', fullName: 'each first', title: 'first', meta: {} },
  { status: 'pending', fullName: 'each second (skipped: no program)', title: 'second', meta: {} },
])
const about = { program: 'Headframe 1.2.3', reference: 'beside prlx 1.1.0', runtime: 'Node 22' }
const reportOf = (...testResults: readonly object[]) => ({ startTime: Date.UTC(2026, 0, 2), testResults })

describe('the conformance section', () => {
  it('counts the cases of tests that passed, and names what failed or did not run', () => {
    expect(sectionResult(section, reportOf(each, many), ROOT)).toMatchObject({
      rows: [
        { what: 'many', passed: 13_625, failed: 1, notRun: 1 },
        { what: 'each', passed: 1, failed: 0, notRun: 1 },
      ],
      failed: ['test/many.test.ts: one that fails'],
      notRun: ['one: takes minutes', 'each second (skipped: no program)'],
    })
  })

  it('counts a file without a result as a failure', () => {
    const { rows, failed } = sectionResult(section, reportOf(many), ROOT)

    expect(failed).toContain('test/each.test.ts: ended without a result')
    expect(rows.at(-1)).toMatchObject({ what: 'each', failed: 1 })
  })

  it('is the same text for the same results, without a path of the machine', () => {
    const page = conformanceSection(about, [sectionResult(section, reportOf(many, each), ROOT)])

    expect(page).toBe(conformanceSection(about, [sectionResult(section, reportOf(each, many), ROOT)]))
    expect(page).not.toContain(ROOT)
    expect(page).toContain(
      'Headframe 1.2.3, beside prlx 1.1.0, Node 22.\n\n- **Two things** (2026-01-02). What they are.\n',
    )
    expect(page).toContain('| many | 13,625 | 1 | 1 |\n| each | 1 | 0 | 1 |\n')
    expect(page).toContain('Failed:\n\n- test/many.test.ts: one that fails\n\nNot run:\n\n- one: takes minutes\n')
    expect(page.endsWith('\n')).toBe(true)
  })
})
