// A helper process with a byte channel: our binary, a minimal environment; it ends with us, as its input closes.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'

interface OwnProcess {
  /** @param sent called when the bytes were sent, or never will be */
  send(bytes: Uint8Array, sent: () => void): void
  /** One listener only. */
  onBytes(listener: (bytes: Uint8Array) => void): void
  /** Called once, with the reason it ended, and the end of its standard error. */
  onEnd(listener: (reason: string, lastWords: string) => void): void
  /** Immediate, whatever it is doing. */
  kill(): void
}

/** @param args of the entry, in `process.argv` from 2 on */
export type StartProcess = (entry: string, args: readonly string[]) => OwnProcess

/** What a runtime may need to start, and our switch; not NODE_OPTIONS, which could open a debugger into the process. */
const ENVIRONMENT = ['LD_LIBRARY_PATH', 'SystemRoot', 'TEMP', 'HEADFRAME_NO_ADDON']
/** Characters kept from the end of its standard error. */
const LAST_WORDS = 2_000

/** @returns the environment of our helper processes */
export function ownEnvironment(): Record<string, string> {
  const kept = ENVIRONMENT.map((name) => [name, process.env[name]] as const).filter(
    (entry): entry is readonly [string, string] => entry[1] !== undefined,
  )
  // io_uring would bypass the confinement.
  return { ...Object.fromEntries(kept), UV_USE_IO_URING: '0' }
}

/** @param runtime the binary to run as plain Node; Electron's gets the switch for it */
export function startOwnProcess(entry: string, args: readonly string[], runtime = process.execPath): OwnProcess {
  const env = { ...ownEnvironment(), ELECTRON_RUN_AS_NODE: '1' }
  // In a group of its own: a terminal signals its whole group, and this program says when its helpers end.
  const detached = process.platform !== 'win32'
  const child = spawn(runtime, [entry, ...args], { env, stdio: 'pipe', windowsHide: true, detached })
  const lastWords = tailOf(child)
  child.stdin.on('error', () => undefined) // its exit reports the reason
  return {
    send: (bytes, sent) => void child.stdin.write(bytes, sent),
    onBytes: (listener) => void child.stdout.on('data', listener),
    onEnd: (listener) => {
      child.once('error', (error) => listener(error.message, ''))
      child.once('close', (code, signal) => {
        listener(signal === null ? `ended with code ${code}` : `was ended by ${signal}`, lastWords())
      })
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function tailOf(child: ChildProcessWithoutNullStreams): () => string {
  let tail = ''
  child.stderr.setEncoding('utf8')
  child.stderr.on('data', (text: string) => {
    tail = (tail + text).slice(-LAST_WORDS)
  })
  return () => tail.trim()
}
