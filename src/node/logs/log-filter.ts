// Log filters: addresses, and topics by position.
import { bytesOfHex } from '../../base/hex'
import { mayContain } from '../model/bloom'
import type { StoredLog } from '../model/stored-receipts'

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

/** The same for logs read in place. */
export function storedMatcherOf({ addresses, topics }: LogFilter): (log: StoredLog) => boolean {
  const owners = new Set(addresses.map(nameOf))
  const positions = topics.map((wanted) => new Set(wanted.map(nameOf)))
  return (log) => {
    if (positions.length > log.topicCount) return false
    if (owners.size > 0 && !owners.has(log.addressName())) return false
    return positions.every((wanted, position) => wanted.size === 0 || wanted.has(log.topicName(position)))
  }
}

/** A word as the characters of its bytes. @param word `0x` hex */
export function nameOf(word: string): string {
  return Buffer.from(word.slice(2), 'hex').toString('latin1')
}

/** Whether a block with this bloom may have a log that matches; false is certain. */
export function mayMatch({ addresses, topics }: LogFilter, bloom: Uint8Array): boolean {
  const isAny = (words: readonly string[], length: number): boolean =>
    words.length === 0 || words.some((word) => mayContain(bloom, bytesOfHex(word, length)))
  return isAny(addresses, 20) && topics.every((wanted) => isAny(wanted, 32))
}

/** How many addresses and topics it names. */
export function wordsOf({ addresses, topics }: LogFilter): number {
  return topics.reduce((sum, wanted) => sum + wanted.length, addresses.length)
}
