// Faults injected into the real program by a file that Node loads before it in every thread.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

export interface Faults {
  /** Adds a listener that throws to the first ones of this event, in the main thread. */
  readonly throwingListenerOf?: string
  /** On SIGUSR2 the main thread throws, or rejects a promise without a handler. */
  readonly atSignal?: 'throw' | 'reject'
  /** Thread whose calls of one name never end, or end it with an uncaught error. */
  readonly worker?: { readonly entry: string; readonly call: string; readonly does: 'loop' | 'throw' | 'reject' }
}

/** The message of the thrown error; a worker also writes it to standard error before its fault. */
export const FAULT = 'a fault from outside'

/** @returns the environment for a program with these faults */
export function environmentWith(faults: Faults, folder: string): { readonly NODE_OPTIONS: string } {
  const file = join(folder, 'faults.cjs')
  writeFileSync(file, `const faults = ${JSON.stringify(faults)}\nconst text = ${JSON.stringify(FAULT)}\n${PRELOAD}`)
  return { NODE_OPTIONS: `--require ${file}` }
}

const PRELOAD = `
const { isMainThread, parentPort } = require('node:worker_threads')
const Module = require('node:module')
const { basename } = require('node:path')
const processes = require('node:child_process')
const { writeSync } = require('node:fs')

const fail = {
  throw: () => queueMicrotask(() => { throw new Error(text) }),
  reject: () => void Promise.reject(new Error(text)),
  loop: () => { for (;;); },
}

if (isMainThread && faults.throwingListenerOf !== undefined) {
  const load = Module._extensions['.js']
  const seen = new Set()
  Module._extensions['.js'] = Module._extensions['.cjs'] = function (module, file) {
    load(module, file)
    for (const value of Object.values(module.exports)) {
      if (typeof value !== 'function' || value.name !== 'Emitter' || seen.has(value)) continue
      seen.add(value)
      const { emit } = value.prototype
      value.prototype.emit = function (event, payload) {
        if (event === faults.throwingListenerOf) {
          const listener = this.on(event, () => { throw new Error(text) })
          emit.call(this, event, payload)
          listener.dispose()
        } else emit.call(this, event, payload)
      }
    }
  }
}
if (isMainThread && faults.atSignal !== undefined) process.on('SIGUSR2', fail[faults.atSignal])
// The key worker is a process that gets none of the program's environment: it loads this file by its own words.
const isStarted = (entry) => faults.worker !== undefined && basename(entry ?? '') === faults.worker.entry
if (isMainThread && isStarted(process.argv[1])) {
  // It reads its channel into one place of its own.
  const net = require('node:net')
  net.Socket = class extends net.Socket {
    constructor(options) {
      const { onread } = options ?? {}
      const callback = (size, place) => {
        const isCalled = place.subarray(0, size).includes(JSON.stringify(faults.worker.call))
        if (isCalled) fail[faults.worker.does](writeSync(2, text + '\\n'))
        return onread.callback(size, place)
      }
      super(onread === undefined ? options : { ...options, onread: { ...onread, callback } })
    }
  }
} else if (isMainThread) {
  const { spawn } = processes
  processes.spawn = (file, args, options) => {
    if (!isStarted(args[0])) return spawn(file, args, options)
    const child = spawn(file, ['--require', __filename, ...args], options)
    child.stderr.pipe(process.stderr, { end: false })
    return child
  }
}
if (!isMainThread && faults.worker !== undefined) {
  const { on } = parentPort
  parentPort.on = (event, listener) => on.call(parentPort, event, event !== 'message' ? listener : (frame) => {
    // The worker's own file is known only after this one was loaded.
    if (frame?.name === faults.worker.call && basename(process.argv[1]) === faults.worker.entry) {
      writeSync(2, text + '\\n')
      fail[faults.worker.does]()
    }
    listener(frame)
  })
}
`
