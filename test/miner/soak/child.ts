// The receiving end of the driver's requests, in a process that it started.
import type { Answer, Request } from './messages'

/** Answers requests one after another; exits when the driver is gone. */
export function answerDriver<Ask>(answer: (ask: Ask) => Promise<unknown>): void {
  let tail: Promise<void> = Promise.resolve()
  const one = async ({ number, ask }: Request<Ask>): Promise<void> => {
    tell({ number, value: (await answer(ask)) ?? null })
  }
  process.on('message', (request: Request<Ask>) => {
    tail = tail.then(() => one(request)).catch(fail)
  })
  process.on('disconnect', () => process.exit(0))
}

/** Number 0: the process is ready. */
export function tellReady(value: unknown): void {
  tell({ number: 0, value })
}

function tell(answer: Answer): void {
  process.send?.(answer)
}

function fail(error: unknown): void {
  console.error(error)
  process.exit(1)
}
