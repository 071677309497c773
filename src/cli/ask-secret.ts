// A terminal prompt whose answer isn't echoed; or the next line of a pipe.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

export class SecretPrompt {
  /** For a pipe: continues after the last answer. */
  #lines: AsyncIterator<string> | null = null

  /** The line typed, or the next one that is piped in; null when there is none. */
  readonly ask = (question: string): Promise<string | null> => (process.stdin.isTTY ? typed(question) : this.#piped())

  async #piped(): Promise<string | null> {
    this.#lines ??= createInterface({ input: process.stdin, terminal: false })[Symbol.asyncIterator]()
    const { value, done } = await this.#lines.next()
    return done === true ? null : value
  }
}

function typed(question: string): Promise<string | null> {
  process.stderr.write(question)
  // readline echoes to its output, so its output goes nowhere.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  const reader = createInterface({ input: process.stdin, output: nowhere, terminal: true })
  return new Promise((resolve) => {
    reader.once('SIGINT', () => {
      reader.close()
      process.kill(process.pid, 'SIGINT')
    })
    reader.once('close', () => resolve(null))
    reader.question('', (answer) => {
      process.stderr.write('\n')
      resolve(answer)
      reader.close()
    })
  })
}
