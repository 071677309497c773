// What happens in the lab, and when: the same for the same seed.
import { dice } from '../node/p2p-network'

export type LabEvent =
  | { readonly kind: 'partition'; readonly atMs: number; readonly left: readonly number[] }
  | { readonly kind: 'heal'; readonly atMs: number }
  | { readonly kind: 'restart'; readonly atMs: number; readonly node: number }
  | { readonly kind: 'clock'; readonly atMs: number; readonly node: number; readonly stepMs: number }
  | { readonly kind: 'liars' | 'flood'; readonly atMs: number; readonly node: number }

export interface ScriptOptions {
  readonly seed: number
  /** Our nodes and reference nodes together; ours come first. */
  readonly nodes: number
  readonly ours: number
  readonly lengthMs: number
  /** From one partition to the next; each lasts half of it. */
  readonly partitionMs: number
}

/** A larger clock error would make honest blocks future ones; a smaller one goes unnoticed. */
const CLOCK_STEPS_MS = [-60_000, -5_000, 5_000, 60_000]

/** In time order; the last one is a heal, some time before the end. */
export function labScript({ seed, nodes, ours, lengthMs, partitionMs }: ScriptOptions): readonly LabEvent[] {
  const roll = dice(seed)
  const events: LabEvent[] = []
  for (let start = partitionMs / 4; start + partitionMs <= lengthMs; start += partitionMs) {
    const left = shuffled(nodes, roll).slice(0, Math.max(1, Math.floor(nodes / 2)))
    const within = (part: number): number => start + Math.floor(partitionMs * part)
    events.push({ kind: 'partition', atMs: start, left })
    events.push({ kind: 'liars', atMs: within(0.1), node: roll(ours) })
    events.push({ kind: 'flood', atMs: within(0.2), node: roll(ours) })
    const stepMs = CLOCK_STEPS_MS[roll(CLOCK_STEPS_MS.length)] ?? 0
    events.push({ kind: 'clock', atMs: within(0.3), node: roll(ours), stepMs })
    events.push({ kind: 'heal', atMs: within(0.5) })
    events.push({ kind: 'restart', atMs: within(0.75), node: roll(ours) })
  }
  return events.sort((a, b) => a.atMs - b.atMs)
}

function shuffled(count: number, roll: (limit: number) => number): readonly number[] {
  const all = Array.from({ length: count }, (_, index) => index)
  for (let last = count - 1; last > 0; last--) {
    const other = roll(last + 1)
    const [a = 0, b = 0] = [all[last], all[other]]
    all[last] = b
    all[other] = a
  }
  return all
}
