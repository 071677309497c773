// A process of the soak as seen by the driver: numbered requests and answers, and immediate reports of failures.
import { type ChildProcess, fork } from 'node:child_process'
import type { Answer, Request } from './messages'

interface Waiting {
  resolve(value: unknown): void
  reject(error: Error): void
}

export class SoakProcess<Ask> {
  readonly #child: ChildProcess
  readonly #waiting = new Map<number, Waiting>()
  #last = 0
  #isClosing = false

  /** @param file the script; @param words its arguments */
  constructor(
    private readonly name: string,
    file: string,
    words: readonly string[],
  ) {
    this.#child = fork(file, words, { execArgv: ['--expose-gc'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] })
    this.#child.on('message', ({ number, value }: Answer) => this.#waiting.get(number)?.resolve(value))
    this.#child.on('exit', (code) => {
      if (this.#isClosing) return
      for (const { reject } of this.#waiting.values())
        reject(new Error(`the process of the ${name} ended with ${code}`))
    })
  }

  /** What the process says when it is ready. */
  ready(): Promise<unknown> {
    return this.#answer(0)
  }

  /** @throws Error when the process has ended */
  async ask(ask: Ask): Promise<unknown> {
    const request: Request<Ask> = { number: ++this.#last, ask }
    const answer = this.#answer(request.number)
    this.#child.send(request, (error) => {
      if (error !== null) this.#waiting.get(request.number)?.reject(error)
    })
    return answer
  }

  /** Ends the process. */
  close(): void {
    this.#isClosing = true
    this.#child.kill('SIGKILL')
  }

  #answer(number: number): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#child.exitCode !== null) reject(new Error(`the process of the ${this.name} has ended`))
      const settle = (): void => void this.#waiting.delete(number)
      this.#waiting.set(number, {
        resolve: (value) => {
          settle()
          resolve(value)
        },
        reject: (error) => {
          settle()
          reject(error)
        },
      })
    })
  }
}
