// Merges equal events within a short time into one with a count, so that a device that fails four times a second
// doesn't bury everything else.

/** What is grouped, newest first. */
interface Groupable {
  readonly id: number
  /** UTC ms */
  readonly at: number
  /** What it says, with all its values; two with the same text are equal. */
  readonly text: string
}

interface EventGroup<T extends Groupable> {
  /** Id of the oldest event, which stays when more arrive. */
  readonly id: number
  /** The newest event. */
  readonly line: T
  /** Ids of all events, newest first. */
  readonly ids: readonly number[]
  /** UTC ms of the oldest event. */
  readonly since: number
}

/** Equal events further apart than this are separate. */
const MAX_APART_MS = 60_000

/**
 * @param lines newest first
 * @returns groups in the order of their newest event; other events may have come in between
 */
export function groupEvents<T extends Groupable>(lines: readonly T[]): readonly EventGroup<T>[] {
  const groups: { id: number; line: T; ids: number[]; since: number }[] = []
  const open = new Map<string, (typeof groups)[number]>()
  for (const line of lines) {
    const group = open.get(line.text)
    if (group !== undefined && group.since - line.at <= MAX_APART_MS) {
      group.ids.push(line.id)
      group.id = line.id
      group.since = line.at
      continue
    }
    const begun = { id: line.id, line, ids: [line.id], since: line.at }
    open.set(line.text, begun)
    groups.push(begun)
  }
  return groups
}
