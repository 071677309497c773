import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { expect, it } from 'vitest'
import { addonCandidates, loadAddon } from '../loader'
import { shareHeaps } from './system-calls'

const HERE = import.meta.dirname
const FILE = addonCandidates(HERE).find((path) => existsSync(path))
const usesGlibc =
  process.platform === 'linux' && JSON.stringify(process.report.getReport()).includes('glibcVersionRuntime')

/** Prints how many heaps of glibc a process got by starting threads that allocate: each is aligned to its 64 MiB. */
const SCRIPT = `
const { readFileSync } = require('node:fs')
const { Worker } = require('node:worker_threads')
const SIZE = 0x4000000
const heaps = () => {
  const maps = readFileSync('/proc/self/maps', 'utf8').split('\\n').map((line) => /^(\\w+)-(\\w+) (\\S+)/.exec(line))
  const spans = maps.filter(Boolean).map(([, from, to, mode]) => ({ from: parseInt(from, 16), to: parseInt(to, 16), mode }))
  return spans.filter(({ from, to, mode }, index) => {
    const rest = spans[index + 1]
    return from % SIZE === 0 && mode === 'rw-p' && rest?.mode === '---p' && rest.from === to && rest.to === from + SIZE
  }).length
}
if (process.argv[2] !== '0') require(process.argv[1]).shareHeaps(Number(process.argv[2]))
const before = heaps()
const workers = Array.from({ length: 3 }, () => new Worker("setInterval(() => {}, 1e6)", { eval: true }))
Promise.all(workers.map((worker) => new Promise((done) => worker.once('online', done)))).then(() => {
  console.log(heaps() - before)
  process.exit()
})
`

function newHeaps(most: number): number {
  const { stdout, stderr } = spawnSync(process.execPath, ['-e', SCRIPT, FILE ?? '', `${most}`], { encoding: 'utf8' })
  if (stdout === '') throw new Error(stderr)
  return Number(stdout)
}

it.runIf(usesGlibc && FILE !== undefined)('gives later threads no heap of their own once heaps are shared', () => {
  expect(newHeaps(0)).toBeGreaterThanOrEqual(3)
  expect(newHeaps(1)).toBe(0)
})

it.runIf(FILE !== undefined)('wants a count', () => {
  const loaded = loadAddon({ searchFrom: HERE })
  expect(() => 'addon' in loaded && loaded.addon.shareHeaps?.(0)).toThrow('a count of heaps expected')
})

it('does nothing without the addon', () => {
  process.env.HEADFRAME_NO_ADDON = '1'
  try {
    expect(() => shareHeaps(2, HERE)).not.toThrow()
  } finally {
    delete process.env.HEADFRAME_NO_ADDON
  }
})
