// Chart data of one rig since monitoring began: totals of an hour and a day, and each GPU's last hour.
import { z } from 'zod'
import { sealed, unsealed } from '../stats/history-file'
import { HistoryRing, type RingShape, usualValue } from '../stats/history-ring'
import type { HistorySlice } from '../stats/snapshot'
import type { RigFigures, RigGpu } from './rig-figures'

/** Window of a rig's chart. */
export type RigWindow = '1h' | '24h'

const RIG_SERIES = ['hashrate', 'power', 'hottest'] as const
const GPU_SERIES = ['hashrate', 'core', 'hotspot', 'memory', 'fan', 'power'] as const
/** Series of a rig's chart. */
export type RigSeries = (typeof RIG_SERIES)[number]
/** Series of a GPU's chart. */
export type RigGpuSeries = (typeof GPU_SERIES)[number]

type Shapes = Readonly<Record<RigWindow, Omit<RingShape, 'series'>>>

/** How much is stored per rig: `coarse` takes a fortieth of the memory and has no per-GPU data. */
type RecordDetail = 'fine' | 'coarse'

const DETAILS: Readonly<
  Record<RecordDetail, { readonly shapes: Shapes; readonly maxGpus: number; readonly minPoints: number }>
> = {
  fine: {
    shapes: { '1h': { stepMs: 15_000, points: 240 }, '24h': { stepMs: 180_000, points: 480 } },
    // A rig with more GPUs is charted as a whole only, so that a bogus answer can't fill memory.
    maxGpus: 32,
    // With less than half an hour there is no usual value yet.
    minPoints: 10,
  },
  coarse: {
    shapes: { '1h': { stepMs: 120_000, points: 30 }, '24h': { stepMs: 1_800_000, points: 48 } },
    maxGpus: 0,
    minPoints: 2,
  },
}
/** A reading is valid until the next one, unless that is later than this many intervals: then there is a gap. */
const HELD_INTERVALS = 3

type Row = readonly (number | null)[]

/** Shares are counted over this time, and noted this far apart. */
const RECENT_MS = 600_000
const NOTED_MS = 30_000

type Counts = Pick<RigFigures['shares'], 'accepted' | 'rejected'>

interface Reading {
  /** UTC ms */
  readonly at: number
  readonly rig: Row
  readonly gpus: readonly Row[]
}

/** The record of one rig. */
export class RigRecord {
  readonly #detail: (typeof DETAILS)[RecordDetail]
  readonly #rig: Readonly<Record<RigWindow, HistoryRing>>
  readonly #gpus: HistoryRing[] = []
  #usual: number | null = null
  #usualSlot = Number.NaN
  #last: Reading | null = null
  /** What the rig had counted, oldest first, at UTC ms. */
  #noted: readonly (Counts & { readonly at: number })[] = []
  #recent: Counts = { accepted: 0, rejected: 0 }

  constructor(
    private readonly intervalMs: number,
    detail: RecordDetail = 'fine',
  ) {
    this.#detail = DETAILS[detail]
    this.#rig = { '1h': this.#ring('1h', RIG_SERIES.length), '24h': this.#ring('24h', RIG_SERIES.length) }
  }

  /** @param at UTC ms at which the figures arrived */
  add(at: number, figures: RigFigures): void {
    const last = this.#last
    const heldMs = Math.max(this.intervalMs, this.#detail.shapes['1h'].stepMs) * HELD_INTERVALS
    if (last !== null && at - last.at <= heldMs) this.#each(last, (ring, row) => hold(ring, last.at, at, row))
    const gpus = figures.gpus.slice(0, this.#detail.maxGpus).map(rowOfGpu)
    this.#last = { at, rig: rowOfRig(figures), gpus }
    this.#each(this.#last, (ring, row) => ring.record(at, row))
    this.#count(at, figures.shares)
    const slot = Math.floor(at / this.#detail.shapes['24h'].stepMs)
    if (slot === this.#usualSlot) return
    this.#usualSlot = slot
    this.#usual = usualValue(this.#rig['24h'].slice(at, 0).values, this.#detail.minPoints)
  }

  /** In the last ten minutes, as far as they were watched; nothing right after a restart of the rig. */
  recentShares(): Counts {
    return this.#recent
  }

  #count(at: number, { accepted, rejected }: Counts): void {
    const isSameRun = this.#noted.every((one) => one.at <= at && one.accepted <= accepted && one.rejected <= rejected)
    const kept = isSameRun ? this.#noted.filter((one) => at - one.at <= RECENT_MS) : []
    const [first = { accepted, rejected }] = kept
    this.#recent = { accepted: accepted - first.accepted, rejected: rejected - first.rejected }
    const last = kept.at(-1)
    this.#noted = last !== undefined && at - last.at < NOTED_MS ? kept : [...kept, { at, accepted, rejected }]
  }

  /** Median hashrate over the last 24 h while mining; null while too little is known. */
  usual(): number | null {
    return this.#usual
  }

  /** All gaps when nothing was recorded. @param now UTC ms, the right edge */
  rig(now: number, series: RigSeries, window: RigWindow): HistorySlice {
    return { stepMs: this.#detail.shapes[window].stepMs, ...this.#rig[window].slice(now, RIG_SERIES.indexOf(series)) }
  }

  /** The last hour of one GPU. @param index its position in the rig's list */
  gpu(now: number, index: number, series: RigGpuSeries): HistorySlice {
    const ring = this.#gpus[index] ?? this.#ring('1h', GPU_SERIES.length)
    return { stepMs: this.#detail.shapes['1h'].stepMs, ...ring.slice(now, GPU_SERIES.indexOf(series)) }
  }

  /** The last day; `restore` of a record with the same detail takes it. */
  save(): Uint8Array {
    return this.#rig['24h'].save()
  }

  /** @param now UTC ms @returns false, with no change: it is of another detail */
  restore(day: Uint8Array, now: number): boolean {
    const ring = this.#rig['24h']
    if (day.length !== ring.byteLength) return false
    ring.load(day)
    this.#usual = usualValue(ring.slice(now, 0).values, this.#detail.minPoints)
    return true
  }

  #each({ rig, gpus }: Reading, record: (ring: HistoryRing, row: Row) => void): void {
    for (const ring of Object.values(this.#rig)) record(ring, rig)
    gpus.forEach((row, index) => {
      const ring = this.#gpus[index] ?? this.#ring('1h', GPU_SERIES.length)
      this.#gpus[index] = ring
      record(ring, row)
    })
  }

  #ring(window: RigWindow, series: number): HistoryRing {
    return new HistoryRing({ ...this.#detail.shapes[window], series })
  }
}

/** The public API reports 0 for a missing sensor. */
const known = (value: number): number | null => (value > 0 ? value : null)

/** The highest temperature of any GPU in Celsius; null when none is reported. */
function hottest(gpus: readonly RigGpu[]): number | null {
  const told = gpus.flatMap(({ temperature }) => Object.values(temperature).filter((celsius) => celsius > 0))
  return told.length === 0 ? null : Math.max(...told)
}

function rowOfRig({ hashrate, powerWatts, gpus }: RigFigures): Row {
  return [hashrate.now, known(powerWatts), hottest(gpus)]
}

function rowOfGpu({ hashrate, temperature, fanPercent, powerWatts }: RigGpu): Row {
  const { core, hotspot, memory } = temperature
  return [hashrate.now, known(core), known(hotspot), known(memory), known(fanPercent), known(powerWatts)]
}

/** Writes one reading to all points until the next one. */
function hold(ring: HistoryRing, from: number, to: number, row: Row): void {
  const { stepMs } = ring.shape
  for (let slot = Math.floor(from / stepMs) + 1; slot < Math.floor(to / stepMs); slot++) ring.record(slot * stepMs, row)
}

const FORMAT = 'headframe-rigs-1'
const MAX_HEADER_BYTES = 4 * 1_048_576
const headerSchema = z.object({
  format: z.literal(FORMAT),
  rigs: z.array(z.object({ name: z.string(), bytes: z.number().int().positive() })),
})

/** The rigs' last day. @param records by what names their rig */
export function encodeRecords(records: ReadonlyMap<string, Pick<RigRecord, 'save'>>): Uint8Array {
  const days = [...records].map(([name, record]) => ({ name, day: record.save() }))
  const rigs = days.map(({ name, day }) => ({ name, bytes: day.length }))
  return sealed(
    { format: FORMAT, rigs },
    days.map(({ day }) => day),
  )
}

/** What `encodeRecords` was given; null for any other bytes. */
export function decodeRecords(bytes: Uint8Array): ReadonlyMap<string, Uint8Array> | null {
  const read = unsealed(bytes, headerSchema, MAX_HEADER_BYTES)
  if (read === null) return null
  const { header, body } = read
  const found = new Map<string, Uint8Array>()
  let at = 0
  for (const { name, bytes: length } of header.rigs) {
    found.set(name, body.subarray(at, at + length))
    at += length
  }
  return at === body.length ? found : null
}
