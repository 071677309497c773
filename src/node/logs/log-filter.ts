// What a log must be like to be told: addresses, and topics by position.

/** The words of a log that a filter looks at, as lower-case `0x` hex. */
export interface LogWords {
  readonly address: string
  readonly topics: readonly string[]
}

/** Lower-case `0x` hex. */
export interface LogFilter {
  /** Any of these; none = every address. */
  readonly addresses: readonly string[]
  /** By position, any of these; none = any topic there. More positions than a log has topics: it does not match. */
  readonly topics: readonly (readonly string[])[]
}

/** Whether a log is one of those; made once for many logs, since a filter may name thousands of words. */
export function matcherOf({ addresses, topics }: LogFilter): (log: LogWords) => boolean {
  const owners = new Set(addresses)
  const positions = topics.map((wanted) => new Set(wanted))
  return (log) => {
    if (positions.length > log.topics.length) return false
    if (owners.size > 0 && !owners.has(log.address)) return false
    return positions.every((wanted, position) => wanted.size === 0 || wanted.has(log.topics[position] ?? ''))
  }
}
