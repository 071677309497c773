// Polls many rigs less intensively: polls per second, data per rig, connections.

/** Above this many rigs, charts are coarse, GPUs have none, and connections aren't kept. */
const MANY_RIGS = 512
/** Uses half of a core. */
const MAX_LOOKS_A_SECOND = 400
/** Concurrent polls; a silent rig occupies a slot until its timeout. */
export const MAX_LOOKS = 512

/** True when memory and connections per rig must be limited. */
export function hasManyRigs(rigs: number): boolean {
  return rigs > MANY_RIGS
}

/** Interval between two polls of a rig, ms: as configured, or as long as a round over all rigs has to take. */
export function lookInterval(askedMs: number, rigs: number): number {
  return Math.max(askedMs, Math.ceil((rigs * 1_000) / MAX_LOOKS_A_SECOND))
}

/** Delay of a rig's first poll, ms: none for few rigs, spread over a round for many. */
export function firstLook(index: number, rigs: number): number {
  return hasManyRigs(rigs) ? Math.floor((index * 1_000) / MAX_LOOKS_A_SECOND) : 0
}
