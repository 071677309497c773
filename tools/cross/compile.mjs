// Compiles the addon's sources, as many at a time as there are processors.
import { mkdirSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import { ROOT, run, ToolError } from '../lib/project.mjs'

/**
 * @typedef {{ command: string, args: readonly string[] }} Step
 */

/**
 * Runs steps side by side; the first that fails ends it.
 * @param {readonly Step[]} steps
 * @throws ToolError with what the compiler said
 */
export async function runSteps(steps) {
  const waiting = [...steps]
  const lane = async () => {
    for (let step = waiting.shift(); step !== undefined; step = waiting.shift()) await runStep(step)
  }
  await Promise.all(cpus().map(lane))
}

/** @param {Step} step @throws ToolError */
export async function runStep({ command, args }) {
  const { code, output } = await run(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  if (code === 0) return
  throw new ToolError(`${command} ended with ${code}:\n${output.split('\n').slice(0, 30).join('\n')}`.trim())
}

/**
 * The steps that compile files into a folder, and what comes out.
 * @param {{ files: readonly string[], folder: string, command: string, flags: readonly string[] }} job
 * @returns {{ steps: Step[], objects: string[] }}
 */
export function compileSteps({ files, folder, command, flags }) {
  mkdirSync(folder, { recursive: true })
  const steps = []
  const objects = files.map((file) => {
    const object = join(folder, `${file.slice(ROOT.length + 1).replace(/[^\w.]/g, '-')}.o`)
    steps.push({ command, args: [...flags, '-c', file, '-o', object] })
    return object
  })
  return { steps, objects }
}
