import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { createLogger, type LogRecord } from '../../base/logger'
import { FakeClock } from '../../base/testing/fake-clock'
import { History } from './history'
import { HistoryFile, type HistoryStore } from './history-file'
import { HistoryRecorder } from './history-recorder'

const NOW = 1_700_000_040_000 // a whole minute
const row = (hashrate: number | null) => [hashrate, null, null, null, null, null, null, null]
const query = { series: 'hashrate', window: '10m' } as const

const folders: string[] = []
afterEach(async () => {
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

async function temporaryFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'headframe-history-'))
  folders.push(folder)
  return join(folder, 'history')
}

describe('the rings', () => {
  it('end now, oldest first, with null where nothing was recorded', () => {
    const history = new History()
    history.record('a', NOW - 3_000, row(1))
    history.record('a', NOW, row(3))

    const slice = history.read('a', NOW, query)

    expect(slice).toMatchObject({ stepMs: 1_000, firstAt: NOW - 599_000 })
    expect(slice.values.slice(-4)).toEqual([1, null, null, 3])
    expect(slice.values).toHaveLength(600)
  })

  it('keep mean, lowest and highest of a longer point', () => {
    const history = new History()
    for (const [i, value] of [10, 20, 60].entries()) history.record('a', NOW + i * 1_000, row(value))

    const { values, min, max, stepMs } = history.read('a', NOW + 3_000, { series: 'hashrate', window: '1h' })

    expect([stepMs, values.length]).toEqual([5_000, 720])
    expect([values.at(-1), min.at(-1), max.at(-1)]).toEqual([30, 10, 60])
    expect(history.read('a', NOW + 3_000, { series: 'hashrate', window: '24h' }).values).toHaveLength(1_440)
  })

  it('forget what is older than the window', () => {
    const history = new History()
    history.record('a', NOW - 600_000, row(1))
    history.record('a', NOW, row(2))

    expect(history.read('a', NOW, query).values.filter((value) => value !== null)).toEqual([2])
    expect(history.read('a', NOW, { ...query, window: '1h' }).values.filter((value) => value !== null)).toEqual([1, 2])
  })

  it('survive a wall clock that jumps back and forth', () => {
    const history = new History()
    history.record('a', NOW, row(1))
    history.record('a', NOW - 7_300_500, row(5))
    history.record('a', NOW + 1_000, row(2))

    expect(history.read('a', NOW + 1_000, query).values.slice(-2)).toEqual([1, 2])
  })

  it('show an unknown key and an unknown sensor as a gap', () => {
    const history = new History()
    history.record('a', NOW, row(1))

    expect(history.read('b', NOW, query).values.every((value) => value === null)).toBe(true)
    expect(history.read('a', NOW, { series: 'core', window: '10m' }).values.every((value) => value === null)).toBe(true)
  })
})

describe('the file', () => {
  it('restores everything', () => {
    const before = new History()
    before.record('a', NOW, row(1.5))
    before.record('b', NOW, row(2.5))
    const after = new History()

    expect(after.decode(before.encode(NOW))).toBe(true)
    expect(after.read('a', NOW, query)).toEqual(before.read('a', NOW, query))
    after.record('a', NOW + 1_000, row(9))
    expect(after.read('a', NOW + 1_000, query).values.slice(-2)).toEqual([1.5, 9])
  })

  it('omits devices that were gone for a week', () => {
    const before = new History()
    before.record('old', NOW - 169 * 3_600_000, row(1))
    before.record('new', NOW, row(1))
    const full = before.encode(NOW)

    expect(Buffer.from(full).toString('latin1', 0, 300)).not.toContain('"old"')
  })

  it('is rejected if it is damaged anywhere', () => {
    const history = new History()
    history.record('a', NOW, row(1))
    const good = Buffer.from(history.encode(NOW))
    const flipped = Buffer.from(good)
    flipped[good.length - 5] = (flipped[good.length - 5] ?? 0) ^ 1

    for (const bad of [
      flipped,
      good.subarray(0, good.length - 1),
      Buffer.concat([good, Buffer.of(0)]),
      Buffer.alloc(0),
      Buffer.from('{}\n'),
      Buffer.from('no json\n'),
      Buffer.from('{"format":"headframe-history-1","sha256":"","tracks":[{"key":"x","lastAt":1}]}\n'),
    ]) {
      expect(new History().decode(bad)).toBe(false)
    }
  })
})

describe('the recorder', () => {
  function recorder(store: HistoryStore | null) {
    const clock = new FakeClock(NOW)
    const warnings: LogRecord[] = []
    const log = createLogger('', {
      minLevel: 'warn',
      now: () => 0,
      sink: { write: (line) => void warnings.push(line) },
    })
    return { recorder: new HistoryRecorder({ store, clock, log }), clock, warnings }
  }

  it('ignores a broken file with a warning and replaces it', async () => {
    const path = await temporaryFile()
    await writeFile(path, 'garbage')
    const { recorder: broken, warnings } = recorder(new HistoryFile(path))

    await broken.load()
    broken.record([])
    await broken.save()

    expect(warnings.map(({ message }) => message)).toEqual(['history file is broken and was ignored'])
    const next = recorder(new HistoryFile(path))
    await next.recorder.load()
    expect(next.warnings).toEqual([])
    expect(next.recorder.read(null, query).values.at(-1)).toBe(0)
  })

  it('writes once a minute and leaves no temporary file', async () => {
    const path = await temporaryFile()
    const saves: number[] = []
    const file = new HistoryFile(path)
    const { recorder: minutes, clock } = recorder({
      load: () => file.load(),
      save: async (bytes) => {
        saves.push(clock.monotonic())
        await file.save(bytes)
      },
    })
    await minutes.load()

    for (let second = 1; second <= 150; second++) {
      clock.advance(1_000)
      minutes.record([])
    }
    await minutes.save()

    expect(saves).toHaveLength(3)
    expect(await readdir(join(path, '..'))).toEqual(['history'])
  })

  it("continues if the file can't be written", async () => {
    const { recorder: stuck, warnings } = recorder({
      load: async () => null,
      save: async () => {
        throw new Error('disk full')
      },
    })
    await stuck.load()

    await stuck.save()

    expect(warnings).toMatchObject([{ fields: { error: 'disk full' } }])
  })
})

describe('a week', () => {
  const QUARTER = 900_000

  it('is kept by device in steps of a quarter of an hour, through a restart', () => {
    const before = new History()
    for (let n = 0; n < 672; n++) before.record('a', NOW - (671 - n) * QUARTER, row(n))
    const after = new History()
    after.decode(before.encode(NOW))
    const { values, stepMs } = after.read('a', NOW, { series: 'hashrate', window: '7d' })
    expect([stepMs, values.length, values[0], values.at(-1)]).toEqual([QUARTER, 672, 0, 671])
  })

  it('tells the usual rate: the median while mining of the last day, else of the week, else none', () => {
    const history = new History()
    expect(history.usual('a', NOW)).toBeNull()
    for (let minute = 0; minute < 60; minute++) history.record('a', NOW + minute * 60_000, row(minute < 20 ? 0 : 100))
    expect(history.usual('a', NOW + 60 * 60_000)).toBe(100)
    expect(history.usual('a', NOW + 3 * 86_400_000)).toBe(100)
    expect(history.usual('a', NOW + 8 * 86_400_000)).toBeNull()
  })

  it('has no usual rate from points that hold seconds: the first of a device is often a burst', () => {
    const history = new History()
    const start = NOW + QUARTER - (NOW % QUARTER) - 20_000 // a quarter of an hour begins 20 s later
    const at = (second: number): number => start + second * 1_000
    for (let second = 0; second < 3_600; second++) {
      history.record('a', at(second), row(second < 3 ? 32_000 : 8))
      const isEarly = second <= 1_820
      if (second % 60 === 0) expect(history.usual('a', at(second)), `second ${second}`).toBe(isEarly ? null : 8)
    }
  })
})
