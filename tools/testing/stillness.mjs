// Which file of a vitest run stands still, and what a run gave that had to be ended: from the lines of test/progress.ts.
import { existsSync, readFileSync } from 'node:fs'
import { relative } from 'node:path'
import { ROOT } from '../lib/project.mjs'

/** A case and a hook end by themselves at their own limit; what takes this many times as long doesn't. */
const LIMITS = 2
/** Before the first line is there, and after the last. */
const OUTSIDE_MS = 300_000

/**
 * @typedef {{ name: string, status: string, message: string, startTime: number, endTime: number,
 *   assertionResults: readonly { fullName: string, status: string, failureMessages?: readonly string[] }[] }} Result
 * as vitest's JSON report has it
 */

/** Asked again and again while a run goes on. */
export class Stillness {
  #read = 0
  #run = { at: 'its start', since: 0, limitMs: OUTSIDE_MS }
  #files = new Map()

  /** @param {string} file with the lines @param {number} nowMs */
  constructor(file, nowMs) {
    this.file = file
    this.#run.since = nowMs
  }

  /** @param {number} nowMs @returns {string | null} where it stands still */
  look(nowMs) {
    const text = wholeLines(this.file)
    for (const { file, at, limitMs, result } of parsed(text.slice(this.#read))) {
      if (result !== undefined) this.#files.delete(file)
      else if (file !== undefined)
        this.#files.set(file, { at: `${at} of ${relative(ROOT, file)}`, since: nowMs, limitMs })
      this.#run = { at: 'the end of a file', since: nowMs, limitMs: limitMs ?? this.#run.limitMs }
    }
    this.#read = text.length
    const running = this.#files.size > 0 ? [...this.#files.values()] : [this.#run]
    return running.find(({ since, limitMs }) => nowMs - since > LIMITS * limitMs)?.at ?? null
  }
}

/**
 * Of each file of a run, in vitest's order; null when it never began. One that didn't end failed.
 * @param {string} file
 * @returns {Result[] | null}
 */
export function resultsOf(file) {
  const lines = parsed(wholeLines(file))
  const files = lines.find((line) => line.files !== undefined)?.files
  if (files === undefined) return null
  return files.map((name) => {
    const own = lines.filter((line) => line.file === name)
    const ended = own.find((line) => line.result !== undefined)?.result
    return ended ?? unended(name, own.at(-1)?.at)
  })
}

/** @param {string | undefined} at where it was; undefined when it had not begun */
function unended(name, at) {
  const message = at === undefined ? 'not run: the run was ended before' : `ended while it stood still at ${at}`
  return { name, status: 'failed', message, startTime: 0, endTime: 0, assertionResults: [], hadBegun: at !== undefined }
}

/** The last line may not be whole yet. */
function wholeLines(file) {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : ''
  return text.slice(0, text.lastIndexOf('\n') + 1)
}

const parsed = (text) =>
  text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))
