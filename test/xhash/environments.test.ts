// The addon in several Node environments of one process: workers beside the main thread, and their sudden termination.
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { describe, expect, it } from 'vitest'
import { addon, skipReason } from './addon'

const addonPath = fileURLToPath(new URL('../../native/build/Release/headframe.node', import.meta.url))

/** Plain JavaScript for a worker or a process: a small dataset, a search that posts how many hits it saw. */
const searching = (after: string): string => `
  const addon = require(${JSON.stringify(addonPath)})
  const main = async () => {
    const cache = await addon.createCache(new Uint8Array(32), 64 * 4093, '')
    const dataset = await addon.startDataset(cache, 128 * 8191, 2).ready
    let hits = 0
    const search = addon.createSearch(2, () => { hits++ }, () => {})
    addon.setSearchDataset(search, dataset)
    const target = new Uint8Array(32).fill(255)
    target[0] = 1
    addon.setSearchJob(search, 1, new Uint8Array(32), target, { startNonce: 0n, segmentBits: 50 })
    while (hits < 100) await new Promise((resolve) => setTimeout(resolve, 1))
    const light = await addon.hashLight(cache, 128 * 8191, new Uint8Array(32), 5n)
    const digest = Buffer.from(light).toString('hex')
    ${after}
  }
  main()`

function runWorker(after: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const worker = new Worker(searching(after), { eval: true })
    worker.once('message', (message: unknown) => {
      if (after.includes('stay')) worker.terminate().then(() => resolve(message), reject)
      else worker.once('exit', () => resolve(message))
    })
    worker.once('error', reject)
  })
}

const post = `require('node:worker_threads').parentPort.postMessage(digest);`

describe.skipIf(addon === null)(`environments${skipReason}`, () => {
  it('works in several workers at once, which close properly', async () => {
    const digests = await Promise.all(
      Array.from({ length: 3 }, () => runWorker(`await addon.closeSearch(search); ${post}`)),
    )

    expect(new Set(digests).size).toBe(1)
    expect(digests[0]).toMatch(/^[0-9a-f]{128}$/)
  })

  it('joins its threads if workers are terminated during searches, builds and checks', async () => {
    const busy = `
      addon.startDataset(cache, 128 * 2 ** 20, 2)
      for (let i = 0; i < 50; i++) addon.hashLight(cache, 128 * 8191, new Uint8Array(32), BigInt(i))
      addon.createCache(new Uint8Array(32), 2 ** 24, '')
      /* stay */ ${post}`

    const digests = await Promise.all(Array.from({ length: 4 }, () => runWorker(busy)))

    expect(new Set(digests).size).toBe(1)
  })

  it.each(['process.exit(7)', 'setTimeout(() => process.exit(7), 5)'])(
    "doesn't keep a process alive while it searches: %s",
    (end) => {
      const child = spawnSync(process.execPath, ['-e', searching(end)], { encoding: 'utf8', timeout: 240_000 })

      expect({ status: child.status, stderr: child.stderr }).toEqual({ status: 7, stderr: '' })
    },
  )

  it('keeps the event loop alive while a search is open, and no longer', () => {
    const child = spawnSync(
      process.execPath,
      ['-e', searching('await addon.closeSearch(search); console.log(digest)')],
      {
        encoding: 'utf8',
        timeout: 240_000,
      },
    )

    expect(child.status).toBe(0)
    expect(child.stdout).toMatch(/^[0-9a-f]{128}\n$/)
  })
})
