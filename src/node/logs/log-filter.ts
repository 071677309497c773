// What a log must be like to be told: addresses, and topics by position. Source: rpc.md 8

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

export function matchesFilter(log: LogWords, { addresses, topics }: LogFilter): boolean {
  if (topics.length > log.topics.length) return false
  if (addresses.length > 0 && !addresses.includes(log.address)) return false
  return topics.every((wanted, position) => wanted.length === 0 || wanted.includes(log.topics[position] ?? ''))
}
