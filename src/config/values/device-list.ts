// Which devices mine: a comma-separated list of indexes, PCI addresses and kinds; a leading minus excludes.
import type { ValueType } from '../schema'

const WORD = /^-?(?:all|gpu|cpu|\d{1,3}|(?:[0-9a-f]{4}:)?[0-9a-f]{2}:[0-9a-f]{2}\.[0-7])$/

/** Words in lower case, in the given order. */
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

const MAX_DRIVER_INDEX = 255

export function driverIndices(): ValueType<readonly number[]> {
  const check = (numbers: readonly number[]): readonly number[] | null => {
    const isIndex = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= MAX_DRIVER_INDEX
    return numbers.length > 0 && numbers.every(isIndex) ? [...new Set(numbers)] : null
  }
  const parse = (text: string): readonly number[] | null => {
    const words = text.split(',').map((word) => word.trim())
    return words.every((word) => /^\d{1,3}$/.test(word)) ? check(words.map(Number)) : null
  }
  return {
    form: 'list',
    placeholder: 'LIST',
    expected: `a comma list of numbers in 0..${MAX_DRIVER_INDEX}`,
    repeatable: true,
    parse,
    fromToml: (value) => {
      if (typeof value === 'string') return parse(value)
      return Array.isArray(value) && value.every((word) => typeof word === 'number') ? check(value) : null
    },
    format: (value) => value.join(','),
    merge: (first, second) => [...new Set([...first, ...second])],
  }
}
