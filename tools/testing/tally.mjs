// Counts of a test run: from vitest's JSON report, or from a single outcome.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from '../lib/project.mjs'

/** Number of test files in the time table. */
const LONGEST = 15

/** @typedef {{ passed: number, failed: number, skipped: number, notes: readonly string[] }} Tally */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, notes: [] }

export function add(first, second) {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    notes: [...first.notes, ...second.notes],
  }
}

/** One step that passes or fails. */
export function single(name, ok) {
  return { passed: ok ? 1 : 0, failed: ok ? 0 : 1, skipped: 0, notes: ok ? [] : [`failed: ${name}`] }
}

/** @param {string} file report of `--reporter=json`; a run that left none, or failed without a failing test, counts as failed */
export function fromVitest(name, file, code) {
  if (!existsSync(file))
    return { ...NOTHING, failed: 1, notes: [`failed: ${name}: vitest ended with ${code} and no report`] }
  const tally = { ...NOTHING, notes: [] }
  for (const { name: path, status, message, assertionResults } of JSON.parse(readFileSync(file, 'utf8')).testResults) {
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed')) {
      tally.failed++
      tally.notes.push(`failed: ${name}: ${relative(ROOT, path)}: ${(message ?? '').split('\n')[0]}`)
    }
    for (const test of assertionResults) countTest(tally, `${name}: ${relative(ROOT, path)}`, test)
  }
  if (code !== 0 && tally.failed === 0) {
    tally.failed++
    tally.notes.push(`failed: ${name}: vitest ended with ${code} although no test failed`)
  }
  return tally
}

function countTest(tally, place, { status, fullName }) {
  if (status === 'passed') tally.passed++
  else if (status === 'failed') {
    tally.failed++
    tally.notes.push(`failed: ${place}: ${fullName}`)
  } else {
    tally.skipped++
    tally.notes.push(`skipped: ${place}: ${fullName}`)
  }
}

/** @param {string} output of tools/test-native.mjs: its line of counts, then one note each line */
export function fromNative(output, code) {
  const counts = /^native: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output)
  if (counts === null) return { ...NOTHING, failed: 1, notes: [`failed: native: ended with ${code} and no counts`] }
  const [passed, failed, skipped] = counts.slice(1).map(Number)
  const lines = output.slice(counts.index + counts[0].length).split('\n')
  const notes = lines.flatMap((line) => (line.trim() === '' ? [] : [`native: ${line.trim()}`]))
  return { passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped, notes }
}

/** Notes in reading order: unsteady tests, then failures last, next to the counts. */
export function notesInOrder(notes) {
  const rank = (note) => ['unsteady: ', 'failed: '].findIndex((start) => note.startsWith(start))
  return [...notes].sort((a, b) => rank(a) - rank(b))
}

/** @typedef {{ name: string, seconds: number, processor?: number }} Time seconds by the clock, and of the processor where known */

/**
 * The time table of a vitest run.
 * @param {string} report of `--reporter=json`
 * @param {ReadonlyMap<string, number>} processor seconds by file
 * @returns {Time[]} test files, in no order
 */
export function fileTimes(report, processor) {
  if (!existsSync(report)) return []
  const { testResults = [] } = JSON.parse(readFileSync(report, 'utf8'))
  return testResults.map(({ name, startTime, endTime }) => ({
    name: relative(ROOT, name),
    seconds: Math.max(0, (endTime - startTime) / 1_000),
    processor: processor.get(relative(ROOT, name)),
  }))
}

/**
 * Lines: each step with its seconds, then the test files that took most.
 * @param {readonly Time[]} steps
 * @param {readonly Time[]} files
 */
export function timeTable(steps, files) {
  const column = (seconds) => (seconds === undefined ? '' : `${seconds.toFixed(1)} s`).padStart(10)
  const line = ({ name, seconds, processor }) => `${column(seconds)}${column(processor)}  ${name}`
  const cost = ({ seconds, processor }) => processor ?? seconds
  const longest = [...files].sort((a, b) => cost(b) - cost(a)).slice(0, LONGEST)
  const head = `${'clock'.padStart(10)}${'processor'.padStart(10)}`
  return [`${head}  by step`, ...steps.map(line), `${head}  test files that took most`, ...longest.map(line)]
}
