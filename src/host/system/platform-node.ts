// The entry point without a window: plain Node, started from a terminal or by a service manager.
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
    standardInput: () => process.stdin,
    standardOutput: (line) => void process.stdout.write(`${line}\n`),
    columns: () => process.stdout.columns,
    standardError: (line) => void process.stderr.write(`${line}\n`),
  }
}
