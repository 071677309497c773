// A question at the terminal whose answer is not shown.
import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'

/** The line typed; null when standard input is no terminal. */
export function askSecret(question: string): Promise<string | null> {
  if (!process.stdin.isTTY) return Promise.resolve(null)
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
