// A foreign regular expression tried on a few texts in a thread of its own, so that a hostile one stalls nobody.
import { Worker } from 'node:worker_threads'
import { z } from 'zod'
import type { Clock } from '../../base/time'

/** For the search itself; starting the thread has its own limit. */
const SEARCH_LIMIT_MS = 100
const START_LIMIT_MS = 5_000
const MEMORY_MIB = 32

/** Runs in the thread: says that it is there, then what it found. */
const THREAD = `
const { parentPort, workerData } = require('node:worker_threads')
parentPort.postMessage('ready')
const expression = new RegExp(workerData.pattern, 'i')
parentPort.postMessage(workerData.texts.findIndex((text) => expression.test(text)))
`
const foundSchema = z.number().int()

/** Position of the first text that `pattern` is found in, -1 for none; null when it isn't an expression or takes too long. */
export function firstMatch(clock: Clock, pattern: string, texts: readonly string[]): Promise<number | null> {
  try {
    new RegExp(pattern, 'i')
  } catch {
    return Promise.resolve(null) // no expression
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
