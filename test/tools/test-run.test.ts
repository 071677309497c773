// How `npm test` runs: which tier a test file belongs to, steps side by side, and the summary at the end.
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { processorTime, secondsByFile } from '../../tools/testing/processor-time.mjs'

interface Tally {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly {
    readonly title: string
    readonly details: readonly string[]
    readonly command: string
  }[]
  readonly unsteady: readonly string[]
  readonly skips: readonly { readonly file: string; readonly title: string }[]
}

interface Outcome {
  readonly code: number
  readonly output: string
}

interface Step {
  readonly name: string
  readonly command: string
  readonly args: readonly string[]
  readonly limitMinutes: number
  readonly tally: (outcome: Outcome) => Tally
}

interface Lines {
  log(line: string): void
  started(name: string, files?: number): void
  heard(name: string, part: string): void
  ended(name: string, line: string): void
}

interface Result {
  readonly name: string
  readonly status: string
  readonly assertionResults: readonly {
    readonly fullName: string
    readonly status: string
    readonly failureMessages?: readonly string[]
  }[]
}

type Time = { readonly name: string; readonly seconds: number; readonly processor?: number }

const ROOT = resolve(import.meta.dirname, '../..')
const toolAt = (path: string): Promise<unknown> => import(pathToFileURL(join(ROOT, path)).href)
const { runLanes, StepLines, logOf } = z
  .object({
    runLanes:
      z.custom<(lanes: Step[][], lines: Lines, later?: Step[]) => Promise<readonly { name: string; tally: Tally }[]>>(),
    StepLines: z.custom<new (out: { isTTY: boolean; columns: number; write(text: string): void }) => Lines>(),
    logOf: z.custom<(name: string) => string>(),
  })
  .parse(await toolAt('tools/testing/lanes.mjs'))
const { NOTHING, fromNative, fromVitest, summary, timeTable } = z
  .object({
    NOTHING: z.custom<Tally>(),
    fromNative: z.custom<(outcome: Outcome) => Tally>(),
    fromVitest: z.custom<(project: string, report: string, outcome: Outcome) => Tally>(),
    summary: z.custom<(tally: Tally) => readonly string[]>(),
    timeTable: z.custom<(steps: readonly Time[], files: readonly Time[]) => readonly string[]>(),
  })
  .parse(await toolAt('tools/testing/tally.mjs'))
const { takenTogether } = z
  .object({
    takenTogether:
      z.custom<
        (first: readonly Result[], second: readonly Result[]) => { testResults: readonly Result[]; unsteady: string[] }
      >(),
  })
  .parse(await toolAt('tools/testing/vitest.mjs'))

describe('the tiers', () => {
  const tiers = z
    .strictObject({ quick: z.array(z.string()), full: z.array(z.string()), again: z.array(z.string()) })
    .parse(JSON.parse(readFileSync(join(ROOT, 'test/tiers.json'), 'utf8')))
  const files = ['test', 'e2e'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.test.ts'))
      .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
  )

  it('list each test file of test and e2e once: a new one costs less than 3 CPU seconds, or belongs to `full`', () => {
    const elsewhere = tiers.full.filter((file) => !file.startsWith('src/'))

    expect([...tiers.quick, ...elsewhere].sort()).toEqual(files.sort())
  })

  it('name files beside the code only where they are, and only for the full one', () => {
    const beside = [...tiers.full, ...tiers.again].filter((file) => file.startsWith('src/'))

    expect(beside.filter((file) => !existsSync(join(ROOT, file)))).toEqual([])
    expect(tiers.quick.filter((file) => file.startsWith('src/'))).toEqual([])
  })

  it('start no program in the quick one, but for the smoke test and the tests of tools', () => {
    const starts = /findElectron|peerProgram|ensureInstalled|from '(?:\.\.?\/)+(?:cli\/)?program'|pocl'/
    const found = tiers.quick.filter((file) => starts.test(readFileSync(join(ROOT, file), 'utf8')))

    expect(found.filter((file) => !file.startsWith('test/tools/'))).toEqual([])
    expect(tiers.quick.filter((file) => file.startsWith('e2e/'))).toEqual(['e2e/smoke.test.ts'])
  })
})

/** Prints `words` and ends with `code`. */
function step(name: string, words: string, code = 0): Step {
  return {
    name,
    command: process.execPath,
    args: ['-e', `process.stdout.write(${JSON.stringify(`${words}\n`)}); process.exitCode = ${code}`],
    limitMinutes: 1,
    tally: (outcome) => ({ ...NOTHING, passed: outcome.code === 0 ? 1 : 0, failed: outcome.code === 0 ? 0 : 1 }),
  }
}

describe('steps side by side', () => {
  const written: string[] = []
  const out = (isTTY: boolean) => ({ isTTY, columns: 40, write: (text: string) => void written.push(text) })

  it('run in turn within a lane, print one line each, and leave their output in files', async () => {
    written.length = 0
    const names = ['run-one', 'run-two', 'run-other']
    const lanes = [[step('run-one', 'first'), step('run-two', '\x1b[31msecond', 3)], [step('run-other', 'beside')]]
    const ended = await runLanes(lanes, new StepLines(out(false)))

    expect(ended.map(({ name }) => name).filter((name) => name !== 'run-other')).toEqual(['run-one', 'run-two'])
    expect(written.map((line) => line.replace(/\([\d.]+ s\)\n/, '')).sort()).toEqual([
      'FAIL run-two: 0 passed, 1 failed, 0 skipped ',
      'ok   run-one: 1 passed, 0 failed, 0 skipped ',
      'ok   run-other: 1 passed, 0 failed, 0 skipped ',
    ])
    expect(names.map((name) => readFileSync(logOf(name), 'utf8').trim())).toEqual(['first', '\x1b[31msecond', 'beside'])
    for (const name of names) rmSync(logOf(name))
  })

  it('rewrite their lines in place on a terminal', () => {
    written.length = 0
    const lines = new StepLines(out(true))
    lines.started('unit', 3)
    lines.heard('unit', ' ✓ a\n     ✓ a case\n ❯ b\n')
    lines.log('a note')
    lines.ended('unit', 'ok   unit')

    expect(written.join('')).toBe(
      '   unit: 0 s, 0 of 3 files\n\x1b[1A\x1b[Ja note\n   unit: 0 s, 2 of 3 files\n\x1b[1A\x1b[Jok   unit\n',
    )
  })
})

describe('the counts of a step', () => {
  const report = join(tmpdir(), `test-run-${process.pid}.json`)
  const file = (name: string, ...cases: readonly [fullName: string, status: string][]): Result => ({
    name: join(ROOT, name),
    status: cases.some(([, status]) => status === 'failed') ? 'failed' : 'passed',
    assertionResults: cases.map(([fullName, status]) => ({ fullName, status })),
  })
  const counts = (testResults: readonly Result[], code: number): Tally => {
    writeFileSync(report, JSON.stringify({ testResults }))
    const tally = fromVitest('suite', report, { code, output: 'the end' })
    rmSync(report)
    return tally
  }

  it('put failures last, with file, case, reason and the command that runs the file alone', () => {
    const cases = [
      { status: 'passed', fullName: 'a holds' },
      { status: 'failed', fullName: 'b breaks', failureMessages: ['\x1b[31mwant 1\x1b[0m\n\n    at line 7'] },
      { status: 'pending', fullName: 'c (skipped: no devp2p)' },
      { status: 'pending', fullName: 'd (skipped: no devp2p)' },
    ]
    const tally = counts([{ name: join(ROOT, 'test/a.test.ts'), status: 'failed', assertionResults: cases }], 1)

    expect(tally).toMatchObject({ passed: 1, failed: 1, skipped: 2 })
    const path = join('test', 'a.test.ts')
    expect(summary(tally)).toEqual([
      `skipped 2: ${path} (no devp2p)`,
      '',
      `FAIL ${path} > b breaks`,
      '     want 1',
      '         at line 7',
      `     run alone: npx vitest run --project suite ${path}`,
    ])
  })

  it('include what failed without a case: a file, a run, a run without a report', () => {
    const broken = { ...file('test/a.test.ts'), status: 'failed' }

    expect(counts([broken], 1)).toMatchObject({ failed: 1, failures: [{ title: join('test', 'a.test.ts') }] })
    expect(counts([file('test/a.test.ts', ['a', 'passed'])], 1)).toMatchObject({ passed: 1, failed: 1 })
    expect(fromVitest('suite', report, { code: 9, output: 'the end' })).toMatchObject({
      failed: 1,
      failures: [{ details: ['the end'] }],
    })
  })

  it('read the line of the C++ tests, and fail without one', () => {
    const output = 'PASS one\nnative: 59 passed, 1 failed, 0 skipped\n  FAIL two: 1 != 2\n'

    expect(fromNative({ code: 1, output })).toMatchObject({ passed: 59, failed: 1, skipped: 0 })
    expect(summary(fromNative({ code: 1, output }))).toContain('     FAIL two: 1 != 2')
    expect(fromNative({ code: 3, output: 'native: 60 passed, 0 failed, 0 skipped\n' })).toMatchObject({ failed: 1 })
    expect(fromNative({ code: 137, output: 'killed' })).toMatchObject({ passed: 0, failed: 1 })
  })

  it('take the second result of a file that failed beside the others, and name what passed only then', () => {
    const steady = file('test/steady.test.ts', ['holds', 'passed'])
    const before = file('test/a.test.ts', ['one', 'failed'], ['two', 'failed'], ['three', 'passed'])
    const after = file('test/a.test.ts', ['one', 'passed'], ['two', 'failed'], ['three', 'passed'])
    const whole = { ...file('test/b.test.ts'), status: 'failed' }
    const wholeAfter = file('test/b.test.ts', ['one', 'passed'])

    const { testResults, unsteady } = takenTogether([before, steady, whole], [after, wholeAfter])

    expect(testResults).toEqual([after, steady, wholeAfter])
    expect(unsteady).toEqual([
      `${join('test', 'a.test.ts')} > one (failed beside the others, passed alone)`,
      `${join('test', 'b.test.ts')} (failed beside the others, passed alone)`,
    ])
  })

  it('end with the steps in order and the dearest files first, 15 at most', () => {
    const files = Array.from({ length: 20 }, (_, index) => ({ name: `file-${index}`, seconds: index }))
    const lines = timeTable([{ name: 'lint', seconds: 12.34 }], [...files, { name: 'dear', seconds: 5, processor: 30 }])

    expect(lines.slice(1, 4)).toEqual([
      '    12.3 s            lint',
      '     clock processor  test files that took most',
      '     5.0 s    30.0 s  dear',
    ])
    expect(lines).toHaveLength(3 + 15)
  })
})

it("CPU time is told for this process, and summed for each file from its processes' reports", () => {
  const line = (process: string, seconds: number, file: string) => `${JSON.stringify({ process, seconds, file })}\n`
  const text = line('7 1', 2, 'a') + line('8 1', 4, 'b') + line('7 1', 5, 'c') + line('7 9', 1, 'a')

  expect([...secondsByFile(text)]).toEqual([
    ['a', 3],
    ['b', 4],
    ['c', 3],
  ])
  if (process.platform === 'linux') expect(processorTime()?.seconds).toBeGreaterThan(0)
})
