// Steps of a test run side by side: one after another within a lane, the lanes at the same time. Each step is a process
// whose output goes to a file only; the reader sees one line for each step.
import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { endTree } from '../lib/process-tree.mjs'
import { CACHE, run } from '../lib/project.mjs'

const MINUTE_MS = 60_000
const DRAW_MS = 250
/** How often a step is looked at that may stand still. */
const LOOK_MS = 1_000
/** Where lines can't be rewritten: how often the reader hears that long steps are still running. */
const STILL_MS = 3 * MINUTE_MS
/** One line of vitest's reporter for each file that has ended. */
const FILE_ENDED = /^ [✓❯×↓] /gm

/**
 * @typedef {{ name: string, command: string, args: readonly string[], limitMinutes: number, files?: number,
 *   env?: Readonly<Record<string, string>>, stillness?: (nowMs: number) => { look(nowMs: number): string | null },
 *   tally: (outcome: { code: number, output: string }) => import('./tally.mjs').Tally }} Step
 * `files`: how many test files it runs, for the progress; `stillness`: begins to watch it
 * @typedef {{ step: Step, name: string, seconds: number, tally: import('./tally.mjs').Tally }} Ended
 */

/** Where to find the output of a step's last run. */
export const logOf = (name) => join(CACHE, `test-${name}.log`)

/** Lines of the running steps: rewritten in place on a terminal, else only told when they end. */
export class StepLines {
  #running = new Map()
  #drawn = 0
  #timer = null

  /** @param {{ isTTY?: boolean, columns?: number, write(text: string): unknown }} out */
  constructor(out = process.stdout) {
    this.out = out
  }

  /** A line that stays. */
  log(line) {
    this.#erase()
    this.out.write(`${line}\n`)
    this.#draw()
  }

  started(name, files = 0) {
    this.#running.set(name, { from: performance.now(), files, ended: 0 })
    this.#timer ??= setInterval(() => this.#tick(), this.out.isTTY ? DRAW_MS : STILL_MS)
    this.#tick(true)
  }

  heard(name, part) {
    const step = this.#running.get(name)
    if (step !== undefined) step.ended += part.match(FILE_ENDED)?.length ?? 0
  }

  ended(name, line) {
    this.#running.delete(name)
    if (this.#running.size === 0) {
      clearInterval(this.#timer)
      this.#timer = null
    }
    this.log(line)
  }

  #tick(isStart = false) {
    if (this.out.isTTY) {
      this.#erase()
      this.#draw()
    } else if (!isStart) this.out.write(`   ${[...this.#running.keys()].map((name) => this.#line(name)).join('; ')}\n`)
  }

  #erase() {
    if (this.#drawn > 0) this.out.write(`\x1b[${this.#drawn}A\x1b[J`)
    this.#drawn = 0
  }

  #draw() {
    if (!this.out.isTTY) return
    const width = this.out.columns ?? 80
    for (const name of this.#running.keys()) this.out.write(`${`   ${this.#line(name)}`.slice(0, width - 1)}\n`)
    this.#drawn = this.#running.size
  }

  #line(name) {
    const { from, files, ended } = this.#running.get(name)
    const howFar = files === 0 ? '' : `, ${Math.min(ended, files)} of ${files} files`
    return `${name}: ${Math.round((performance.now() - from) / 1_000)} s${howFar}`
  }
}

/**
 * Runs the lanes to their end.
 * @param {readonly (readonly Step[])[]} lanes
 * @param {StepLines} lines
 * @param {readonly Step[]} later steps for the lane that ends first
 * @returns {Promise<Ended[]>} in the order in which they ended
 */
export async function runLanes(lanes, lines, later = []) {
  const done = []
  const waiting = [...later]
  await Promise.all(
    lanes.map(async (steps) => {
      for (const step of steps) done.push(await runStep(step, lines))
      for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) done.push(await runStep(step, lines))
    }),
  )
  return done
}

async function runStep(step, lines) {
  const { name, command, args, limitMinutes, files, env: more } = step
  const startedAt = performance.now()
  const { FORCE_COLOR: _force, ...env } = process.env
  mkdirSync(CACHE, { recursive: true })
  writeFileSync(logOf(name), '')
  lines.started(name, files)
  const watch = step.stillness?.(performance.now())
  let timer
  const outcome = await run(command, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    limitMs: limitMinutes * MINUTE_MS,
    env: { ...env, ...more, NO_COLOR: '1' },
    onSpawn: (child) => {
      timer = setInterval(() => {
        const still = watch?.look(performance.now()) ?? null
        if (still === null || child.pid === undefined) return
        clearInterval(timer)
        lines.log(`   ${name} stands still at ${still}: it is ended, with all that it started`)
        endTree(child.pid)
      }, LOOK_MS)
    },
    onOutput: (part) => {
      // In the file when this returns: it is whole even when the run is cut off.
      appendFileSync(logOf(name), part)
      lines.heard(name, part)
    },
  })
  clearInterval(timer)
  const tally = step.tally(outcome)
  const seconds = Number(((performance.now() - startedAt) / 1_000).toFixed(1))
  lines.ended(name, `${tally.failed === 0 ? 'ok  ' : 'FAIL'} ${name}: ${countsOf(tally)} (${seconds.toFixed(1)} s)`)
  return { step, name, seconds, tally }
}

/** @param {import('./tally.mjs').Tally} tally */
export function countsOf({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed, ${skipped} skipped`
}
