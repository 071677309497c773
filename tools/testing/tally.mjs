// Counts of a test run: from vitest's JSON report, or from a single outcome.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { ROOT } from '../lib/project.mjs'

/** Number of test files in the time table. */
const LONGEST = 15
/** Lines of an error, or of a failed step's output, that are shown. */
const ERROR_LINES = 12
const OUTPUT_LINES = 40
/** Lines about skipped tests, so that a run where all is well fits on a few screens. */
const SKIPPED_LINES = 60

/**
 * @typedef {{ title: string, details: readonly string[], command: string }} Failure `command`: what runs it alone
 * @typedef {{ passed: number, failed: number, skipped: number, failures: readonly Failure[], unsteady: readonly string[],
 *   skips: readonly { file: string, title: string }[] }} Tally
 */

/** @type {Tally} */
export const NOTHING = { passed: 0, failed: 0, skipped: 0, failures: [], unsteady: [], skips: [] }

export function add(first, second) {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    failures: [...first.failures, ...second.failures],
    unsteady: [...first.unsteady, ...second.unsteady],
    skips: [...first.skips, ...second.skips],
  }
}

/** One failure, with the end of the output that tells why. */
export function failure(title, command, output = '') {
  const details = linesOf(output).slice(-OUTPUT_LINES)
  return { ...NOTHING, failed: 1, failures: [{ title, details, command }] }
}

/** One step that passes or fails. @param {string} command runs it alone */
export function single(name, command, { code, output }) {
  return code === 0 ? { ...NOTHING, passed: 1 } : failure(name, command, output)
}

/**
 * @param {string} project of vitest.config.ts
 * @param {string} report of `--reporter=json`; a run that left none, or failed without a failing test, counts as failed
 * @param {{ code: number, output: string }} outcome
 */
export function fromVitest(project, report, { code, output }) {
  const command = `npx vitest run --project ${project}`
  if (!existsSync(report)) return failure(`${project}: vitest ended with ${code} and no report`, command, output)
  let tally = NOTHING
  for (const { name, status, message, assertionResults } of JSON.parse(readFileSync(report, 'utf8')).testResults) {
    const file = relative(ROOT, name)
    const alone = `${command} ${file}`
    if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
      tally = add(tally, failure(file, alone, message ?? ''))
    for (const test of assertionResults) tally = add(tally, caseTally(test, file, alone))
  }
  if (code !== 0 && tally.failed === 0)
    tally = add(tally, failure(`${project}: vitest ended with ${code} although no test failed`, command, output))
  return tally
}

function caseTally({ status, fullName, failureMessages = [] }, file, command) {
  if (status === 'passed') return { ...NOTHING, passed: 1 }
  if (status !== 'failed') return { ...NOTHING, skipped: 1, skips: [{ file, title: fullName }] }
  const details = failureMessages.flatMap((text) => linesOf(text).slice(0, ERROR_LINES))
  return { ...NOTHING, failed: 1, failures: [{ title: `${file} > ${fullName}`, details, command }] }
}

function linesOf(text) {
  return stripVTControlCharacters(text)
    .split('\n')
    .filter((line) => line.trim() !== '')
}

/** @param {{ code: number, output: string }} outcome of tools/test-native.mjs: its line of counts, then one note each line */
export function fromNative({ code, output }) {
  const command = 'npm run test:native'
  const counts = /^native: (\d+) passed, (\d+) failed, (\d+) skipped$/m.exec(output)
  if (counts === null) return failure(`native: ended with ${code} and no counts`, command, output)
  const [passed, failed, skipped] = counts.slice(1).map(Number)
  const notes = linesOf(output.slice(counts.index + counts[0].length)).map((line) => line.trim())
  const whole = { ...NOTHING, passed, failed: failed === 0 && code !== 0 ? 1 : failed, skipped }
  const skips = skipped === 0 ? [] : notes.map((title) => ({ file: 'native', title }))
  const failures = [{ title: 'native', details: notes, command }]
  return whole.failed === 0 ? { ...whole, skips } : { ...whole, failures }
}

/** Lines: what was skipped, one line for each file and reason; what is unsteady; failures last. @param {Tally} tally */
export function summary({ skips, unsteady, failures }) {
  const groups = new Map()
  for (const { file, title } of skips) {
    const why = /\(skipped: (.*)\)/.exec(title)?.[1] ?? /\((in npm run test:deep)\)/.exec(title)?.[1] ?? ''
    const name = why === '' ? file : `${file} (${why})`
    groups.set(name, (groups.get(name) ?? 0) + 1)
  }
  const skipped = [...groups].map(([name, count]) => `skipped ${count}: ${name}`)
  const more = skipped.length > SKIPPED_LINES ? [`skipped: ${skipped.length - SKIPPED_LINES} more files`] : []
  return [
    ...skipped.slice(0, SKIPPED_LINES),
    ...more,
    ...unsteady.map((title) => `unsteady: ${title}`),
    ...failures.flatMap(({ title, details, command }) => [
      '',
      `FAIL ${title}`,
      ...details.map((line) => `     ${line}`),
      `     run alone: ${command}`,
    ]),
  ]
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
