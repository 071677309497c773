// What a chaos run does inside the program: a file that Node loads before it in every thread. It shifts the wall clock, and ends a
// worker thread when told to.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class Interference {
  readonly #clockFile: string
  readonly #orderFile: string
  readonly #preload: string

  /** @param folder where its files lie; not the one of the program */
  constructor(folder: string) {
    this.#clockFile = join(folder, 'clock')
    this.#orderFile = join(folder, 'order')
    this.#preload = join(folder, 'interference.cjs')
    writeFileSync(this.#preload, preloadText(this.#clockFile, this.#orderFile))
    this.setClock(0)
  }

  /** Of a program that has it. */
  get environment(): { readonly NODE_OPTIONS: string } {
    return { NODE_OPTIONS: `--require ${this.#preload}` }
  }

  /** From a fifth of a second on; durations and timers don't change. @param offsetMs ahead of the true time */
  setClock(offsetMs: number): void {
    writeFileSync(this.#clockFile, String(offsetMs))
  }

  /** @param entry file name of its program, as `chain-worker.cjs` @param pid of the program */
  endWorker(entry: string, pid: number): void {
    writeFileSync(this.#orderFile, entry)
    process.kill(pid, 'SIGUSR2')
  }
}

const preloadText = (clockFile: string, orderFile: string): string => `
const threads = require('node:worker_threads')
const { readFileSync } = require('node:fs')
const { basename } = require('node:path')

let offset = 0
const readClock = () => { offset = Number(readFileSync(${JSON.stringify(clockFile)}, 'utf8')) || 0 }
readClock()
const { now } = Date
Date.now = () => now() + offset
setInterval(readClock, 200).unref()

if (threads.isMainThread) {
  const live = new Set()
  const { Worker } = threads
  threads.Worker = class extends Worker {
    constructor(file, options) {
      super(file, options)
      const entry = { name: basename(String(file)), worker: this }
      live.add(entry)
      this.once('exit', () => live.delete(entry))
    }
  }
  process.on('SIGUSR2', () => {
    const name = readFileSync(${JSON.stringify(orderFile)}, 'utf8')
    for (const entry of live) if (entry.name === name) { void entry.worker.terminate(); return }
  })
}
`
