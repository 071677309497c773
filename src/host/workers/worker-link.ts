// Our end of a worker, thread or process: tracks open calls, and fails them when it is lost.
import { parseFrame, type WireFrame } from '../../base/wire/define'
import { HostError } from '../errors'

export class WorkerLink {
  readonly #openCalls = new Set<number>()
  readonly #closeListeners: ((reason: string) => void)[] = []
  #deliver: (message: unknown) => void = () => undefined
  #isOpen = true

  /** @param name of the worker, for errors */
  constructor(private readonly name: string) {}

  get isOpen(): boolean {
    return this.#isOpen
  }

  get hasOpenCalls(): boolean {
    return this.#openCalls.size > 0
  }

  /** Call it before a message is sent. */
  sending(message: unknown): void {
    const frame = parseFrame(message)
    if (frame?.t === 'call') this.#openCalls.add(frame.id)
  }

  /** @returns whether it is an expected answer; events aren't */
  received(message: unknown): boolean {
    const frame = parseFrame(message)
    const isAnswer = (frame?.t === 'result' || frame?.t === 'error') && this.#openCalls.delete(frame.id)
    if (this.#isOpen) this.#deliver(message)
    return isAnswer
  }

  /** Open calls fail with HOST_WORKER_LOST. @returns false when it had already ended */
  end(reason: string): boolean {
    if (!this.#isOpen) return false
    this.#isOpen = false
    const lost = new HostError('HOST_WORKER_LOST', { worker: this.name, reason })
    for (const id of this.#openCalls) {
      this.#deliver({ t: 'error', id, code: lost.code, message: lost.message, data: lost.data } satisfies WireFrame)
    }
    this.#openCalls.clear()
    for (const listener of this.#closeListeners) listener(lost.message)
    return true
  }

  onMessage(listener: (message: unknown) => void): void {
    this.#deliver = listener
  }

  onClose(listener: (reason: string) => void): void {
    this.#closeListeners.push(listener)
  }
}
