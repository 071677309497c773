// Counts of a test run: from vitest's JSON report, or from a single outcome.
import { existsSync, readFileSync } from 'node:fs'

export const NOTHING = { passed: 0, failed: 0, skipped: 0, notes: [] }

export function add(first, second) {
  return {
    passed: first.passed + second.passed,
    failed: first.failed + second.failed,
    skipped: first.skipped + second.skipped,
    notes: [...first.notes, ...second.notes],
  }
}

/** One step that either holds or does not. */
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
      tally.notes.push(`failed: ${name}: ${path}: ${(message ?? '').split('\n')[0]}`)
    }
    for (const test of assertionResults) countTest(tally, name, test)
  }
  if (code !== 0 && tally.failed === 0) {
    tally.failed++
    tally.notes.push(`failed: ${name}: vitest ended with ${code} although no test failed`)
  }
  return tally
}

function countTest(tally, name, { status, fullName }) {
  if (status === 'passed') tally.passed++
  else if (status === 'failed') {
    tally.failed++
    tally.notes.push(`failed: ${name}: ${fullName}`)
  } else {
    tally.skipped++
    tally.notes.push(`skipped: ${name}: ${fullName}`)
  }
}
