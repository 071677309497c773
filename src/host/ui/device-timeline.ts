// What charts show beside values: when a device did not mine and why, and what became of its shares. Watched from the start on
// and kept for a day, so that a page that opens later sees it too.
import { Disposables } from '../../base/lifecycle'
import type { Clock } from '../../base/time'
import type { TimelineMark, TimelineSpan, TimelineView } from '../../contract/miner'
import type { MinerService } from '../../miner/miner-service'
import type { DeviceSnapshot, HistoryWindow, MinerSnapshot, SettledShare } from '../../miner/snapshot'

const MINUTE_MS = 60_000
const WINDOW_MS: Readonly<Record<HistoryWindow, number>> = {
  '10m': 10 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '24h': 1_440 * MINUTE_MS,
}
const KEPT_MS = WINDOW_MS['24h']
/** Marks of one kind nearer than this are one: a chart has no room for more. */
const SLOTS = 240
/** Per device; the oldest go first. */
const MOST_SPANS = 500
const MOST_MARKS = 4_000
/** Accepted shares are counted in slots of this length from the beginning, since there may be several a second. */
const ACCEPTED_SLOT_MS = WINDOW_MS['10m'] / SLOTS

type Mark = TimelineMark
/** `to` null = it lasts. */
type Span = TimelineSpan

interface Track {
  spans: Span[]
  marks: Mark[]
  restarts: number
}

export type TimelineSource = Pick<MinerService, 'events'>

export class DeviceTimeline {
  readonly #tracks = new Map<number, Track>()
  #epochs: Mark[] = []
  #epoch: number | null = null

  constructor(private readonly clock: Clock) {}

  /** Watches until disposed. */
  watch({ events }: TimelineSource): Disposables {
    const held = new Disposables()
    const look = (devices: readonly DeviceSnapshot[]): void => {
      for (const device of devices) this.#device(device)
    }
    held.add(events.on('devicesChanged', look))
    held.add(events.on('shareSettled', (share) => this.#share(share)))
    held.add(events.on('statusChanged', (status) => this.#status(status)))
    return held
  }

  /** Spans that touch the window and marks within it, both oldest first. */
  read(device: number, window: HistoryWindow): TimelineView {
    const since = this.clock.now() - WINDOW_MS[window]
    const track = this.#tracks.get(device)
    const spans = (track?.spans ?? []).filter(({ to }) => to === null || to >= since)
    const marks = [...(track?.marks ?? []), ...this.#epochs].filter(({ at }) => at >= since)
    return { spans, marks: merged(marks, WINDOW_MS[window] / SLOTS) }
  }

  #track(device: number): Track {
    const known = this.#tracks.get(device)
    if (known !== undefined) return known
    const made: Track = { spans: [], marks: [], restarts: 0 }
    this.#tracks.set(device, made)
    return made
  }

  #device(device: DeviceSnapshot): void {
    const track = this.#track(device.index)
    const found = idleOf(device)
    const last = track.spans[track.spans.length - 1]
    const open = last?.to === null ? last : null
    if (device.restarts > track.restarts) this.#mark(track, { kind: 'restart', at: device.takenAt, count: 1, text: '' })
    track.restarts = device.restarts
    if (open !== null && open.kind === found?.kind && open.reason === found.reason) return
    if (open !== null) track.spans = [...track.spans.slice(0, -1), { ...open, to: device.takenAt }]
    if (found === null) return
    const oldest = device.takenAt - KEPT_MS
    const kept = track.spans.filter(({ to }) => to === null || to >= oldest).slice(1 - MOST_SPANS)
    track.spans = [...kept, { ...found, from: device.takenAt, to: null }]
  }

  #share({ device, at, outcome, reason }: SettledShare): void {
    const track = this.#track(device)
    const kind = outcome === 'failed' ? 'failed' : 'rejected'
    if (outcome === 'accepted') this.#accepted(track, at)
    else this.#mark(track, { kind, at, count: 1, text: reason === '' ? outcome : reason })
  }

  #accepted(track: Track, at: number): void {
    const last = track.marks.length - 1
    const before = track.marks[last]
    const isNear = before?.kind === 'accepted' && at - before.at < ACCEPTED_SLOT_MS
    if (isNear) track.marks[last] = { ...before, count: before.count + 1 }
    else this.#mark(track, { kind: 'accepted', at, count: 1, text: '' })
  }

  #mark(track: Track, mark: Mark): void {
    track.marks.push(mark)
    if (track.marks.length > MOST_MARKS) track.marks = track.marks.slice(-MOST_MARKS / 2)
  }

  #status({ source: { epoch }, takenAt }: MinerSnapshot): void {
    if (epoch === null || epoch === this.#epoch) return
    // The first epoch of a start is no change.
    if (this.#epoch !== null)
      this.#epochs = [
        ...this.#epochs.slice(1 - MOST_SPANS),
        { kind: 'epoch', at: takenAt, count: 1, text: String(epoch) },
      ]
    this.#epoch = epoch
  }
}

/** Why a device does not mine, where it is worth a band; null while it mines, or waits for work. */
function idleOf({ paused, pauseReasons, state, error }: DeviceSnapshot): Pick<Span, 'kind' | 'reason'> | null {
  if (state === 'error') return { kind: 'error', reason: error }
  if (paused) return { kind: 'paused', reason: pauseReasons.join('; ') }
  return state === 'building' ? { kind: 'building', reason: '' } : null
}

/** Neighbours of one kind and text as one mark at the time of the first. */
function merged(marks: readonly Mark[], slotMs: number): Mark[] {
  const found = new Map<string, Mark>()
  for (const mark of marks) {
    const key = `${mark.kind} ${Math.floor(mark.at / slotMs)} ${mark.text}`
    const before = found.get(key)
    found.set(key, before === undefined ? mark : { ...before, count: before.count + mark.count })
  }
  return [...found.values()].sort((a, b) => a.at - b.at)
}
