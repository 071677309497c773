// Log filters: addresses, and topics by position.

/** The words of a log that a filter matches, as lower-case `0x` hex. */
export interface LogWords {
  readonly address: string
  readonly topics: readonly string[]
}

/** Lower-case `0x` hex. */
export interface LogFilter {
  /** Any of these; empty = every address. */
  readonly addresses: readonly string[]
  /** By position, any of these; empty = any topic there. With more positions than a log has topics it doesn't match. */
  readonly topics: readonly (readonly string[])[]
}

/** A matcher for a filter, prepared once for many logs, since a filter may name thousands of words. */
export function matcherOf({ addresses, topics }: LogFilter): (log: LogWords) => boolean {
  const owners = new Set(addresses)
  const positions = topics.map((wanted) => new Set(wanted))
  return (log) => {
    if (positions.length > log.topics.length) return false
    if (owners.size > 0 && !owners.has(log.address)) return false
    return positions.every((wanted, position) => wanted.size === 0 || wanted.has(log.topics[position] ?? ''))
  }
}
