// The counts and the table of times at the end of a test run.
import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { processorTime, secondsByFile } from '../../tools/testing/processor-time.mjs'

interface Time {
  readonly name: string
  readonly seconds: number
  readonly processor?: number
}

interface Result {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly { readonly fullName: string; readonly status: string }[]
}

const ROOT = resolve(import.meta.dirname, '../..')
const countsSchema = z.object({
  passed: z.number(),
  failed: z.number(),
  skipped: z.number(),
  notes: z.array(z.string()),
})
type Counts = z.infer<typeof countsSchema>

const { fileTimes, fromNative, fromVitest, notesInOrder, timeTable } = z
  .object({
    fromNative: z.custom<(output: string, code: number) => Counts>(),
    fromVitest: z.custom<(name: string, report: string, code: number) => Counts>(),
    notesInOrder: z.custom<(notes: readonly string[]) => readonly string[]>(),
    fileTimes: z.custom<(report: string, processor: ReadonlyMap<string, number>) => readonly Time[]>(),
    timeTable: z.custom<(steps: readonly Time[], files: readonly Time[]) => readonly string[]>(),
  })
  .parse(await import(pathToFileURL(join(ROOT, 'tools/testing/tally.mjs')).href))
const { takenTogether } = z
  .object({
    takenTogether:
      z.custom<
        (
          first: readonly Result[],
          second: readonly Result[],
          step: string,
        ) => { testResults: readonly Result[]; notes: readonly string[] }
      >(),
  })
  .parse(await import(pathToFileURL(join(ROOT, 'tools/testing/vitest.mjs')).href))

describe('the table of times', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('reads the seconds of each test file from the report', () => {
    const report = join(folder, 'report.json')
    const testResults = [{ name: join(ROOT, 'test/a.test.ts'), startTime: 1_000, endTime: 3_500 }]
    writeFileSync(report, JSON.stringify({ testResults }))

    const name = join('test', 'a.test.ts')
    expect(fileTimes(report, new Map([[name, 1.5]]))).toEqual([{ name, seconds: 2.5, processor: 1.5 }])
    expect(fileTimes(report, new Map())).toEqual([{ name, seconds: 2.5 }])
    expect(fileTimes(join(folder, 'none.json'), new Map())).toEqual([])
  })

  it('lists the steps in order and the slowest files first, 15 at most', () => {
    const files = Array.from({ length: 20 }, (_, index) => ({ name: `file-${index}`, seconds: index }))
    const dear = { name: 'dear', seconds: 5, processor: 30.06 }
    const lines = timeTable([{ name: 'lint', seconds: 12.34 }], [...files, dear])

    expect(lines.slice(0, 5)).toEqual([
      '     clock processor  by step',
      '    12.3 s            lint',
      '     clock processor  test files that took most',
      '     5.0 s    30.1 s  dear',
      '    19.0 s            file-19',
    ])
    expect(lines).toHaveLength(3 + 15)
  })
})

describe('CPU time', () => {
  it('grows with what this process does, and with a child that has ended', async () => {
    const before = processorTime()
    const end = process.cpuUsage().user + 200_000
    while (process.cpuUsage().user < end) JSON.parse('[1, 2, 3]')
    const own = processorTime()
    await promisify(execFile)(process.execPath, ['-e', 'const end = 300_000; while (process.cpuUsage().user < end);'])
    const withChild = processorTime()

    if (process.platform !== 'linux') return expect(before).toBeNull()
    expect(own?.process).toBe(before?.process)
    expect(Number(own?.seconds) - Number(before?.seconds)).toBeGreaterThanOrEqual(0.15)
    expect(Number(withChild?.seconds) - Number(own?.seconds)).toBeGreaterThanOrEqual(0.25)
  })

  it("is summed per file from its processes' reports, even if several share one", () => {
    const line = (process: string, seconds: number, file: string) => `${JSON.stringify({ process, seconds, file })}\n`
    const text = line('7 1', 2, 'a') + line('8 1', 4, 'b') + line('7 1', 5, 'c') + line('7 9', 1, 'a')

    expect([...secondsByFile(text)]).toEqual([
      ['a', 3],
      ['b', 4],
      ['c', 3],
    ])
    expect(secondsByFile('').size).toBe(0)
  })
})

describe('the counts of a step', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tally-'))
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('names the step, the file and the case of each failure', () => {
    const report = join(folder, 'report.json')
    const assertionResults = [
      { status: 'passed', fullName: 'a holds' },
      { status: 'failed', fullName: 'b breaks' },
      { status: 'pending', fullName: 'c waits' },
    ]
    writeFileSync(
      report,
      JSON.stringify({ testResults: [{ name: join(ROOT, 'test/a.test.ts'), status: 'failed', assertionResults }] }),
    )

    expect(fromVitest('suite', report, 1)).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      notes: [
        `failed: suite: ${join('test', 'a.test.ts')}: b breaks`,
        `skipped: suite: ${join('test', 'a.test.ts')}: c waits`,
      ],
    })
  })

  it('reads the line of the C++ tests, and fails without one', () => {
    const output = 'PASS one\nnative: 59 passed, 1 failed, 0 skipped\n  FAIL two: 1 != 2\n'

    expect(fromNative(output, 1)).toEqual({ passed: 59, failed: 1, skipped: 0, notes: ['native: FAIL two: 1 != 2'] })
    expect(fromNative('native: 60 passed, 0 failed, 0 skipped\n', 3)).toMatchObject({ passed: 60, failed: 1 })
    expect(fromNative('killed', 137)).toMatchObject({ passed: 0, failed: 1 })
  })

  it('puts failures last, next to the counts', () => {
    expect(notesInOrder(['failed: a', 'skipped: b', 'failed: c', 'native: d'])).toEqual([
      'skipped: b',
      'native: d',
      'failed: a',
      'failed: c',
    ])
  })
})

describe('a failed file that ran a second time, alone', () => {
  const file = (name: string, ...cases: readonly [fullName: string, status: string][]): Result => ({
    name: join(ROOT, name),
    status: cases.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: cases.map(([fullName, status]) => ({ fullName, status })),
  })
  const steady = file('test/steady.test.ts', ['holds', 'passed'])

  it('counts with its second result; what passed only then is named', () => {
    const before = file('test/a.test.ts', ['one', 'failed'], ['two', 'failed'], ['three', 'passed'])
    const after = file('test/a.test.ts', ['one', 'passed'], ['two', 'failed'], ['three', 'passed'])

    const { testResults, notes } = takenTogether([before, steady], [after], 'suite')

    expect(testResults).toEqual([after, steady])
    const place = `unsteady: suite: ${join('test', 'a.test.ts')}`
    expect(notes).toEqual([`${place}: one (failed beside the others, passed alone)`])
  })

  it('is named as a whole if none of its cases had failed', () => {
    const before = { ...file('test/a.test.ts'), status: 'failed' }
    const after = file('test/a.test.ts', ['one', 'passed'])

    const { notes } = takenTogether([before, steady], [after], 'unit')

    expect(notes).toEqual([`unsteady: unit: ${join('test', 'a.test.ts')} (failed beside the others, passed alone)`])
  })

  it('counts only as a failure if it fails again, even in a case that passed before', () => {
    const before = file('test/a.test.ts', ['one', 'failed'], ['two', 'passed'])
    const after = file('test/a.test.ts', ['one', 'failed'], ['two', 'failed'])

    expect(takenTogether([before], [after], 'unit')).toEqual({ testResults: [after], notes: [] })
  })

  it('comes before the failures in the notes', () => {
    expect(notesInOrder(['failed: b', 'unsteady: a', 'skipped: c'])).toEqual(['skipped: c', 'unsteady: a', 'failed: b'])
  })
})
