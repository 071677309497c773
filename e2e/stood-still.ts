// For each file: after a case that came to no end, its windows and programs are ended and the other cases fail at once. One window
// that stands still would hold every one of them to its limit: hours.
import { afterAll, afterEach, beforeEach } from 'vitest'
import { endDescendants } from '../tools/lib/process-tree.mjs'

const OVER_LIMIT = /timed out in \d+ ?ms/
let still: string | null = null

beforeEach(() => {
  if (still !== null) throw new Error(`not run: "${still}" stood still, and what the file had started was ended`)
})

afterEach(({ task }) => {
  if (still !== null || !task.result?.errors?.some(({ message }) => OVER_LIMIT.test(message))) return
  still = task.name
  endDescendants()
})

afterAll(endDescendants)
