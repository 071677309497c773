// Runs long TypeScript computations in slices of at most 4 ms, one slice per turn of the event loop,
// so that the host stays responsive however many run at once.
import { performance } from 'node:perf_hooks'

const SLICE_MS = 4

/** Runs one small step; false when done. */
type Task = () => boolean

interface SliceOptions {
  /** at most ten times a second, and once at the end with 1 */
  readonly onProgress?: ((fraction: number) => void) | undefined
  /** rejects with its reason at the next slice */
  readonly signal?: AbortSignal | undefined
}

/** Alternates between its tasks. A turn ends after 4 ms plus at most one step (under 1 ms here). */
export class Slices {
  readonly #tasks: Task[] = []
  #scheduled = false

  /** Runs a generator to its end; what it yields is the fraction done (0..1). Errors and aborts reject. */
  run<T>(steps: Generator<number, T, void>, options: SliceOptions = {}): Promise<T> {
    return new Promise((resolve, reject) => {
      let reportedAt = performance.now()
      this.add(() => {
        if (options.signal?.aborted === true) {
          reject(options.signal.reason)
          return false
        }
        try {
          const step = steps.next()
          if (step.done === true) {
            options.onProgress?.(1)
            resolve(step.value)
            return false
          }
          if (options.onProgress !== undefined && performance.now() - reportedAt > 100) {
            reportedAt = performance.now()
            options.onProgress(step.value)
          }
          return true
        } catch (error: unknown) {
          reject(error)
          return false
        }
      })
    })
  }

  add(task: Task): void {
    this.#tasks.push(task)
    this.#schedule()
  }

  #schedule(): void {
    if (this.#scheduled || this.#tasks.length === 0) return
    this.#scheduled = true
    setImmediate(() => {
      this.#scheduled = false
      this.#turn()
      this.#schedule()
    })
  }

  #turn(): void {
    const task = this.#tasks.shift()
    if (task === undefined) return
    const end = performance.now() + SLICE_MS
    while (task()) {
      if (performance.now() >= end) {
        this.#tasks.push(task)
        return
      }
    }
  }
}
