// Commands of the program that a chaos run executes between its lives.
import { spawn } from 'node:child_process'

/** Ends what hangs. */
const HANG_MS = 240_000

export interface CommandOutcome {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** @param door the front door of the project */
export function command(door: string, args: readonly string[]): Promise<CommandOutcome> {
  const child = spawn(process.execPath, [door, ...args], { stdio: ['ignore', 'pipe', 'pipe'], timeout: HANG_MS })
  const parts = { stdout: '', stderr: '' }
  child.stdout.on('data', (part: Buffer) => {
    parts.stdout += part.toString('utf8')
  })
  child.stderr.on('data', (part: Buffer) => {
    parts.stderr += part.toString('utf8')
  })
  return new Promise((done, fail) => {
    child.once('error', fail)
    child.once('close', (code) => done({ code, ...parts }))
  })
}

/** `command`, which has to exit with 0. @throws Error with its output */
export async function mustDo(door: string, args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await command(door, args)
  if (code !== 0) throw new Error(`headframe ${args.join(' ')} ended with ${code}: ${stderr.slice(-2000)}`)
  return stdout
}
