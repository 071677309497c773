// Tries an untrusted regular expression on a few texts in its own thread, so that a hostile one blocks nobody.
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Clock } from '../../base/time'

/** For the search only; starting the thread has its own limit. */
const SEARCH_LIMIT_MS = 100
const START_LIMIT_MS = 5_000
const MEMORY_MIB = 32

/** Runs in the thread: reports that it is ready, then what it found. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.postMessage('ready')
const expression = new RegExp(workerData.pattern, 'i')
parentPort.postMessage(workerData.texts.findIndex((text) => expression.test(text)))
`
const foundSchema = z.number().int()

/** Index of the first text that matches `pattern`; -1: none; null: it isn't a valid expression, or takes too long. */
export function firstMatch(clock: Clock, pattern: string, texts: readonly string[]): Promise<number | null> {
  try {
    new RegExp(pattern, 'i')
  } catch {
    return Promise.resolve(null) // not a valid expression
  }
  const worker = new Worker(THREAD, {
    eval: true,
    workerData: { pattern, texts },
    resourceLimits: { maxOldGenerationSizeMb: MEMORY_MIB },
    env: {},
  })
  return new Promise((resolve) => {
    let limit = clock.setTimeout(() => settle(null), START_LIMIT_MS)
    const settle = (found: number | null): void => {
      limit.dispose()
      resolve(found)
      void worker.terminate()
    }
    worker.on('message', (message: unknown) => {
      limit.dispose()
      limit = clock.setTimeout(() => settle(null), SEARCH_LIMIT_MS)
      const found = foundSchema.safeParse(message)
      if (found.success) settle(found.data)
    })
    worker.on('error', () => settle(null))
  })
}
