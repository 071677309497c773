// Logs progress of work that takes minutes on a slow computer and is silent itself.
const EVERY_MS = 15_000

/**
 * Does `work`; while it lasts, `log` hears how long it has been, and how far it is.
 * @template T
 * @param {{ name: string, log: (line: string) => void, howFar: () => string }} what `howFar`: behind the time, as "210 of 480 packages"
 * @param {() => Promise<T>} work
 * @returns {Promise<T>}
 */
export async function withProgress({ name, log, howFar }, work) {
  const from = performance.now()
  const timer = setInterval(() => {
    const seconds = Math.round((performance.now() - from) / 1_000)
    log(`${name}: ${seconds} s, ${howFar()}`)
  }, EVERY_MS)
  try {
    return await work()
  } finally {
    clearInterval(timer)
  }
}
