// What charts show besides values: when and why a device didn't mine, and the outcomes of its shares. Recorded from
// startup on and kept for a day, so that a page opened later shows it too.

import { Disposables } from '../../base/lifecycle'
import { type Clock, MINUTE_MS } from '../../base/time'
import type { TimelineMark, TimelineSpan, TimelineView } from '../../contract/miner'
import type { MinerService } from '../../miner/miner-service'
import type { DeviceSnapshot, HistoryWindow, MinerSnapshot, SettledShare } from '../../miner/stats/snapshot'

const WINDOW_MS: Readonly<Record<HistoryWindow, number>> = {
  '10m': 10 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '24h': 1_440 * MINUTE_MS,
  '7d': 7 * 1_440 * MINUTE_MS,
}
const KEPT_MS = WINDOW_MS['24h']
/** Closer marks of one kind are merged: a chart has no room for more. */
const SLOTS = 240
/** Per device; the oldest are dropped. */
const MAX_SPANS = 500
const MAX_MARKS = 4_000
/** Accepted shares are counted in slots of this length, since there may be several a second. */
const ACCEPTED_SLOT_MS = WINDOW_MS['10m'] / SLOTS

/** Devices are briefly idle at each new job; that isn't reported as a loss. */
const MIN_WAIT_MS = 3_000
/** Reasons of rejected shares reported. */
const MAX_REASONS = 20

type Mark = TimelineMark
/** `to` null = ongoing. */
type Span = TimelineSpan

interface Track {
  spans: Span[]
  marks: Mark[]
  restarts: number
}

/** What kept devices from mining since the window's or this run's start, and which of their results earned nothing. */
export type DeviceLosses = ReturnType<DeviceTimeline['losses']>

/** Of all devices, by index. */
export class DeviceTimeline {
  readonly #tracks = new Map<number, Track>()
  #epochs: Mark[] = []
  #epoch: number | null = null
  /** The disconnected pool; empty while one is connected, and without pools. */
  #lostPool = ''
  readonly #startedAt: number

  constructor(private readonly clock: Clock) {
    this.#startedAt = clock.now()
  }

  /** Records until disposed. */
  watch({ events }: Pick<MinerService, 'events'>): Disposables {
    return new Disposables(
      events.on('devicesChanged', (devices) => devices.forEach((device) => void this.#device(device))),
      events.on('shareSettled', (share) => this.#share(share)),
      events.on('statusChanged', (status) => this.#status(status)),
    )
  }

  /** Spans that overlap the window and marks within it, both oldest first. */
  read(device: number, window: HistoryWindow): TimelineView {
    const since = this.clock.now() - WINDOW_MS[window]
    const track = this.#tracks.get(device)
    const spans = (track?.spans ?? []).filter(({ to }) => to === null || to >= since)
    const marks = [...(track?.marks ?? []), ...this.#epochs].filter(({ at }) => at >= since)
    return { spans, marks: merged(marks, WINDOW_MS[window] / SLOTS) }
  }

  /** Why less was mined than could have been, per device. */
  losses(window: HistoryWindow) {
    const to = this.clock.now()
    const since = to - WINDOW_MS[window]
    const devices = [...this.#tracks].map(([index, track]) => {
      const marks = track.marks.filter(({ at }) => at >= since)
      return {
        index,
        spans: track.spans.filter((span) => span.to === null || span.to >= since),
        restarts: marks.filter(({ kind }) => kind === 'restart').length,
        failed: marks.filter(({ kind }) => kind === 'failed').length,
        refused: addedUp(
          marks.flatMap(({ kind, text: reason, count }) => (kind === 'rejected' ? [{ reason, count }] : [])),
        ),
      }
    })
    return { from: Math.max(since, this.#startedAt), to, devices: devices.sort((a, b) => a.index - b.index) }
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
    const found = idleOf(device, this.#lostPool)
    const last = track.spans[track.spans.length - 1]
    const open = last?.to === null ? last : null
    if (device.restarts > track.restarts) this.#mark(track, { kind: 'restart', at: device.takenAt, count: 1, text: '' })
    track.restarts = device.restarts
    if (open !== null && open.kind === found?.kind && open.reason === found.reason) return
    if (open !== null) track.spans = [...track.spans.slice(0, -1), ...ended(open, device.takenAt)]
    if (found === null) return
    const oldest = device.takenAt - KEPT_MS
    const kept = track.spans.filter(({ to }) => to === null || to >= oldest).slice(1 - MAX_SPANS)
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
    if (track.marks.length > MAX_MARKS) track.marks = track.marks.slice(-MAX_MARKS / 2)
  }

  #status({ source: { kind, connected, host, epoch }, takenAt }: MinerSnapshot): void {
    this.#lostPool = kind === 'pool' && !connected ? host : ''
    if (epoch === null || epoch === this.#epoch) return
    // The first epoch after startup isn't a change.
    if (this.#epoch !== null)
      this.#epochs = [
        ...this.#epochs.slice(1 - MAX_SPANS),
        { kind: 'epoch', at: takenAt, count: 1, text: String(epoch) },
      ]
    this.#epoch = epoch
  }
}

function idleOf(device: DeviceSnapshot, lostPool: string): Pick<Span, 'kind' | 'reason'> | null {
  const { paused, pauseReasons, state, error, responds } = device
  if (state === 'error') return { kind: 'error', reason: error }
  if (paused) return { kind: 'paused', reason: pauseReasons.join('; ') }
  if (!responds) return { kind: 'silent', reason: '' }
  if (state === 'waiting') return { kind: 'waiting', reason: lostPool }
  return state === 'building' || state === 'compiling' ? { kind: 'building', reason: '' } : null
}

function ended(span: Span, to: number): readonly Span[] {
  return span.kind === 'waiting' && to - span.from < MIN_WAIT_MS ? [] : [{ ...span, to }]
}

/** Reasons of rejected shares, each once, most frequent first. */
export function addedUp(refused: readonly { readonly reason: string; readonly count: number }[]) {
  const counts = new Map<string, number>()
  for (const { reason, count } of refused) counts.set(reason, (counts.get(reason) ?? 0) + count)
  const reasons = [...counts].map(([reason, count]) => ({ reason, count }))
  return reasons.sort((a, b) => b.count - a.count).slice(0, MAX_REASONS)
}

/** Merges nearby marks of one kind and text, at the time of the first. */
function merged(marks: readonly Mark[], slotMs: number): Mark[] {
  const found = new Map<string, Mark>()
  for (const mark of marks) {
    const key = `${mark.kind} ${Math.floor(mark.at / slotMs)} ${mark.text}`
    const before = found.get(key)
    found.set(key, before === undefined ? mark : { ...before, count: before.count + mark.count })
  }
  return [...found.values()].sort((a, b) => a.at - b.at)
}
