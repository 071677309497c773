// Entry of the command line on plain Node, built to out/main/cli.cjs. Never imports electron, not even through another module.
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { z } from 'zod'
import { systemClock } from '../base/time'
import { printLine } from '../files/print-line'
import { onUncaughtInProcess, ProcessFaults } from '../host/faults/process-faults'
import { nodePlatform, standardStreamsFlushed } from '../host/system/platform-node'
import { onStopSignal } from '../host/system/stop-signals'
import { SecretPrompt } from './ask-secret'
import type { Terminal } from './call'
import { asksForJson, EXIT_FAILED, failureLine } from './exit-codes'
import { processSurroundings } from './load-config'
import { runCli } from './main'

function packageVersion(projectRoot: string): string {
  const text = readFileSync(join(projectRoot, 'package.json'), 'utf8')
  return z.object({ version: z.string() }).parse(JSON.parse(text)).version
}

/** A terminal that can't move the cursor gets plain lines. */
function standardErrorTerminal(): Terminal | null {
  const { stderr } = process
  if (!stderr.isTTY || process.env.TERM === 'dumb') return null
  return { columns: () => stderr.columns, write: (text) => void stderr.write(text) }
}

/** Installed before anything runs, so that errors never end in Node's own report. */
function processFaults(): ProcessFaults {
  return new ProcessFaults({
    onUncaught: onUncaughtInProcess,
    say: (error) => printLine(process.stderr, failureLine(error, asksForJson(process.argv, process.env))),
    exit: () => process.exit(EXIT_FAILED),
    clock: systemClock(),
  })
}

/** After a signal, for what a slow pipe still holds. */
const LAST_WORDS_MS = 500

function withResolvers(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((done) => {
    resolve = done
  })
  return { promise, resolve }
}

async function main(): Promise<void> {
  const faults = processFaults()
  const workerDir = import.meta.dirname
  const out = dirname(workerDir)
  const projectRoot = dirname(out)
  const platform = nodePlatform({
    workerDir,
    projectRoot,
    rendererDir: join(out, 'renderer'),
    version: packageVersion(projectRoot),
  })
  const { promise: signalled, resolve: heard } = withResolvers()
  const code = await runCli(process.argv.slice(2), {
    surroundings: processSurroundings(),
    platform,
    onStopSignal: (listener) =>
      onStopSignal(() => {
        heard()
        listener()
      }),
    faults,
    exitNow: (exitCode) => process.exit(exitCode),
    terminal: standardErrorTerminal(),
    askSecret: new SecretPrompt().ask,
  })
  // A program that was told to end doesn't wait for a reader that is stuck.
  await Promise.race([standardStreamsFlushed(), signalled.then(() => setTimeout(LAST_WORDS_MS))])
  // A worker or device thread that doesn't end in time must not keep the process alive.
  process.exit(code)
}

void main()
