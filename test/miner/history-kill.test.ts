// Charts and the ledger of money survive a kill -9: everything written stays, and a truncated write damages nothing.
import { fork } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { build } from 'vite'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Emitter } from '../../src/base/events'
import { createLogger, type LogRecord, silentLogger } from '../../src/base/logger'
import { FakeClock } from '../../src/base/testing/fake-clock'
import { JournalFile } from '../../src/files/journal-file'
import type { MinerEvents } from '../../src/miner/miner-service-options'
import { HistoryFile } from '../../src/miner/stats/history-file'
import { HistoryRecorder } from '../../src/miner/stats/history-recorder'
import { MoneyLedger } from '../../src/miner/stats/money-ledger'
import { aDevice } from './history/device'

const ROOT = resolve(import.meta.dirname, '../..')
const START = 1_800_000_000_000
const MINUTE = 60_000
const folder = mkdtempSync(join(tmpdir(), 'headframe-history-'))
const file = join(folder, 'history.bin')

const built = (name: string) =>
  build({
    configFile: false,
    logLevel: 'error',
    root: ROOT,
    ssr: { noExternal: true },
    build: {
      ssr: join(ROOT, `test/miner/history/${name}.ts`),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { format: 'es', entryFileNames: '[name].mjs' } },
    },
  })
beforeAll(async () => {
  await built('writer')
  await built('money-writer')
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Lets a process record minutes, and kills it while it writes. @returns up to when everything was on disk */
function writeAndKill(startAt: number, minutes: number): Promise<number> {
  const child = fork(join(folder, 'writer.mjs'), [file, String(startAt)])
  let told = 0
  let last = 0
  child.on('message', (savedUpTo) => {
    told += 1
    last = Number(savedUpTo)
    if (told === minutes) child.kill('SIGKILL')
    else child.send('another minute')
  })
  return new Promise((done, fail) => {
    child.on('exit', (_code, signal) =>
      signal === 'SIGKILL' ? done(last) : fail(new Error('the writer ended by itself')),
    )
  })
}

/** The hour before `at` as shown by a start after the kill. */
async function chart(at: number, records: LogRecord[]) {
  const log = createLogger('', { minLevel: 'debug', now: () => at, sink: { write: (record) => records.push(record) } })
  const recorder = new HistoryRecorder({ store: new HistoryFile(file), clock: new FakeClock(at), log })
  await recorder.load()
  return recorder.read(aDevice(1), { series: 'hashrate', window: '1h' })
}

it('has everything that was saved after each of six kills, and continues from there', async () => {
  const records: LogRecord[] = []
  let startAt = START
  let recorded = 0
  for (const minutes of [1, 2, 1, 3, 1, 2]) {
    const last = await writeAndKill(startAt, minutes)
    recorded += last - startAt
    const { values } = await chart(last, records)

    // Every five-second step of all runs so far has its value; in the minutes between them nothing ran.
    const known = values.filter((value) => value !== null)
    expect(known.length).toBeGreaterThanOrEqual(recorded / 5_000)
    expect(new Set(known)).toEqual(new Set([200]))
    expect(values.at(-1)).toBe(200)
    startAt = last + 2 * MINUTE
  }
  expect(records).toEqual([])
})

const LEDGER_RATE = 100
const ledgerFile = join(folder, 'money-main.jsonl')

/** Lets a process mine half minutes, and kills it while it writes. @returns up to when everything was on disk */
function mineAndKill(startAt: number, times: number): Promise<number> {
  const child = fork(join(folder, 'money-writer.mjs'), [ledgerFile, String(startAt)])
  let reports = 0
  let last = 0
  child.on('message', (savedUpTo) => {
    reports += 1
    last = Number(savedUpTo)
    if (reports === times) child.kill('SIGKILL')
    else child.send('again')
  })
  return new Promise((done, fail) => {
    child.on('exit', (_code, signal) =>
      signal === 'SIGKILL' ? done(last) : fail(new Error('the writer ended by itself')),
    )
  })
}

it('has every hash that was recorded before each of six kills', async () => {
  let startAt = START
  let recorded = 0
  for (const times of [1, 2, 1, 3, 1, 2]) {
    const last = await mineAndKill(startAt, times)
    // Half minutes, each counted from its first second.
    recorded += times * 29
    const ledger = new MoneyLedger({
      miner: {
        events: new Emitter<MinerEvents>(),
        snapshot: () => ({ source: { kind: 'none', host: '', difficulty: null } }),
      },
      worth: () => null,
      isHot: () => false,
      journal: new JournalFile(ledgerFile, silentLogger),
      clock: new FakeClock(last),
      log: silentLogger,
    })
    await ledger.start()
    const { sums } = ledger.read(0, Number.MAX_SAFE_INTEGER)
    await ledger.stop()

    expect(sums.sources['pool.example:1']?.hashes).toBe(recorded * LEDGER_RATE)
    startAt = last + 2 * MINUTE
  }
})
