// The entry point without a window: plain Node, started from a terminal or by a service manager.

import { printLine } from '../../files/print-line'
import { readStandardInput } from '../../files/wiped-input'
import { lockMemory } from '../../native/system/system-calls'
import type { Platform } from './platform'

interface NodePlatformOptions {
  readonly workerDir: string
  readonly projectRoot: string
  readonly rendererDir: string
  readonly version: string
}

export function nodePlatform(options: NodePlatformOptions): Platform {
  // A reader that closes its end of the pipe must not end the program.
  for (const stream of [process.stdout, process.stderr]) {
    if (stream.listenerCount('error') === 0) stream.on('error', () => undefined)
  }
  return {
    ...options,
    isElectron: false,
    headless: true,
    standardInput: (listener) => readStandardInput(listener, (place) => lockMemory(options.projectRoot, place)),
    standardOutput: (line) => printLine(process.stdout, line),
    columns: () => process.stdout.columns,
    standardError: (line) => printLine(process.stderr, line),
  }
}

/** Everything printed so far has reached its reader, or there is none any more: an exit loses what a slow pipe still holds. */
export async function standardStreamsFlushed(): Promise<void> {
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) =>
        new Promise<void>((resolve) => {
          if (stream.destroyed) return resolve()
          stream.once('close', resolve)
          stream.write('', () => resolve())
        }),
    ),
  )
}
