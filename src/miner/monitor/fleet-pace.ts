// How a large fleet is watched more sparingly than a small one: looks a second, what is kept of each rig, connections.

/** With more rigs than these, charts are coarse, GPUs have none, and connections are not kept. */
const LARGE_FLEET = 512
/** Half of a core is busy with so many. */
const MAX_LOOKS_A_SECOND = 400
/** On their way at once; silent rigs take a place for as long as a look may take. */
export const MAX_LOOKS = 512

/** True where the memory and connections of each rig have to be few. */
export function isLargeFleet(rigs: number): boolean {
  return rigs > LARGE_FLEET
}

/** From one look at a rig to the next, in ms: as asked, or as long as a round over all of them has to take. */
export function lookInterval(askedMs: number, rigs: number): number {
  return Math.max(askedMs, Math.ceil((rigs * 1_000) / MAX_LOOKS_A_SECOND))
}

/** Ms after which the first look at a rig begins: at once in a small fleet, spread over a round in a large one. */
export function firstLook(index: number, rigs: number): number {
  return isLargeFleet(rigs) ? Math.floor((index * 1_000) / MAX_LOOKS_A_SECOND) : 0
}
