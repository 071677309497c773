// A terminal prompt whose answer isn't echoed; or the next line of a pipe.
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** A signal to this process has arrived by then. */
const SIGNAL_MS = 1_000

export class SecretPrompt {
  /** For a pipe: continues after the last answer. */
  #lines: AsyncIterator<string> | null = null
  #isAsked = false

  /** The line typed, or the next one that is piped in; null when there is none. */
  readonly ask = (question: string): Promise<string | null> => {
    if (!process.stdin.isTTY) return this.#piped()
    if (!this.#isAsked) forgetTyped()
    this.#isAsked = true
    return typed(question)
  }

  async #piped(): Promise<string | null> {
    this.#lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]()
    const { value, done } = await this.#lines.next()
    return done === true ? null : value
  }
}

/** What was typed before anybody could read the question answers nothing. */
function forgetTyped(): void {
  if (process.platform === 'win32') return
  process.stdin.setRawMode(true) // else the terminal keeps an unfinished line to itself
  try {
    const terminal = openSync('/dev/tty', constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const forgotten = Buffer.alloc(4_096)
      while (readSync(terminal, forgotten) > 0) forgotten.fill(0)
    } finally {
      closeSync(terminal)
    }
  } catch {
    // nothing is left to read, or this process has no terminal of its own
  }
}

function typed(question: string): Promise<string | null> {
  process.stderr.write(question)
  // readline echoes to its output, so its output goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    const left = (): void => {
      process.stderr.write('\n')
      resolve(null)
    }
    reader.once('SIGINT', () => {
      reader.off('close', left) // the signal says what becomes of the command, and not "nobody answered"
      reader.close()
      process.kill(process.pid, 'SIGINT')
      setTimeout(left, SIGNAL_MS) // without anything to wait for, the process would end before the signal is there
    })
    reader.once('close', left)
    reader.question('', (answer) => {
      resolve(answer)
      reader.close()
    })
  })
}
