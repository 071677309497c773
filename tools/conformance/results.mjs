// From vitest's JSON report to the lines of a section.
import { relative } from 'node:path'

/**
 * @typedef {{ what: string, passed: number, failed: number, notRun: number }} Row
 * @typedef {{ title: string, text: string, date: string, rows: readonly Row[], failed: readonly string[], notRun: readonly string[] }} SectionResult the day of the run as YYYY-MM-DD
 */

/**
 * A test that says how many cases it holds counts as so many once it has passed, and as one otherwise.
 * @param {import('./sections.mjs').Section} section
 * @param {{ startTime: number, testResults: readonly object[] }} report of vitest; a file that is not in it counts as failed
 * @param {string} root of the project
 * @returns {SectionResult}
 */
export function sectionResult({ title, text, parts }, { startTime, testResults }, root) {
  const byFile = new Map(testResults.map((result) => [relative(root, result.name).replaceAll('\\', '/'), result]))
  const rows = []
  const failed = []
  const notRun = []
  for (const { file, what } of parts) {
    const tests = byFile.get(file)?.assertionResults ?? []
    if (tests.length === 0) failed.push(`${file}: ended without a result`)
    for (const { status, fullName, meta } of tests) {
      if (status === 'failed') failed.push(`${file}: ${fullName}`)
      else if (status !== 'passed') notRun.push(fullName)
      notRun.push(...(meta?.leftOut ?? []))
    }
    rows.push(rowOf(what, tests))
  }
  return { title, text, date: new Date(startTime).toISOString().slice(0, 10), rows, failed, notRun }
}

function rowOf(what, tests) {
  const row = { what, passed: 0, failed: tests.length === 0 ? 1 : 0, notRun: 0 }
  for (const { status, meta } of tests) {
    if (status === 'passed') row.passed += meta?.cases ?? 1
    else if (status === 'failed') row.failed++
    else row.notRun++
    row.notRun += meta?.leftOut?.length ?? 0
  }
  return row
}
