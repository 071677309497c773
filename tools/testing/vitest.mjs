// Vitest's part of a test run. A file that failed beside the others is run once more when the machine does nothing
// else: a case that passes then counts as passed and is named "unsteady" at the end of the run. That is still a fault,
// of the test or of the program, but no reason to blame a change for it. A run that stands still is ended, and what it didn't get to
// runs then.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { CACHE, packageFile, ROOT } from '../lib/project.mjs'
import { runLanes } from './lanes.mjs'
import { resultsOf, Stillness } from './stillness.mjs'
import { fromVitest } from './tally.mjs'

const SCREEN = '-screen 0 1440x900x24'
/** More failed files than this in one step isn't chance. */
const MAX_FILES_AGAIN = 6
/** So long a step had cases that hung, which they would do again. */
const MAX_SECONDS_BEFORE = 1500
const ALONE = ' (failed beside the others, passed alone)'

/** @param {string} name of the step */
export const reportOf = (name) => join(CACHE, `vitest-${name}.json`)

/**
 * @typedef {{ name: string, project: string, limitMinutes: number, hasWindows?: boolean, files?: readonly string[],
 *   without?: readonly string[], words?: readonly string[] }} Tests
 *   what a step runs: a project of vitest.config.ts, all of it or these files, `without` some, with further words for vitest
 */

/** @param {Tests} tests @returns {import('./lanes.mjs').Step & { tests: Tests }} */
export function vitestStep(tests) {
  const { name, project, limitMinutes, hasWindows = false, files, without = [], words = [] } = tests
  const report = reportOf(name)
  const progress = join(CACHE, `progress-${name}.jsonl`)
  mkdirSync(CACHE, { recursive: true })
  for (const file of [report, progress]) rmSync(file, { force: true })
  const chosen = [...words, ...(files ?? [])]
  const args = [packageFile('vitest', 'vitest.mjs'), 'run', '--project', project, ...chosen]
  const needsDisplay = hasWindows && process.platform === 'linux' && !process.env.DISPLAY && hasProgram('xvfb-run')
  const [command, before] = needsDisplay ? ['xvfb-run', ['-a', '-s', SCREEN, process.execPath]] : [process.execPath, []]
  const tally = (outcome) => {
    const testResults = resultsOf(progress)
    if (testResults !== null) writeFileSync(report, JSON.stringify({ testResults }))
    return fromVitest(project, report, outcome)
  }
  const run = {
    command,
    args: [...before, ...args, '--passWithNoTests'],
    env: { TEST_PROGRESS: progress, TEST_WITHOUT: without.join(',') },
  }
  const stillness = (nowMs) => new Stillness(progress, nowMs)
  return { name, ...run, limitMinutes, stillness, tally, tests, files: files?.length ?? 0 }
}

/**
 * Runs the failed files of a step again, alone, and puts their results into its report.
 * @param {import('./lanes.mjs').Ended} ended
 * @param {import('./lanes.mjs').StepLines} lines
 * @returns {Promise<import('./lanes.mjs').Ended>} with the combined counts of both runs
 */
export async function runFailedAgain(ended, lines) {
  const { name, step, tally } = ended
  const files = step.tests === undefined || tally.failed === 0 ? [] : failedFiles(reportOf(name))
  const wasCutOff = resultsIn(reportOf(name)).some(isUnended)
  const isMuch = files.length > MAX_FILES_AGAIN || ended.seconds > MAX_SECONDS_BEFORE
  if (files.length === 0 || (isMuch && !wasCutOff)) return ended
  const words = (step.tests.words ?? []).filter((word) => !word.startsWith('--shard'))
  const again = vitestStep({ ...step.tests, name: `${name}-again`, files, words })
  const [second] = await runLanes([[again]], lines)
  if (second === undefined || !existsSync(reportOf(again.name))) return ended
  const { testResults, unsteady } = takenTogether(resultsIn(reportOf(name)), resultsIn(reportOf(again.name)))
  writeFileSync(reportOf(name), JSON.stringify({ testResults }))
  const both = fromVitest(step.tests.project, reportOf(name), { code: second.tally.failed, output: '' })
  return { ...ended, tally: { ...both, unsteady } }
}

/** The run was ended before it was, or before it began. */
const isUnended = ({ hadBegun }) => hadBegun !== undefined

function resultsIn(report) {
  return existsSync(report) ? (JSON.parse(readFileSync(report, 'utf8')).testResults ?? []) : []
}

/** @returns {string[]} from the project's root */
function failedFiles(report) {
  return resultsIn(report)
    .filter(({ status, assertionResults }) => status === 'failed' || casesOf(assertionResults, 'failed').length > 0)
    .map(({ name }) => relative(ROOT, name))
}

function casesOf(results, status) {
  return results.filter((test) => test.status === status).map(({ fullName }) => fullName)
}

/**
 * The first run's results, replaced by the second's.
 * @param {readonly object[]} first as `testResults` of vitest's JSON report
 * @param {readonly object[]} second of some of the same files
 * @returns {{ testResults: readonly object[], unsteady: readonly string[] }} `unsteady`: what passed only the second time
 */
export function takenTogether(first, second) {
  const byFile = new Map(second.map((result) => [result.name, result]))
  const unsteady = []
  const testResults = first.map((before) => {
    const after = byFile.get(before.name)
    if (after === undefined) return before
    const passed = new Set(casesOf(after.assertionResults, 'passed'))
    const titles = casesOf(before.assertionResults, 'failed').filter((title) => passed.has(title))
    const place = relative(ROOT, before.name)
    if (isUnended(before)) unsteady.push(...(before.hadBegun ? [`${place} (${before.message}; run once more)`] : []))
    else if (titles.length > 0) unsteady.push(...titles.map((title) => `${place} > ${title}${ALONE}`))
    else if (after.status === 'passed') unsteady.push(`${place}${ALONE}`)
    return after
  })
  return { testResults, unsteady }
}
