// The chart history: three windows per device and for the totals, kept across restarts.
import { z } from 'zod'
import { sealed, unsealed } from './history-file'
import { HistoryRing, type RingShape, usualValue } from './history-ring'
import { type HistoryQuery, type HistorySlice, type HistoryWindow, SERIES } from './snapshot'

const WINDOWS: Readonly<Record<HistoryWindow, { readonly stepMs: number; readonly points: number }>> = {
  '10m': { stepMs: 1_000, points: 600 },
  '1h': { stepMs: 5_000, points: 720 },
  '24h': { stepMs: 60_000, points: 1_440 },
  '7d': { stepMs: 900_000, points: 672 },
}
const NAMES = ['10m', '1h', '24h', '7d'] as const satisfies readonly HistoryWindow[]
const FORMAT = 'headframe-history-3'
/** A device not seen for this long is dropped from the file. */
const FORGET_MS = 7 * 24 * 3_600_000
/** Whole points of mining that a usual hashrate needs: half an hour. */
const MIN_USUAL_POINTS = { '24h': 30, '7d': 2 } as const
const MAX_HEADER_BYTES = 65_536

const headerSchema = z.object({
  format: z.literal(FORMAT),
  tracks: z.array(z.object({ key: z.string(), lastAt: z.number() })).max(256),
})

/** One value per series in the order of `SERIES`; null where unknown. */
export type SampleRow = readonly (number | null)[]

interface Track {
  lastAt: number
  readonly rings: readonly HistoryRing[]
}

/** The rings of all devices. */
export class History {
  readonly #tracks = new Map<string, Track>()

  /** @param key identifies the device, or the totals; @param at UTC ms */
  record(key: string, at: number, row: SampleRow): void {
    const track = this.#tracks.get(key) ?? { lastAt: at, rings: newRings() }
    this.#tracks.set(key, track)
    track.lastAt = at
    for (const ring of track.rings) ring.record(at, row)
  }

  /** All gaps for a key that was never recorded. @param now UTC ms, the right edge */
  read(key: string, now: number, { series, window }: Omit<HistoryQuery, 'device'>): HistorySlice {
    const position = NAMES.indexOf(window)
    const ring = this.#tracks.get(key)?.rings[position] ?? new HistoryRing(shapeOf(window))
    return { stepMs: WINDOWS[window].stepMs, ...ring.slice(now, SERIES.indexOf(series)) }
  }

  /**
   * Median hashrate while mining over the last day, or over the week of a device that hardly mined since; null while
   * less than half an hour is known.
   */
  usual(key: string, now: number): number | null {
    for (const window of ['24h', '7d'] as const) {
      const { values } = this.read(key, now, { series: 'hashrate', window })
      const rate = usualValue(values, MIN_USUAL_POINTS[window])
      if (rate !== null) return rate
    }
    return null
  }

  /** One JSON line, then the rings' bytes. @param now UTC ms */
  encode(now: number): Uint8Array {
    const kept = [...this.#tracks].filter(([, track]) => now - track.lastAt < FORGET_MS)
    const tracks = kept.map(([key, { lastAt }]) => ({ key, lastAt }))
    const rings = kept.flatMap(([, track]) => track.rings.map((ring) => ring.save()))
    return sealed({ format: FORMAT, tracks }, rings)
  }

  /** Restores what `encode` returned. False, with no change, for any other bytes. */
  decode(bytes: Uint8Array): boolean {
    const read = unsealed(bytes, headerSchema, MAX_HEADER_BYTES)
    if (read === null) return false
    const { header, body } = read
    const loaded = header.tracks.map(({ key, lastAt }) => ({ key, lastAt, rings: newRings() }))
    const rings = loaded.flatMap((track) => track.rings)
    if (rings.reduce((sum, ring) => sum + ring.byteLength, 0) !== body.length) return false
    let at = 0
    for (const ring of rings) {
      ring.load(body.subarray(at, at + ring.byteLength))
      at += ring.byteLength
    }
    for (const { key, ...track } of loaded) this.#tracks.set(key, track)
    return true
  }
}

function shapeOf(window: HistoryWindow): RingShape {
  return { ...WINDOWS[window], series: SERIES.length }
}

function newRings(): readonly HistoryRing[] {
  return NAMES.map((window) => new HistoryRing(shapeOf(window)))
}
