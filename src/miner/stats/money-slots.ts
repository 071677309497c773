// The ledger's records: what was mined in a quarter of an hour, by source and by device, and sums over them.
import { z } from 'zod'
import { LOSS_CAUSES, type LossCause } from './loss-cause'

/** Every time zone's midnight is a multiple of it. */
export const SLOT_MS = 900_000
/** Older records are merged into whole UTC days. */
export const DAY_MS = 86_400_000

const amount = z.number().nonnegative()
/** UTC ms. Early records have fractions: a record is never unreadable for that. */
const time = z.number().nonnegative().transform(Math.round)

const sourceSchema = z.object({
  accepted: amount,
  rejected: amount,
  stale: amount,
  unanswered: amount,
  failed: amount,
  /** expected hashes of the accepted shares, and those of them whose value is in `micro` */
  work: amount,
  pricedWork: amount,
  /** value of the accepted shares or blocks, millionths of a LAX */
  micro: amount,
  /** computed */
  hashes: amount,
  /** shares (solo: blocks) that these find on average */
  due: amount,
  /** those computed while the network's difficulty was known, the blocks and millionths of a LAX they find on average */
  pricedHashes: amount,
  dueBlocks: amount,
  dueMicro: amount,
  /** side blocks: accepted blocks that the chain replaced; their value isn't in `micro`. The file's name for them */
  orphaned: amount.default(0),
})

const lossSchema = z.object({
  ms: amount,
  /** negative for a device that is faster than usual, under `slow` */
  hashes: z.number(),
  /** those whose value is in `micro` */
  pricedHashes: z.number(),
  micro: z.number(),
  from: time,
  to: time,
})

const deviceSchema = z.object({
  name: z.string().max(200),
  hashes: amount,
  /** hashes at the usual rate in `watchedMs` */
  usual: amount,
  watchedMs: amount,
  /** watt milliseconds, and the time and hashes that were metered */
  joules: amount,
  meteredMs: amount,
  meteredHashes: amount,
  /** by cause, a blank, and the reason */
  losses: z.record(z.string().max(400), lossSchema),
})

/** One record as it is on disk. */
export const slotSchema = z.object({
  /** start, UTC ms, a multiple of its length */
  at: time,
  ms: z.union([z.literal(SLOT_MS), z.literal(DAY_MS)]),
  /** first and last moment recorded, UTC ms */
  first: time,
  last: time,
  recordedMs: amount,
  /** by `host:port`; empty for our own node */
  sources: z.record(z.string().max(300), sourceSchema),
  /** what rigs mined for our own node: `hashes` are those that their accepted shares stand for, the counts are blocks */
  rigs: sourceSchema.optional(),
  /** by the device's key */
  devices: z.record(z.string().max(300), deviceSchema),
})

/** Sums of one source. */
export type SourceSums = z.infer<typeof sourceSchema>
/** Sums of one device. */
export type DeviceSums = z.infer<typeof deviceSchema>
/** Sums of one cause on one device. */
type LossSums = z.infer<typeof lossSchema>
/** What was recorded in one slot, or over several. */
export type Slot = z.infer<typeof slotSchema>

/** A record of nothing. */
export function emptySlot(at: number, now: number, ms: Slot['ms'] = SLOT_MS): Slot {
  return { at, ms, first: now, last: now, recordedMs: 0, sources: {}, devices: {} }
}

/** The source's sums, made when missing. */
export function sourceOf({ sources }: Pick<Slot, 'sources'>, pool: string): SourceSums {
  sources[pool] ??= noSums()
  return sources[pool]
}

/** The sums of the rigs, made when missing. */
export function rigsOf(slot: Pick<Slot, 'rigs'>): SourceSums {
  slot.rigs ??= noSums()
  return slot.rigs
}

function noSums(): SourceSums {
  return {
    accepted: 0,
    rejected: 0,
    stale: 0,
    unanswered: 0,
    failed: 0,
    work: 0,
    pricedWork: 0,
    micro: 0,
    hashes: 0,
    due: 0,
    pricedHashes: 0,
    dueBlocks: 0,
    dueMicro: 0,
    orphaned: 0,
  }
}

/** The device's sums, made when missing. */
export function deviceOf({ devices }: Pick<Slot, 'devices'>, key: string, name: string): DeviceSums {
  devices[key] ??= {
    name,
    hashes: 0,
    usual: 0,
    watchedMs: 0,
    joules: 0,
    meteredMs: 0,
    meteredHashes: 0,
    losses: {},
  }
  return devices[key]
}

/** The sums of one cause, made when missing. */
export function lossOf({ losses }: Pick<DeviceSums, 'losses'>, key: string, now: number): LossSums {
  losses[key] ??= { ms: 0, hashes: 0, pricedHashes: 0, micro: 0, from: now, to: now }
  return losses[key]
}

/** How a cause and its reason are filed. */
export function lossKey(cause: LossCause, reason: string): string {
  return `${cause} ${reason.slice(0, 300)}`
}

/** Null for what no version writes. */
export function readLossKey(key: string): { readonly cause: LossCause; readonly reason: string } | null {
  const blank = key.indexOf(' ')
  const cause = LOSS_CAUSES.find((each) => each === key.slice(0, blank))
  return cause === undefined ? null : { cause, reason: key.slice(blank + 1) }
}

/** Adds one record to another. */
export function addSlot(sums: Slot, slot: Slot): void {
  sums.first = Math.min(sums.first, slot.first)
  sums.last = Math.max(sums.last, slot.last)
  sums.recordedMs += slot.recordedMs
  for (const [pool, source] of Object.entries(slot.sources)) addNumbers(sourceOf(sums, pool), source)
  if (slot.rigs !== undefined) addNumbers(rigsOf(sums), slot.rigs)
  for (const [key, device] of Object.entries(slot.devices)) {
    const { name, losses, ...numbers } = device
    const sum = deviceOf(sums, key, name)
    addNumbers<keyof typeof numbers>(sum, numbers)
    for (const [cause, loss] of Object.entries(losses)) {
      const { from, to, ...counted } = loss
      const before = lossOf(sum, cause, from)
      addNumbers<keyof typeof counted>(before, counted)
      before.from = Math.min(before.from, from)
      before.to = Math.max(before.to, to)
    }
  }
}

/** As if it had been recorded `by` ms later. */
export function shifted(slot: Slot, by: number): Slot {
  const first = Math.max(0, slot.first + by)
  const devices = Object.entries(slot.devices).map(([key, { losses, ...device }]) => {
    const moved = Object.entries(losses).map(([cause, loss]) => [
      cause,
      { ...loss, from: Math.max(0, loss.from + by), to: Math.max(0, loss.to + by) },
    ])
    return [key, { ...device, losses: Object.fromEntries(moved) }]
  })
  const at = first - (first % slot.ms)
  return { ...slot, at, first, last: Math.max(0, slot.last + by), devices: Object.fromEntries(devices) }
}

function addNumbers<K extends string>(sums: { [name in K]: number }, more: { readonly [name in K]: number }): void {
  for (const name in more) sums[name] += more[name]
}
