// For test files that share one process: fails a file that leaves behind something the next one would see.
import { afterAll, expect, vi } from 'vitest'

const PROCESS_EVENTS = ['exit', 'SIGINT', 'SIGTERM', 'uncaughtException', 'unhandledRejection', 'warning'] as const

/** The addon sets it once for the process, so that an OpenCL library loads none of its plug-ins. */
const SET_BY_PROGRAM = new Set(['HWLOC_PLUGINS_PATH'])

/** solc's compiler adds one when it is loaded, which rethrows: an unhandled rejection still fails the run. */
const isSolcs = (listener: unknown): boolean => /^function \(reason\) \{ throw reason; \}$/.test(String(listener))

/** What all files of a process see and a test can change, by name. */
function shared(): ReadonlyMap<string, unknown> {
  return new Map<string, unknown>([
    ...Object.entries(process.env)
      .filter(([name]) => !SET_BY_PROGRAM.has(name))
      .map(([name, value]) => [`environment variable ${name}`, value] as const),
    ...PROCESS_EVENTS.map((name) => [`listeners of process ${name}`, listenersOf(name)] as const),
    ['working folder', process.cwd()],
    ['faked clock', vi.isFakeTimers()],
    ['Date', Date],
    ['Date.now', Date.now],
    ['Math.random', Math.random],
    ['performance.now', performance.now],
    ['setTimeout', setTimeout],
    ['setInterval', setInterval],
    ['fetch', globalThis.fetch],
    ['process.exit', process.exit],
    ['process.kill', process.kill],
  ])
}

function listenersOf(name: (typeof PROCESS_EVENTS)[number]): number {
  return process.rawListeners(name).filter((listener) => !isSolcs(listener)).length
}

const before = shared()

afterAll(() => {
  const after = shared()
  const names = new Set([...before.keys(), ...after.keys()])

  // Names only: an environment may contain what a log must not.
  const changed = [...names].filter((name) => before.get(name) !== after.get(name))

  expect(changed, 'left behind for the next test file').toEqual([])
})
