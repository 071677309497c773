// Vitest's part of a test run. A file that failed beside the others is run once more when the machine does nothing
// else: a case that passes then counts as passed and is named "unsteady" at the end of the run. That is still a fault,
// of the test or of the program, but no reason to blame a change for it.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { hasProgram } from '../lib/debian.mjs'
import { CACHE, packageFile, ROOT } from '../lib/project.mjs'
import { runLanes } from './lanes.mjs'
import { fromVitest } from './tally.mjs'

const SCREEN = '-screen 0 1440x900x24'
/** More failed files than this in one step isn't chance. */
const MAX_FILES_AGAIN = 6
const ALONE = ' (failed beside the others, passed alone)'

/** @param {string} name of the step */
export const reportOf = (name) => join(CACHE, `vitest-${name}.json`)

/**
 * @typedef {{ name: string, project: string, limitMinutes: number, hasWindows?: boolean, words?: readonly string[] }} Tests
 *   what a step runs: a project of vitest.config.ts, with further words for vitest, as files
 */

/** @param {Tests} tests @returns {import('./lanes.mjs').Step & { tests: Tests }} */
export function vitestStep(tests) {
  const { name, project, limitMinutes, hasWindows = false, words = [] } = tests
  const report = reportOf(name)
  mkdirSync(CACHE, { recursive: true })
  rmSync(report, { force: true })
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const args = [packageFile('vitest', 'vitest.mjs'), 'run', '--project', project, ...reporters, ...words]
  const needsDisplay = hasWindows && process.platform === 'linux' && !process.env.DISPLAY && hasProgram('xvfb-run')
  const [command, before] = needsDisplay ? ['xvfb-run', ['-a', '-s', SCREEN, process.execPath]] : [process.execPath, []]
  const tally = ({ code }) => fromVitest(name, report, code)
  return { name, command, args: [...before, ...args, '--passWithNoTests'], limitMinutes, tally, tests }
}

/**
 * Runs the failed files of a step again, alone, and puts their results into its report.
 * @param {import('./lanes.mjs').Ended} ended
 * @param {(line: string) => void} log
 * @returns {Promise<import('./lanes.mjs').Ended>} with the combined counts of both runs
 */
export async function runFailedAgain(ended, log) {
  const { name, step, tally } = ended
  const files = step.tests === undefined || tally.failed === 0 ? [] : failedFiles(reportOf(name))
  if (files.length === 0 || files.length > MAX_FILES_AGAIN) return ended
  const again = vitestStep({ ...step.tests, name: `${name}-again`, words: files })
  const [second] = await runLanes([[again]], log)
  if (second === undefined || !existsSync(reportOf(again.name))) return ended
  const { testResults, notes } = takenTogether(resultsIn(reportOf(name)), resultsIn(reportOf(again.name)), name)
  writeFileSync(reportOf(name), JSON.stringify({ testResults }))
  const both = fromVitest(name, reportOf(name), second.tally.failed)
  return { ...ended, tally: { ...both, notes: [...both.notes, ...notes] } }
}

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
 * @param {string} step for the notes: one for each case that passed only the second time
 */
export function takenTogether(first, second, step) {
  const byFile = new Map(second.map((result) => [result.name, result]))
  const notes = []
  const testResults = first.map((before) => {
    const after = byFile.get(before.name)
    if (after === undefined) return before
    const passed = new Set(casesOf(after.assertionResults, 'passed'))
    const unsteady = casesOf(before.assertionResults, 'failed').filter((title) => passed.has(title))
    const place = `unsteady: ${step}: ${relative(ROOT, before.name)}`
    if (unsteady.length > 0) notes.push(...unsteady.map((title) => `${place}: ${title}${ALONE}`))
    else if (after.status === 'passed') notes.push(`${place}${ALONE}`)
    return after
  })
  return { testResults, notes }
}
