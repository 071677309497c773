// CPU time: what a process and its awaited children used, where the kernel reports it (Linux).
import { existsSync, readFileSync } from 'node:fs'

const TICKS_PER_SECOND = 100
/**
 * Fields after the program's name, which is in brackets and may contain spaces: utime, stime, cutime, cstime; proc(5).
 */
const FIRST_TIME = 11
const START = 19

/**
 * Of a process so far.
 * @param {number | 'self'} pid
 * @returns {{ process: string, seconds: number } | null} `process` names it among all of this machine's since it runs
 */
export function processorTime(pid = 'self') {
  const file = `/proc/${pid}/stat`
  if (!existsSync(file)) return null
  const text = readFileSync(file, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  const ticks = fields.slice(FIRST_TIME, FIRST_TIME + 4).reduce((sum, field) => sum + Number(field), 0)
  return { process: `${text.split(' ', 1)[0]} ${fields[START]}`, seconds: ticks / TICKS_PER_SECOND }
}

/**
 * Of each test file, from the lines of test/processor-time.ts: a process that runs several tells its sum after each.
 * @param {string} text
 * @returns {Map<string, number>} seconds by file; those of a file that ran twice together
 */
export function secondsByFile(text) {
  const told = new Map()
  const byFile = new Map()
  for (const line of text.split('\n')) {
    if (line === '') continue
    const { process: name, seconds, file } = JSON.parse(line)
    byFile.set(file, (byFile.get(file) ?? 0) + seconds - (told.get(name) ?? 0))
    told.set(name, seconds)
  }
  return byFile
}
