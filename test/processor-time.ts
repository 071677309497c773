// For every test file: its CPU time until its end, including its programs and browsers, for the table of `npm test`. A
// busy machine takes longer for a file, but does no more work.
import { appendFileSync } from 'node:fs'
import { relative } from 'node:path'
import { afterAll, expect } from 'vitest'
import { processorTime } from '../tools/testing/processor-time.mjs'

afterAll(() => {
  const list = process.env.PROCESSOR_TIMES
  const { testPath } = expect.getState()
  const time = processorTime()
  if (list === undefined || testPath === undefined || time === null) return
  appendFileSync(list, `${JSON.stringify({ ...time, file: relative(process.cwd(), testPath) })}\n`)
})
