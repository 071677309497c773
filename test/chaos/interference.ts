// What a chaos run does inside the program: a file that Node preloads in every thread. It shifts the wall clock or
// speeds it up, ends a worker thread on command, and in a sabotaged program breaks what should keep shares and
// transactions safe.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export class Interference {
  readonly #clockFile: string
  readonly #orderFile: string
  readonly #preload: string
  readonly #rate: number
  readonly #from = Date.now()

  /**
   * @param folder where its files lie; not the one of the program
   * @param options `rate`: how much faster its wall clock runs; `isSabotaged`: each share goes out twice, and nothing is written into
   *   the journal of transactions
   */
  constructor(
    folder: string,
    { rate = 1, isSabotaged = false }: { readonly rate?: number; readonly isSabotaged?: boolean } = {},
  ) {
    this.#clockFile = join(folder, 'clock')
    this.#orderFile = join(folder, 'order')
    this.#preload = join(folder, 'interference.cjs')
    this.#rate = rate
    const text = preloadText(this.#clockFile, this.#orderFile)
    writeFileSync(this.#preload, isSabotaged ? `${text}${SABOTAGE}` : text)
    this.setClock(0)
  }

  /** For a program that has it. */
  get environment(): { readonly NODE_OPTIONS: string } {
    return { NODE_OPTIONS: `--require ${this.#preload}` }
  }

  /** From a fifth of a second on; durations and timers don't change. @param offsetMs ahead of where it would be */
  setClock(offsetMs: number): void {
    writeFileSync(this.#clockFile, `${offsetMs} ${this.#rate} ${this.#from}`)
  }

  /** How long the run was on the program's clock, in ms. */
  get passedMs(): number {
    return (Date.now() - this.#from) * this.#rate
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

let clock = [0, 1, 0]
const readClock = () => {
  const read = readFileSync(${JSON.stringify(clockFile)}, 'utf8').split(' ').map(Number)
  if (read.length === 3 && read[2] > 0) clock = read
}
readClock()
const { now } = Date
Date.now = () => {
  const [offset, rate, from] = clock
  return Math.round(from + (now() - from) * rate + offset)
}
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

const SABOTAGE = `
const fs = require('node:fs')
const { Socket } = require('node:net')

const { write } = Socket.prototype
Socket.prototype.write = function (data, ...rest) {
  if (/"mining.submit"/.test(String(data))) write.call(this, data)
  return write.call(this, data, ...rest)
}
const { writeSync } = fs
fs.writeSync = (descriptor, data, ...rest) => {
  const isJournal = /transactions\\.journal$/.test(fs.readlinkSync('/proc/self/fd/' + descriptor))
  return isJournal ? Buffer.byteLength(data) : writeSync(descriptor, data, ...rest)
}
`
