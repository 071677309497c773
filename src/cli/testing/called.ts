// A call of the command line in this process, for tests of what it says and does: a start of Node costs more than most calls.
import { homedir } from 'node:os'
import { resolve } from 'node:path'
import { Writable } from 'node:stream'
import type { Surroundings } from '../../config/paths'
import { printLine } from '../../files/print-line'
import { runCli } from '../main'

/** As of a process. */
export interface Called {
  readonly code: number
  readonly stdout: string
  readonly stderr: string
}

interface CalledOptions {
  readonly surroundings?: Surroundings
  /** The lines of a pipe on standard input; without it nobody is at the keyboard. */
  readonly input?: string
  /** A signal comes at once. */
  readonly isStopped?: true
}

/** Runs the call of `argv`, the words after `headframe`. */
export async function called(
  argv: readonly string[],
  { surroundings, input, isStopped }: CalledOptions = {},
): Promise<Called> {
  const { stream: out, text: stdout } = collected()
  const { stream: err, text: stderr } = collected()
  const lines = input?.split('\n').slice(0, -1) ?? []
  const { HEADFRAME_DATADIR: _own, ...environment } = process.env
  const here = { platform: process.platform, environment, homeDir: homedir(), workingDir: process.cwd() }
  const code = await runCli(argv, {
    surroundings: surroundings ?? here,
    platform: {
      workerDir: resolve('out/main'),
      projectRoot: resolve('.'),
      rendererDir: resolve('out/renderer'),
      isElectron: false,
      headless: true,
      version: '0.1.0',
      standardOutput: (line) => printLine(out, line),
      standardError: (line) => printLine(err, line),
    },
    onStopSignal: (stop) => {
      if (isStopped) stop()
      return { dispose: () => undefined }
    },
    faults: { attend: () => ({ dispose: () => undefined }) },
    exitNow: () => undefined,
    terminal: null,
    askSecret: async () => lines.shift() ?? null,
  })
  return { code, stdout: stdout(), stderr: stderr() }
}

function collected(): { readonly stream: Writable; readonly text: () => string } {
  const parts: Buffer[] = []
  const stream = new Writable({
    write: (part: Buffer, _encoding, done) => {
      parts.push(part)
      done()
    },
  })
  return { stream, text: () => Buffer.concat(parts).toString('utf8') }
}
