// Steps of a test run side by side: one after another within a lane, the lanes at the same time. Each step is a process
// whose output goes to a file and is printed in one piece when it ends, so that a log reads as if they had run in turn.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CACHE, run } from '../lib/project.mjs'

const MINUTE_MS = 60_000

/**
 * @typedef {{ name: string, command: string, args: readonly string[], limitMinutes: number,
 *   tally: (outcome: { code: number, output: string }) => import('./tally.mjs').Tally }} Step
 * @typedef {{ step: Step, name: string, seconds: number, tally: import('./tally.mjs').Tally }} Ended
 */

/** Where to find the output of a step's last run. */
export const logOf = (name) => join(CACHE, `test-${name}.log`)

/**
 * Runs the lanes to their end.
 * @param {readonly (readonly Step[])[]} lanes
 * @param {(line: string) => void} log
 * @param {readonly Step[]} later steps for the lane that ends first
 * @returns {Promise<Ended[]>} in the order in which they ended
 */
export async function runLanes(lanes, log, later = []) {
  const done = []
  const waiting = [...later]
  const isAlone = lanes.length === 1
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) done.push(await runStep(step, { log, isAlone }))
      for (let step = waiting.shift(); step !== undefined; step = waiting.shift())
        done.push(await runStep(step, { log, isAlone }))
    }),
  )
  return done
}

async function runStep(step, { log, isAlone }) {
  const { name, command, args, limitMinutes } = step
  const startedAt = performance.now()
  log(isAlone ? `== ${name}` : `-- ${name} started`)
  const outcome = await run(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    limitMs: limitMinutes * MINUTE_MS,
    onOutput: writer(name, isAlone),
  })
  const tally = step.tally(outcome)
  const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1))
  if (!isAlone) {
    log(`== ${name}`)
    process.stdout.write(outcome.output)
  }
  log(`== ${name}: ${tally.passed} passed, ${tally.failed} failed, ${tally.skipped} skipped (${seconds.toFixed(1)} s)`)
  return { step, name, seconds, tally }
}

/**
 * A step that runs alone is printed live; each output is also written to its file as it arrives, even when the run is
 * cut off.
 */
function writer(name, isAlone) {
  mkdirSync(CACHE, { recursive: true })
  const file = logOf(name)
  writeFileSync(file, '')
  return (part) => {
    // In the file when this returns: a stream might still buffer it when the step has ended.
    appendFileSync(file, part)
    if (isAlone) process.stdout.write(part)
  }
}
