// Equal events of a short time as one with a count, so that a device that fails four times a second does not bury all else.

/** What is grouped: newest first. */
export interface Groupable {
  readonly id: number
  /** UTC ms */
  readonly at: number
  /** What it says, with all its values; two that say the same are equal. */
  readonly text: string
}

export interface EventGroup<T extends Groupable> {
  /** Of the oldest of them, which stays when more come. */
  readonly id: number
  /** The newest of them. */
  readonly line: T
  /** Of all of them, the newest first. */
  readonly ids: readonly number[]
  /** When the oldest of them was, UTC ms. */
  readonly since: number
}

/** Two equal ones further apart than this are two events. */
const MAX_APART_MS = 60_000

/** @param lines newest first. @returns groups in the order of their newest event; others may have come in between */
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
