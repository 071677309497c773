// Which devices mine: a comma list of positions, PCI addresses and kinds, each of which a minus takes out again.
import type { ValueType } from './schema'

const WORD = /^-?(?:all|gpu|cpu|\d{1,3}|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/

/** Words in lower case, in the order given. */
export function deviceList(): ValueType<readonly string[]> {
  const check = (words: readonly string[]): readonly string[] | null => {
    const lower = words.map((word) => word.trim().toLowerCase())
    return lower.length > 0 && lower.every((word) => WORD.test(word)) ? lower : null
  }
  return {
    form: 'list',
    placeholder: 'LIST',
    expected: 'a comma list of all, gpu, cpu, positions as headframe devices shows them, and PCI addresses (01:00.0)',
    repeatable: true,
    parse: (text) => check(text.split(',')),
    fromToml: (value) => {
      if (typeof value === 'string') return check(value.split(','))
      if (!Array.isArray(value)) return null
      const isWord = (each: unknown): boolean => typeof each === 'string' || Number.isSafeInteger(each)
      return value.every(isWord) ? check(value.map(String)) : null
    },
    format: (value) => value.join(','),
    merge: (first, second) => [...first, ...second],
  }
}
